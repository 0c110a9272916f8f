// What fills the memory, for a person: its size against the limit, where its tokens are, and the notes beside it.
import type { MemoryAnalysis, SectionReport } from "../../memory-files/analysis.ts";
import { KNOWN_MEMORY, type MemoryFilesResult } from "../../memory-files/compact-memory-files.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { bar, cutToCells, percent, renderTable, right, wrapText } from "../render.ts";
import type { Colors } from "../terminal.ts";

const MOST_SECTIONS = 8;
const MOST_NOTES = 3;
const MOST_FILES = 3;
const MOST_UNREAD = 3;
const MOST_DUPLICATES = 3;
const MOST_NEAR = 4;
const MOST_DIGESTS = 4;
const MOST_SECRETS = 3;
const WIDTH = 80;
const BAR = 12;
const HEADING_CELLS = 27;
const FILE_CELLS = 38;
const LINE_CELLS = 50;
const ONLY_CELLS = 24;

export const WARNING = "⚠";

/** Blocks, each of whole lines without an empty one around it. */
export function renderAnalysis(analysis: MemoryFilesResult, shown: string, colors: Colors): readonly string[] {
  return [
    renderHead(analysis, shown, colors),
    ...renderSections(analysis, colors),
    ...renderNotes(analysis, colors),
    ...renderDuplicates(analysis, colors),
    ...renderNearLines(analysis, colors),
    ...renderUnread(analysis, colors),
    ...renderSecrets(analysis, colors),
  ];
}

function renderHead(analysis: MemoryAnalysis, shown: string, colors: Colors): string {
  const { memory_file, memory_files } = analysis;
  if (memory_file === null) return renderNoMemory(analysis, shown, colors);
  const { memory_size, memory_characters, memory_tokens_exact, memory_tokens } = analysis;
  return [
    colors.bold(`${cutToCells(memory_file, FILE_CELLS)} in ${shown}`),
    `  ${[plural(memory_size, "byte"), plural(memory_characters, "character"), plural(memory_tokens_exact, "token")].join(", ")} (by the estimate ${figure(memory_tokens)})`,
    `  ${limitLine(analysis, colors)}`,
    ...renderFiles(memory_files.slice(1), colors),
  ].join("\n");
}

const MEMORY_NAME = /^(?:memory|claude|agents)\.md$/i;

function renderNoMemory({ unread }: MemoryAnalysis, shown: string, colors: Colors): string {
  const memory = unread.find(({ file }) => MEMORY_NAME.test(file));
  // It is there: that is what has to be mended, and the list of what was not read says how.
  if (memory !== undefined) return colors.bold(`${cutToCells(memory.file, FILE_CELLS)} in ${shown} cannot be read`);
  const looked = `Looked for ${KNOWN_MEMORY}. Another one is named with --memory-file FILE.`;
  return [colors.bold(`No memory file in ${shown}`), ...wrapText(looked, { width: WIDTH, indent: "  " })].join("\n");
}

function limitLine({ over_limit_bytes, max_memory_kb, memory_size }: MemoryAnalysis, colors: Colors): string {
  const limit = `the limit of ${max_memory_kb} KB`;
  if (over_limit_bytes > 0) return colors.yellow(`${WARNING} ${plural(over_limit_bytes, "byte")} over ${limit}`);
  return colors.green(`${plural(max_memory_kb * 1024 - memory_size, "byte")} below ${limit}`);
}

/** Memory beside the main file: more of it, or what it takes in. */
function renderFiles(files: MemoryAnalysis["memory_files"], colors: Colors): readonly string[] {
  const lines = files
    .slice(0, MOST_FILES)
    .map(
      ({ file, bytes, tokens_exact, imported }) =>
        `  ${colors.dim("+")} ${cutToCells(file, FILE_CELLS)}: ${plural(bytes, "byte")}, ${plural(tokens_exact, "token")}${imported ? ", taken in" : ""}`,
    );
  return [...lines, ...andMore(files.length - lines.length, "more file")];
}

function renderSections({ sections, memory_file }: MemoryAnalysis, colors: Colors): readonly string[] {
  const [first] = sections;
  if (first === undefined) return [];
  const largest = sections.toSorted((a, b) => b.tokens_exact - a.tokens_exact || a.byte_from - b.byte_from);
  const [shown, others] = [largest.slice(0, MOST_SECTIONS), largest.slice(MOST_SECTIONS)];
  const total = tokensOf(sections);
  const most = shown[0]?.tokens_exact ?? 0;
  const rows = shown.map((section) => {
    const drawn = bar(section.tokens_exact, most, BAR);
    return [
      section.file === memory_file ? sectionName(section) : sectionName(section, `${section.file}: `),
      section.line_from === section.line_to ? `${section.line_from}` : `${section.line_from}-${section.line_to}`,
      section.tokens_exact,
      section.tokens,
      shareOf(section.tokens_exact, total),
      section.bloated ? { text: `${drawn} ${WARNING}`, paint: colors.yellow } : { text: drawn, paint: colors.cyan },
    ];
  });
  const left = tokensOf(others);
  const rest =
    others.length === 0
      ? []
      : [
          [
            { text: `and ${figure(others.length)} more`, paint: colors.dim },
            "",
            left,
            sum(others.map(({ tokens }) => tokens)),
            shareOf(left, total),
            "",
          ],
        ];
  const bloated = sections.filter((section) => section.bloated).length;
  const mark = bloated === 0 ? "" : colors.yellow(`, ${WARNING} ${figure(bloated)} above 500 tokens`);
  return [
    `${colors.bold(plural(sections.length, "section"))}${mark}\n${renderTable(SECTIONS, [...rows, ...rest], colors)}`,
  ];
}

const SECTIONS = ["section", right("lines"), right("tokens"), right("est."), right("share"), ""];

function sectionName({ heading, level }: SectionReport, file = ""): string {
  return cutToCells(`${file}${level === 0 ? "(before the first heading)" : heading}`, HEADING_CELLS);
}

function tokensOf(sections: readonly SectionReport[]): number {
  return sum(sections.map(({ tokens_exact }) => tokens_exact));
}

function shareOf(part: number, total: number): string {
  return total === 0 ? "" : percent(part / total);
}

function renderNotes({ notes, digests }: MemoryFilesResult, colors: Colors): readonly string[] {
  const made = digests.length === 0 ? [] : [digestsLine(digests, colors)];
  if (notes.length === 0) return made.length === 0 ? [] : made;
  const bytes = sum(notes.map((note) => note.bytes));
  const tokens = sum(notes.map((note) => note.tokens_exact));
  const large = notes.filter(({ bloated }) => bloated).toSorted((a, b) => b.bytes - a.bytes);
  const rows = large
    .slice(0, MOST_NOTES)
    .map((note) => [
      `${WARNING} ${cutToCells(note.file, FILE_CELLS)}`,
      note.bytes,
      note.tokens_exact,
      { text: note.due_for_rotation ? "due for rotation" : "", paint: colors.yellow },
    ]);
  const columns = ["", right("bytes"), right("tokens"), ""];
  const mark = large.length === 0 ? "" : colors.yellow(`, ${WARNING} ${figure(large.length)} above 8 KB`);
  const head = `${colors.bold(plural(notes.length, "note"))}: ${plural(bytes, "byte")}, ${plural(tokens, "token")}${mark}`;
  const table = rows.length === 0 ? [] : [renderTable(columns, rows, colors)];
  return block(head, [...table, ...andMore(large.length - rows.length, "more large note"), ...made]);
}

/** What earlier runs made of notes that are in the archive since. */
function digestsLine(digests: MemoryFilesResult["digests"], colors: Colors): string {
  const months = digests.slice(0, MOST_DIGESTS).map(({ file }) => file.replace(/^.{0,400}\/|\.md$/g, ""));
  const left = digests.length - months.length;
  const notes = sum(digests.map((each) => each.notes));
  return `${colors.bold(plural(digests.length, "digest"))} (${months.join(", ")}${left > 0 ? ` and ${figure(left)} more` : ""}) of ${plural(notes, "note")}`;
}

function renderDuplicates({ duplicate_lines: all }: MemoryAnalysis, colors: Colors): readonly string[] {
  const most = all.toSorted((a, b) => b.occurrences - a.occurrences).slice(0, MOST_DUPLICATES);
  const rows = most.map(({ text, occurrences, lines }) => [
    `×${figure(occurrences)}`,
    cutToCells(lines.join(", "), 16),
    cutToCells(text, LINE_CELLS),
  ]);
  const table = renderTable([right(""), "lines", "text"], rows, colors);
  return block(
    colors.bold(plural(all.length, "repeated line")),
    rows.length === 0 ? [] : [table],
    all.length - rows.length,
  );
}

/** Both lines below each other: which is right, only who knows can say. */
function renderNearLines({ near_lines: all }: MemoryAnalysis, colors: Colors): readonly string[] {
  const rows = all
    .slice(0, MOST_NEAR)
    .map(({ lines, differs_in, only: [one, other] }) => [
      lines.join(", "),
      differs_in,
      cutToCells(one.join(" "), ONLY_CELLS),
      cutToCells(other.join(" "), ONLY_CELLS),
    ]);
  const table = renderTable(["lines", "differ in", "only in the one", "in the other"], rows, colors);
  const title = `${plural(all.length, "pair")} of lines nearly the same in two sections, for you to merge`;
  return block(colors.bold(title), rows.length === 0 ? [] : [table], all.length - rows.length);
}

function renderUnread({ unread }: MemoryAnalysis, colors: Colors): readonly string[] {
  const lines = unread
    .slice(0, MOST_UNREAD)
    .map(({ file, message }) => `  ${colors.yellow(WARNING)} ${cutToCells(`${file}: ${message}`, 74)}`);
  const title = colors.bold(`${plural(unread.length, "file")} not read, and left alone`);
  return block(title, lines, unread.length - lines.length, "more file");
}

/** Places only: a screen is looked at by others, too. */
function renderSecrets({ secrets }: MemoryAnalysis, colors: Colors): readonly string[] {
  const [first] = secrets;
  if (first === undefined) return [];
  const shown = secrets
    .slice(0, MOST_SECRETS)
    .map(({ file, line, rule }) => `${cutToCells(file, FILE_CELLS)} line ${line} (${rule})`);
  const left = secrets.length - shown.length;
  const told = secrets.length === 1 ? "value looks like a secret" : "values look like secrets";
  const more = left > 0 ? `, and ${figure(left)} more: --json` : "";
  return [`${colors.yellow(WARNING)} ${figure(secrets.length)} ${told}: ${shown.join(", ")}${more}`];
}

/** A title over lines, and how many more there are; nothing where there is no line. */
export function block(title: string, lines: readonly string[], left = 0, noun = "more"): readonly string[] {
  return lines.length === 0 ? [] : [[title, ...lines, ...andMore(left, noun)].join("\n")];
}

export function andMore(count: number, noun: string): readonly string[] {
  if (count <= 0) return [];
  return [`  and ${noun === "more" ? `${figure(count)} more` : plural(count, noun)}: --json`];
}
