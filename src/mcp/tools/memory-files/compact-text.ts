// The text of what `memory_compact` answers. Names and texts of the files are data: each stands on a line of the answer's
// own, without line ends or controls.
import { KNOWN_MEMORY, type MemoryFilesResult } from "../../../memory-files/compact-memory-files.ts";
import { snippetOf } from "../../../observations/reading/snippet.ts";
import { nameOf } from "../reading/row-text.ts";
import type { Entry, Lists } from "./compact-entries.ts";
import type { ListName } from "./compact-output.ts";

const TITLES: Readonly<Record<ListName, string>> = {
  applied: "Done",
  refused: "Not done, and their files are as they were",
  settled: "Found of a run that had died",
  changes: "Changes",
  cross_file_issues: "Sections of notes that are like the memory",
  contained_sections: "Sections of notes whose words the memory holds",
  sections: "Sections of the memory, the largest first",
  large_notes: "Notes above 8 KB",
  duplicate_lines: "Lines that the memory repeats",
  held: "Held",
  possible: "What else could be done",
  unread: "Not read, and left alone",
};

export const MOST_SECRETS = 5;

export function figure(value: number): string {
  return value.toLocaleString("en-US");
}

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
  const notes = digests.reduce((sum, each) => sum + each.notes, 0);
  return `, and ${count(digests.length, "digest")} of ${count(notes, "note")}`;
}

export function count(number: number, noun: string): string {
  return `${figure(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function plannedText({ totals, memory_size_before, memory_size_after }: MemoryFilesResult["plan"]): string {
  if (totals.changes === 0) return "Nothing is planned.";
  return `Planned: ${count(totals.changes, "change")}, ${figure(totals.bytes_before)} -> ${figure(totals.bytes_after)} bytes, ${figure(totals.tokens_before)} -> ${figure(totals.tokens_after)} tokens; memory ${figure(memory_size_before)} -> ${figure(memory_size_after)} bytes.`;
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
      `- [${id}] ${kind} ${nameOf(file)}${proposed}: ${said(reason)} ${sizesText(change)}${to}`,
      ...parts(change),
    ];
  },
  applied: (change) => {
    const { id, kind, file, archived } = change;
    const kept = archived.length === 0 ? "" : ` Kept in ${archived.map(nameOf).join(", ")}.`;
    return [`- [${id}] ${kind} ${nameOf(file)} ${sizesText(change)}${kept}`, ...parts(change)];
  },
  refused: ({ change, kind, file, code, message }) => [
    `- [${change}] ${kind}${message.includes(file) ? "" : ` ${nameOf(file)}`}: ${code}. ${said(message)}`,
  ],
  settled: ({ id, file, state }) => [`- [${id}] ${nameOf(file)}: ${state}`],
  cross_file_issues: issueLine,
  contained_sections: issueLine,
  sections: (section) => {
    const { file, heading, tokens, tokens_exact, bloated } = section;
    const name = `${bloated ? "⚠️ " : ""}"${nameOf(heading)}" ${nameOf(file)} ${lines(section)}`;
    return [`- ${name}: ${figure(tokens_exact)} tokens (estimate ${figure(tokens)})`];
  },
  large_notes: ({ file, bytes, tokens_exact, due_for_rotation }) => [
    `- ⚠️ ${nameOf(file)}: ${figure(bytes)} bytes, ${figure(tokens_exact)} tokens${due_for_rotation ? ", due for rotation" : ""}`,
  ],
  duplicate_lines: ({ file, text, occurrences, lines }) => [
    `- ${figure(occurrences)} times, lines ${lines.join(", ")} of ${nameOf(file)}: ${nameOf(text)}`,
  ],
  held: ({ file, section, code, message }) => [
    `- ${nameOf(file)}${section === undefined ? "" : ` "${nameOf(section)}"`}: ${code}. ${said(message)}`,
  ],
  possible: ({ also, message }) => [`- ${said(message)} also: ["${also}"]`],
  unread: ({ file, code, message }) => [`- ${nameOf(file)}: ${code}. ${said(message)}`],
};

function issueLine(issue: Lists["cross_file_issues"][number]): readonly string[] {
  const { file, section, similarity, containment, recommendation, held_because } = issue;
  const verdict = recommendation ?? (held_because === undefined ? "Removable." : `Held: ${held_because}.`);
  const name = `${nameOf(file)} "${nameOf(section)}" ${lines(issue)}`;
  return [`- ${name}: similarity ${similarity}, contained ${containment}, ${newsOf(issue)}. ${said(verdict)}`];
}

/** What the memory lacks: words, or the kind of what is said otherwise with words that it has. */
function newsOf({ novel_tokens, differs_in }: Lists["cross_file_issues"][number]): string {
  if (novel_tokens.length > 0) return `new: ${novel_tokens.map(nameOf).join(" ")}`;
  return differs_in === undefined ? "nothing new" : `differs in: ${nameOf(differs_in)}`;
}

/** Sentences of ours, which name files and headings. */
function said(message: string): string {
  return snippetOf(message);
}

interface Parts {
  readonly what: readonly string[];
  readonly left_out?: number | undefined;
}

function parts({ what, left_out: left = 0 }: Parts): readonly string[] {
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

function lines({ line_from, line_to }: { readonly line_from: number; readonly line_to: number }): string {
  return line_from === line_to ? `line ${line_from}` : `lines ${line_from}-${line_to}`;
}
