// Which sections leave a note because the memory holds them. What is redundant, and what may leave without loss, the
// analysis has decided; this decides what may leave together.
import { type Section, splitSections } from "../../text/markdown/outline.ts";
import type { RedundantSection } from "../analysis.ts";
import type { HeldChange } from "../plan.ts";
import type { MemoryFile } from "../workspace.ts";
import { type Draft, type Drafts, draftEdit, type LineRange, plannedRange, savedBytes } from "./drafts.ts";
import { leaveSafely } from "./safe-ranges.ts";

interface Removable {
  /** Removed by an apply. */
  readonly chosen: readonly RedundantSection[];
  /** Proposed only. */
  readonly proposed: readonly RedundantSection[];
}

interface RemovalContext {
  readonly count: (text: string) => number;
  readonly moreThanHalf: boolean;
  /** Bytes that left the note in earlier runs, and were not put back. */
  readonly taken: number;
  /** Hashes of the files that hold what leaves. */
  readonly restsOn: Readonly<Record<string, string>>;
}

/** Small notes may lose all they hold, but no note more than that bit by bit. */
const SMALL_BYTES = 2_048;
const DEEPEST = 3;

export function planRemovals(note: MemoryFile, removable: Removable, context: RemovalContext): Drafts {
  const sections = splitSections(note.outline, note.lines.length, DEEPEST);
  const chosen = sectionsOf(sections, removable.chosen);
  const proposed = sectionsOf(sections, removable.proposed);
  const first = topmost(sections, withWholeFamily(sections, chosen));
  const both = topmost(sections, withWholeFamily(sections, new Map([...chosen, ...proposed])));
  const one = planOne(note, first, chosen, context, true);
  const rest = both.filter((section) => !first.includes(section));
  const two = planOne(note, rest, new Map([...chosen, ...proposed]), context, false, one.ranges);
  const orphans = [...chosen.keys()].filter(
    (section) => ![...first, ...both].some((whole) => isWithin(section, whole)),
  );
  return {
    changes: [...one.changes, ...two.changes],
    held: [...orphans.map((section) => heldAbove(note, section)), ...one.held, ...two.held],
  };
}

type Known = ReadonlyMap<Section, RedundantSection>;

function sectionsOf(sections: readonly Section[], redundant: readonly RedundantSection[]): Known {
  const byLine = new Map(redundant.map((each) => [each.line_from - 1, each]));
  return new Map(
    sections.flatMap((section) => {
      const found = section.heading === undefined ? undefined : byLine.get(section.from);
      return found === undefined ? [] : [[section, found] as const];
    }),
  );
}

/** Those below which everything leaves too: nothing may come to stand below a heading that is not its own. */
function withWholeFamily(sections: readonly Section[], known: Known): readonly Section[] {
  const leaves = new Set(known.keys());
  return [...known.keys()].filter((section) =>
    sections.every((below) => !isWithin(below, section) || leaves.has(below)),
  );
}

function isWithin(section: Section, whole: Section): boolean {
  return section.from >= whole.from && section.to <= whole.whole;
}

function topmost(sections: readonly Section[], leaving: readonly Section[]): readonly Section[] {
  const set = new Set(leaving);
  return sections.filter(
    (section) => set.has(section) && !leaving.some((other) => other !== section && isWithin(section, other)),
  );
}

interface One extends Drafts {
  readonly changes: readonly Draft[];
  readonly ranges: readonly LineRange[];
}

function planOne(
  note: MemoryFile,
  leaving: readonly Section[],
  known: Known,
  context: RemovalContext,
  apply: boolean,
  before: readonly LineRange[] = [],
): One {
  const taken = new Set([...leaving.map(({ whole }) => whole), ...before.map(({ to }) => to)]);
  const wanted = leaving.map((section) => rangeOf(note, section, taken));
  const { ranges: safe, refused } = leaveSafely(note, wanted);
  const ranges = context.moreThanHalf ? safe : withinHalf(note, safe, context.taken, before);
  const held = [
    ...refused.map(({ range, code }) => heldFor(note, range, code)),
    ...safe.filter((range) => !ranges.includes(range)).map((range) => heldFor(note, range, "more_than_half")),
  ];
  if (ranges.length === 0) return { changes: [], held, ranges };
  const places = ranges.map((range) => {
    const section = leaving.find(({ from }) => from >= range.from && from < range.to);
    const { file = "", heading = "", line_from = 1 } = (section && known.get(section)?.memory_section) ?? {};
    return { file: file === "" ? (Object.keys(context.restsOn)[0] ?? note.file) : file, heading, line_from };
  });
  const names = [...new Set(places.map(({ file }) => file))].sort();
  const what = ranges.length === 1 ? "this section says" : "these sections say";
  const reason = `${names.join(" and ")} ${names.length > 1 ? "say" : "says"} all that ${what}.`;
  const draft = draftEdit(note, context.count, {
    kind: "remove_sections",
    apply,
    reason,
    ranges,
    before,
    restsOn: context.restsOn,
  });
  return { changes: [{ ...draft, held_by: places }], held, ranges };
}

/**
 * With what stands below it; at the end of the file with the blank lines before it, which then part nothing, unless another
 * range ends with them.
 */
function rangeOf({ lines }: MemoryFile, { heading, from, whole }: Section, taken: ReadonlySet<number>): LineRange {
  let start = from;
  const isBlank = (line: number) => /^[ \t]*$/.test(lines[line]?.text ?? "");
  if (whole === lines.length && !taken.has(from)) while (start > 0 && isBlank(start - 1)) start -= 1;
  return { from: start, to: whole, ...(heading === undefined ? {} : { heading: heading.text }) };
}

/** Of the note as it was before the first run: many runs together take no more than one. */
function withinHalf(
  note: MemoryFile,
  ranges: readonly LineRange[],
  taken: number,
  before: readonly LineRange[],
): readonly LineRange[] {
  const most = Math.max(SMALL_BYTES, (note.bytes.length + taken) / 2) - taken - bytesOf(note, before);
  let within = ranges;
  while (within.length > 0 && bytesOf(note, within) > most) within = within.slice(0, -1);
  return within;
}

function bytesOf(note: MemoryFile, ranges: readonly LineRange[]): number {
  return savedBytes(ranges.map((range) => plannedRange(note, range)));
}

const MESSAGES = {
  link_target: "Another part of the note uses a link that it defines.",
  joins_the_rest: "Without it, what follows would read as part of what stands before.",
  more_than_half: "With it, more than half of the note would have left it, earlier runs counted.",
} as const;

function heldFor(note: MemoryFile, { heading }: LineRange, code: keyof typeof MESSAGES): HeldChange {
  return { file: note.file, ...(heading === undefined ? {} : { section: heading }), code, message: MESSAGES[code] };
}

function heldAbove(note: MemoryFile, { heading }: Section): HeldChange {
  const message = "A section below it stays, and would come to stand below another heading.";
  return { file: note.file, section: heading?.text ?? "", code: "has_subsections", message };
}
