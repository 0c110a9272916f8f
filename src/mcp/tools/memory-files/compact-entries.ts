// What an answer of `memory_compact` lists, entry by entry: first what matters most, so that what has no room is what can
// wait. Texts of the files are cut here, so that each entry alone fits into an answer.
import type * as z from "zod";
import type { CrossFileIssue, RedundantSection } from "../../../memory-files/analysis.ts";
import type { MemoryFilesResult } from "../../../memory-files/compact-memory-files.ts";
import type { Lever } from "../../../memory-files/memory-files-options.ts";
import type { PlannedChange, PlannedRange } from "../../../memory-files/plan.ts";
import type { AppliedChange, MemoryFilesReport } from "../../../memory-files/report.ts";
import { cutAtCodePoint } from "../../../text/cut.ts";
import type { issueOutput, ListName, listOutputs, plannedOutput } from "./compact-output.ts";

export type Lists = {
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

/** Of a dry run: the plan and everything it rests on. */
export function plannedEntries(result: MemoryFilesResult): readonly Entry[] {
  const { plan, cross_file_issues, contained_sections, sections, notes, duplicate_lines, unread } = result;
  const alike = cross_file_issues.toSorted((a, b) => b.similarity - a.similarity);
  const largest = sections.toSorted((a, b) => b.tokens_exact - a.tokens_exact);
  const large = notes.filter(({ bloated }) => bloated).toSorted((a, b) => b.bytes - a.bytes);
  return [
    ...entries("changes", plan.changes.map(plannedOf)),
    ...entries("cross_file_issues", alike.map(issueOf)),
    ...entries("contained_sections", contained_sections.map(issueOf)),
    ...entries(
      "sections",
      largest.map(({ file, heading, lines, tokens, tokens_exact, preview, bloated, line_from, line_to }) => ({
        ...{ file, heading: short(heading), lines, tokens, tokens_exact },
        ...{ preview, bloated, line_from, line_to },
      })),
    ),
    ...entries(
      "large_notes",
      large.map(({ file, bytes, tokens_exact, due_for_rotation }) => ({ file, bytes, tokens_exact, due_for_rotation })),
    ),
    ...entries(
      "duplicate_lines",
      duplicate_lines.map(({ file, text, occurrences, lines }) => ({
        ...{ file, text, occurrences },
        lines: lines.slice(0, MOST_LINES),
      })),
    ),
    ...entries(
      "held",
      plan.held
        .filter(({ code }) => code !== DIGEST_AVAILABLE)
        .map(({ section, ...held }) => (section === undefined ? held : { ...held, section: short(section) })),
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
  return [
    ...entries("applied", applied.map(appliedOf)),
    ...entries("refused", refused),
    ...entries("settled", settled),
    ...entries("changes", plan.changes.filter(({ apply }) => !apply).map(plannedOf)),
  ];
}

function entries<Name extends ListName>(list: Name, values: readonly Lists[Name][number][]): readonly Entry[] {
  return values.map((value) => ({ list, value }) as unknown as Entry);
}

const ALSO = { remove_sections: "contained", move_sections: "move", digest: "digest" } as const;

/** Undefined for what is planned, and for what no list of `also` switches on. */
export function alsoOf({ apply, kind }: PlannedChange): Lever | undefined {
  return apply || kind === "tidy" || kind === "rotate" ? undefined : ALSO[kind];
}

function plannedOf(change: PlannedChange): z.infer<typeof plannedOutput> {
  const { id, kind, apply, file, reason, bytes_before, bytes_after, tokens_before, tokens_after } = change;
  const also = alsoOf(change);
  const archive =
    change.kind === "rotate" ? change.archive : change.kind === "move_sections" ? change.moved_to : undefined;
  return {
    ...{ id, kind, apply },
    ...(also === undefined ? {} : { also }),
    ...{ file, reason },
    ...cutList(whatOf(change)),
    ...{ bytes_before, bytes_after, tokens_before, tokens_after },
    ...(archive === undefined ? {} : { archive }),
  };
}

function whatOf(change: PlannedChange): readonly string[] {
  if (change.kind === "rotate") return [];
  if (change.kind === "digest") return change.notes;
  return change.ranges.map((range, index) => {
    const held = change.kind === "remove_sections" ? change.held_by?.[index] : undefined;
    return `${placeOf(range)}${held === undefined ? "" : `, held by ${held.file}:${held.line_from}`}`;
  });
}

function placeOf({ heading, preview, line_from, line_to }: PlannedRange): string {
  const text = short(heading ?? (preview.trim() === "" ? "blank lines" : preview));
  return `${text} (${line_from === line_to ? `line ${line_from}` : `lines ${line_from}-${line_to}`})`;
}

function appliedOf({ archived, what, ...change }: AppliedChange) {
  const [parts, places] = [cutList(what.map(short)), cutList(archived)];
  const left = (parts.left_out ?? 0) + (places.left_out ?? 0);
  return { ...change, what: parts.what, archived: places.what, ...(left === 0 ? {} : { left_out: left }) };
}

function cutList(all: readonly string[]): { what: string[]; left_out?: number } {
  const what = all.slice(0, MOST_PARTS);
  return what.length === all.length ? { what } : { what, left_out: all.length - what.length };
}

function issueOf(section: RedundantSection | CrossFileIssue): z.infer<typeof issueOutput> {
  const { file, similarity, shared_tokens, section_tokens, containment, removable, line_from, line_to } = section;
  return {
    ...{ file, section: short(section.section), similarity, shared_tokens, section_tokens },
    ...("severity" in section ? { severity: section.severity, recommendation: section.recommendation } : {}),
    ...{
      containment,
      novel_tokens: section.novel_tokens.map((token) => cutAtCodePoint(token, LONGEST_TOKEN)),
      removable,
    },
    ...(section.differs_in === undefined ? {} : { differs_in: section.differs_in }),
    ...(section.held_because === undefined ? {} : { held_because: section.held_because }),
    ...{ line_from, line_to },
  };
}

function short(text: string): string {
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
