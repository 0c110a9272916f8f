// The text of what `memory_compact` answers. Names and texts of the files are data: each stands on a line of the answer's
// own, without line ends or controls.
import type * as z from "zod";
import type { CrossFileIssue, RedundantSection } from "../../memory-files/analysis.ts";
import { KNOWN_MEMORY, type MemoryFilesResult } from "../../memory-files/compact-memory-files.ts";
import type { Lever } from "../../memory-files/options.ts";
import { linesText, type PlannedChange, type PlannedRange } from "../../memory-files/plan.ts";
import type { AppliedChange, MemoryFilesReport } from "../../memory-files/report.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { cutAtCodePoint } from "../../text/quote.ts";
import { groupBy } from "../../text/words.ts";
import { type ListName, listOutputs } from "./memory-compact-output.ts";
import { nameOf } from "./row-view.ts";

const TITLES: Readonly<Record<ListName, string>> = {
  applied: "Done",
  refused: "Not done, and their files are as they were",
  settled: "Found of a run that had died",
  changes: "Changes",
  claude_memory: "What Claude Code does not read, or need not",
  cross_file_issues: "Sections of notes that are like the memory",
  contained_sections: "Sections of notes whose words the memory holds",
  sections: "Sections of the memory, the largest first",
  large_notes: "Notes above 8 KB",
  duplicate_lines: "Lines that the memory repeats",
  near_lines: "Lines of two sections that say nearly the same, for you to merge",
  held: "Held",
  possible: "What else could be done",
  unread: "Not read, and left alone",
};

export const MOST_SECRETS = 5;

/** Where the memory stands, and what the changes come to. */
export function overviewText(result: MemoryFilesResult): readonly string[] {
  const { memory_file, memory_size, memory_tokens_exact, memory_tokens, over_limit_bytes, max_memory_kb } = result;
  const { notes, cross_file_issues, high_severity_count, contained_sections, internal_duplicates, unread, plan } =
    result;
  const over = over_limit_bytes > 0 ? `⚠️ ${figure(over_limit_bytes)} bytes over` : "within";
  const unmatched =
    notes.length > 0 || plan.options.notes_glob === undefined
      ? ""
      : ` (none matches ${nameOf(plan.options.notes_glob)})`;
  return [
    memory_file === null
      ? `There is no memory file: looked for ${KNOWN_MEMORY}.`
      : `${nameOf(memory_file)}: ${figure(memory_size)} bytes, ${figure(memory_tokens_exact)} tokens (estimate ${figure(memory_tokens)}), ${over} ${max_memory_kb} KB.`,
    `Notes: ${figure(notes.length)}${unmatched}${digestsText(result)}. Sections like the memory: ${figure(cross_file_issues.length)} (${figure(high_severity_count)} high), contained in it: ${figure(contained_sections.length)}. Repeated lines: ${figure(internal_duplicates)}. Not read: ${figure(unread.length)}.`,
    ...secretsText(result),
    ...(result.report === undefined ? [plannedText(plan)] : [doneText(result)]),
  ];
}

/** Places only: the answer goes to a model. */
function secretsText({ secrets }: MemoryFilesResult): readonly string[] {
  if (secrets.length === 0) return [];
  const places = secrets.slice(0, MOST_SECRETS).map(({ file, line, rule }) => `${nameOf(file)} line ${line} (${rule})`);
  const more = secrets.length > places.length ? ", ..." : "";
  return [`⚠️ Values that look like secrets: ${figure(secrets.length)}: ${places.join(", ")}${more}.`];
}

function digestsText({ digests }: MemoryFilesResult): string {
  if (digests.length === 0) return "";
  const notes = sum(digests.map((each) => each.notes));
  return `, and ${plural(digests.length, "digest")} of ${plural(notes, "note")}`;
}

function plannedText({ totals, memory_size_before, memory_size_after }: MemoryFilesResult["plan"]): string {
  if (totals.changes === 0) return "Nothing is planned.";
  return `Planned: ${plural(totals.changes, "change")}, ${figure(totals.bytes_before)} -> ${figure(totals.bytes_after)} bytes, ${figure(totals.tokens_before)} -> ${figure(totals.tokens_after)} tokens; memory ${figure(memory_size_before)} -> ${figure(memory_size_after)} bytes.`;
}

function doneText({ memory_size_before, memory_size_after, report }: MemoryFilesResult): string {
  const { applied = [], refused = [] } = report ?? {};
  return `Changed: ${figure(applied.length)}, refused: ${figure(refused.length)}; memory ${figure(memory_size_before)} -> ${figure(memory_size_after)} bytes.`;
}

/** Under a title for each list. */
export function entriesText(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry, index) => [
    ...(entries[index - 1]?.list === entry.list ? [] : ["", `## ${TITLES[entry.list]}`]),
    ...linesOf(entry),
  ]);
}

function linesOf({ list, value }: Entry): readonly string[] {
  return (LINES[list] as (value: Entry["value"]) => readonly string[])(value);
}

const LINES: { readonly [Name in ListName]: (value: Lists[Name][number]) => readonly string[] } = {
  changes: (change) => {
    const { id, kind, apply, also, file, reason, archive } = change;
    const proposed = apply ? "" : ` (only proposed${also === undefined ? "" : `; also: ["${also}"]`})`;
    const to = archive === undefined ? "" : ` To ${nameOf(archive)}.`;
    return [
      `- [${id}] ${kind} ${nameOf(file)}${proposed}: ${messageText(reason)} ${sizesText(change)}${to}`,
      ...removedText(change),
    ];
  },
  applied: (change) => {
    const { id, kind, file, archived } = change;
    const kept = archived.length === 0 ? "" : ` Kept in ${archived.map(nameOf).join(", ")}.`;
    return [`- [${id}] ${kind} ${nameOf(file)} ${sizesText(change)}${kept}`, ...removedText(change)];
  },
  refused: ({ change, kind, file, code, message }) => [
    `- [${change}] ${kind}${message.includes(file) ? "" : ` ${nameOf(file)}`}: ${code}. ${messageText(message)}`,
  ],
  settled: ({ id, file, state }) => [`- [${id}] ${nameOf(file)}: ${state}`],
  claude_memory: ({ message }) => [`- ${messageText(message)}`],
  cross_file_issues: issueLine,
  contained_sections: issueLine,
  sections: (section) => {
    const { file, heading, tokens, tokens_exact, bloated, stays_because } = section;
    const name = `${bloated ? "⚠️ " : ""}"${nameOf(heading)}" ${nameOf(file)} ${linesText(section)}`;
    const stays = stays_because === undefined ? "" : `, stays: ${stays_because}`;
    return [`- ${name}: ${figure(tokens_exact)} tokens (estimate ${figure(tokens)})${stays}`];
  },
  large_notes: ({ file, bytes, tokens_exact, due_for_rotation }) => [
    `- ⚠️ ${nameOf(file)}: ${figure(bytes)} bytes, ${figure(tokens_exact)} tokens${due_for_rotation ? ", due for rotation" : ""}`,
  ],
  duplicate_lines: ({ file, text, occurrences, lines }) => [
    `- ${figure(occurrences)} times, lines ${lines.join(", ")} of ${nameOf(file)}: ${nameOf(text)}`,
  ],
  near_lines: ({ file, lines: at, differs_in, only }) => {
    const [one = "", other = ""] = only.map((words) => words.map(nameOf).join(" "));
    const alone = one === "" && other === "" ? "the same words" : `${one || "nothing"} | ${other || "nothing"}`;
    return [`- ${nameOf(file)} lines ${at.join(" and ")} differ in ${differs_in}: ${alone}`];
  },
  held: ({ file, section, code, message }) => [
    `- ${nameOf(file)}${section === undefined ? "" : ` "${nameOf(section)}"`}: ${code}. ${messageText(message)}`,
  ],
  possible: ({ also, message }) => [`- ${messageText(message)} also: ["${also}"]`],
  unread: ({ file, code, message }) => [`- ${nameOf(file)}: ${code}. ${messageText(message)}`],
};

function issueLine(issue: Lists["cross_file_issues"][number]): readonly string[] {
  const { file, section, similarity, containment, recommendation, held_because } = issue;
  const verdict = recommendation ?? (held_because === undefined ? "Removable." : `Held: ${held_because}.`);
  const name = `${nameOf(file)} "${nameOf(section)}" ${linesText(issue)}`;
  return [`- ${name}: similarity ${similarity}, contained ${containment}, ${newsOf(issue)}. ${messageText(verdict)}`];
}

/** What the memory lacks: words, or the kind of what is said otherwise with words that it has. */
function newsOf({ novel_tokens, differs_in }: Lists["cross_file_issues"][number]): string {
  if (novel_tokens.length > 0) return `new: ${novel_tokens.map(nameOf).join(" ")}`;
  return differs_in === undefined ? "nothing new" : `differs in: ${nameOf(differs_in)}`;
}

/** Sentences of ours, which name files and headings. */
function messageText(message: string): string {
  return snippetOf(message);
}

interface RemovedParts {
  readonly what: readonly string[];
  readonly left_out?: number | undefined;
}

function removedText({ what, left_out: left = 0 }: RemovedParts): readonly string[] {
  return [...what.map((part) => `    - ${nameOf(part)}`), ...(left > 0 ? [`    - and ${figure(left)} more`] : [])];
}

interface Sizes {
  readonly bytes_before: number;
  readonly bytes_after: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
}

function sizesText({ bytes_before, bytes_after, tokens_before, tokens_after }: Sizes): string {
  return `(${figure(bytes_before)} -> ${figure(bytes_after)} bytes, ${figure(tokens_before)} -> ${figure(tokens_after)} tokens)`;
}

// What an answer of `memory_compact` lists, entry by entry: first what matters most, so that what has no room is what can
// wait. Texts of the files are cut here, so that each entry alone fits into an answer.

type Lists = {
  readonly [Name in ListName]: z.infer<NonNullable<(typeof listOutputs)[Name]["_zod"]["def"]["innerType"]>>;
};

export type Entry = {
  readonly [Name in ListName]: { readonly list: Name; readonly value: Lists[Name][number] };
}[ListName];

const DIGEST_AVAILABLE = "digest_available";
const MOST_PARTS = 40;
const MOST_LINES = 40;
const LONGEST_TEXT = 160;
const LONGEST_TOKEN = 40;

/** Of a change or a text, in a brief answer. */
const BRIEF_PARTS = 3;
const BRIEF_TEXT = 40;
/** Of each list, before the rest of any. */
const FIRST = 3;

/**
 * Of a dry run: the plan and what it rests on; the first of each list before the rest, so that a page that has room for few
 * shows of each what matters most. `isBrief`: changes name less of what leaves.
 */
export function plannedEntries(
  result: MemoryFilesResult,
  isBrief: boolean,
  claude: readonly string[],
): readonly Entry[] {
  const all = groupBy(entriesOf(result, isBrief), ({ list }) => list);
  const { changes = [], possible = [], ...others } = Object.fromEntries(all);
  const lists = Object.values(others);
  return [
    ...changes,
    ...possible,
    ...entries(
      "claude_memory",
      claude.map((message) => ({ message })),
    ),
    ...lists.flatMap((list) => list.slice(0, FIRST)),
    ...lists.flatMap((list) => list.slice(FIRST)),
  ];
}

function entriesOf(result: MemoryFilesResult, isBrief: boolean): readonly Entry[] {
  const { plan, cross_file_issues, contained_sections, sections, notes, unread } = result;
  const { duplicate_lines, near_lines } = result;
  const alike = cross_file_issues.toSorted((a, b) => b.similarity - a.similarity);
  const largest = sections.toSorted((a, b) => b.tokens_exact - a.tokens_exact);
  const held = plan.held.filter(({ code }) => code !== DIGEST_AVAILABLE);
  const large = notes.filter(({ bloated }) => bloated).toSorted((a, b) => b.bytes - a.bytes);
  return [
    ...entries(
      "changes",
      plan.changes.map((change) => plannedOf(change, isBrief ? BRIEF_PARTS : MOST_PARTS)),
    ),
    ...entries("cross_file_issues", alike.map(issueOf)),
    ...entries(
      "sections",
      largest.map((section) => ({
        ...section,
        heading: shortText(section.heading),
        preview: isBrief ? cutAtCodePoint(section.preview, BRIEF_TEXT) : section.preview,
      })),
    ),
    ...entries("near_lines", near_lines),
    ...entries("contained_sections", contained_sections.map(issueOf)),
    ...entries("large_notes", large),
    ...entries(
      "duplicate_lines",
      duplicate_lines.map((each) => ({ ...each, lines: each.lines.slice(0, MOST_LINES) })),
    ),
    ...entries(
      "held",
      held.map((each) => ({ ...each, section: each.section && shortText(each.section) })),
    ),
    ...entries("possible", possibleIn(result)),
    ...entries("unread", unread),
  ];
}

/** What a lever would do that is not worked out without it. */
export function possibleIn({ plan }: MemoryFilesResult): readonly { also: Lever; message: string }[] {
  return plan.held.flatMap(({ code, message }) => (code === DIGEST_AVAILABLE ? [{ also: "digest", message }] : []));
}

/** Of an apply: what was done, what was not, and what is still proposed. */
export function doneEntries(
  { plan }: MemoryFilesResult,
  { applied, refused, settled }: MemoryFilesReport,
): readonly Entry[] {
  const proposed = plan.changes.filter(({ apply }) => !apply);
  return [
    ...entries("applied", applied.map(appliedOf)),
    ...entries("refused", refused),
    ...entries("settled", settled),
    ...entries(
      "changes",
      proposed.map((change) => plannedOf(change, MOST_PARTS)),
    ),
  ];
}

/** With what the schema of the list has of each. */
function entries(list: ListName, values: readonly object[]): readonly Entry[] {
  const schema: z.ZodType<readonly unknown[]> = listOutputs[list].unwrap();
  return schema.parse(values).map((value) => ({ list, value }) as Entry);
}

const ALSO = { remove_sections: "contained", move_sections: "move", digest: "digest" } as const;

/** Undefined for what is planned, and for what no list of `also` switches on. */
export function alsoOf({ apply, kind }: PlannedChange): Lever | undefined {
  return apply || kind === "tidy" || kind === "rotate" ? undefined : ALSO[kind];
}

function plannedOf(change: PlannedChange, most: number) {
  const archive =
    change.kind === "rotate" ? change.archive : change.kind === "move_sections" ? change.moved_to : undefined;
  return { ...change, also: alsoOf(change), ...cutList(whatOf(change), most), archive };
}

function whatOf(change: PlannedChange): readonly string[] {
  if (change.kind === "rotate") return [];
  if (change.kind === "digest") return change.notes;
  return change.ranges.map((range, index) => {
    const held = change.kind === "remove_sections" ? change.held_by?.[index] : undefined;
    return `${rangeText(range)}${held === undefined ? "" : `, held by ${held.file}:${held.line_from}`}`;
  });
}

function rangeText(range: PlannedRange): string {
  const { heading, preview } = range;
  return `${shortText(heading ?? (preview.trim() === "" ? "blank lines" : preview))} (${linesText(range)})`;
}

function appliedOf({ archived, what, ...change }: AppliedChange) {
  const [parts, places] = [cutList(what.map(shortText)), cutList(archived)];
  const left = (parts.left_out ?? 0) + (places.left_out ?? 0);
  return { ...change, what: parts.what, archived: places.what, left_out: left === 0 ? undefined : left };
}

function cutList(all: readonly string[], most = MOST_PARTS): { what: string[]; left_out?: number } {
  const what = all.slice(0, most);
  return what.length === all.length ? { what } : { what, left_out: all.length - what.length };
}

function issueOf(section: RedundantSection | CrossFileIssue) {
  const novel_tokens = section.novel_words.map((token) => cutAtCodePoint(token, LONGEST_TOKEN));
  return { ...section, section: shortText(section.section), novel_tokens };
}

function shortText(text: string): string {
  return cutAtCodePoint(text, LONGEST_TEXT);
}

/** The same entry with less of what it names; only changes name much. */
export function shortenEntry(entry: Entry, units: number): Entry {
  if (entry.list !== "changes") return entry;
  const { what, left_out = 0, ...change } = entry.value;
  const kept = what.slice(0, Math.floor(units / LONGEST_TEXT));
  const left = left_out + what.length - kept.length;
  return { list: "changes", value: { ...change, what: kept, ...(left === 0 ? {} : { left_out: left }) } };
}

/** Units from which on shortening takes something away. */
export function longestOf(entry: Entry): number {
  return entry.list === "changes" ? entry.value.what.length * LONGEST_TEXT : 0;
}
