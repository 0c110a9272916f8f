// Which sections leave a note because the memory holds them. What is redundant, and what may leave without loss, the
// analysis has decided; this decides what may leave together.
import type { Section } from "../../text/markdown/outline.ts";
import { isBareHeading, WHY_HELD } from "../analysis/redundancy.ts";
import { sectionsOf } from "../analysis/section-report.ts";
import type { RedundantSection } from "../analysis.ts";
import type { HeldChange } from "../plan.ts";
import type { MemoryFile } from "../workspace.ts";
import { type Draft, type Drafts, draftEdit, type LineRange, savedBytes, withinHalfOf } from "./drafts.ts";
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

export function planRemovals(note: MemoryFile, { chosen, proposed }: Removable, context: RemovalContext): Drafts {
  const sections = sectionsOf(note);
  const redundant = knownSections(sections, chosen);
  const all = knownSections(sections, [...chosen, ...proposed]);
  const first = wholeFamilies(note, sections, redundant);
  const both = wholeFamilies(note, sections, all);
  const one = planOne(note, first, redundant, context, true);
  const rest = both.filter((section) => !first.includes(section));
  const two = planOne(note, rest, all, context, false, one.ranges);
  const orphans = [...redundant.keys()].filter(
    (section) => ![...first, ...both].some((whole) => isWithin(section, whole)),
  );
  const above = orphans.map(({ heading }) => heldFor(note, heading?.text, "has_subsections"));
  return { changes: [...one.changes, ...two.changes], held: [...above, ...one.held, ...two.held] };
}

type Known = ReadonlyMap<Section, RedundantSection>;

function knownSections(sections: readonly Section[], redundant: readonly RedundantSection[]): Known {
  const byLine = new Map(redundant.map((each) => [each.line_from - 1, each]));
  return new Map(
    sections.flatMap((section) => {
      const found = section.heading === undefined ? undefined : byLine.get(section.from);
      return found === undefined ? [] : [[section, found] as const];
    }),
  );
}

/**
 * The topmost of those below which everything leaves too: nothing may come to stand below a heading that is not its own. In
 * order.
 */
function wholeFamilies(note: MemoryFile, sections: readonly Section[], known: Known): readonly Section[] {
  const mayGo = (section: Section) => known.has(section) || isBareHeading(note, section);
  const whole = sections.filter(
    (section) => known.has(section) && sections.every((below) => !isWithin(below, section) || mayGo(below)),
  );
  return whole.filter((section) => !whole.some((other) => other !== section && isWithin(section, other)));
}

function isWithin(section: Section, whole: Section): boolean {
  return section.from >= whole.from && section.to <= whole.whole;
}

interface One extends Drafts {
  readonly changes: readonly Draft[];
  readonly ranges: readonly LineRange[];
}

function planOne(
  note: MemoryFile,
  leaving: readonly Section[],
  known: Known,
  { count, moreThanHalf, taken, restsOn }: RemovalContext,
  apply: boolean,
  before: readonly LineRange[] = [],
): One {
  const ends = new Set([...leaving.map(({ whole }) => whole), ...before.map(({ to }) => to)]);
  const wanted = leaving.map((section) => rangeOf(note, section, ends));
  const { ranges: safe, refused } = leaveSafely(note, wanted);
  // What leaves before counts, too.
  const weighed = withinHalfOf([...before, ...safe], (range) => savedBytes(note, [range]), {
    size: note.bytes.length,
    taken,
    least: SMALL_BYTES,
  });
  const ranges = moreThanHalf ? safe : safe.filter((range) => weighed.includes(range));
  const held = [
    ...refused.map(({ range, code }) => heldFor(note, range.heading, code)),
    ...safe.filter((range) => !ranges.includes(range)).map(({ heading }) => heldFor(note, heading, "more_than_half")),
  ];
  if (ranges.length === 0) return { changes: [], held, ranges };
  const places = ranges.map((range) => {
    const section = leaving.find(({ from }) => from >= range.from && from < range.to);
    const { file = "", heading = "", line_from = 1 } = (section && known.get(section)?.memory_section) ?? {};
    return { file: file === "" ? (Object.keys(restsOn)[0] ?? note.file) : file, heading, line_from };
  });
  const names = [...new Set(places.map(({ file }) => file))].sort();
  const what = ranges.length === 1 ? "this section says" : "these sections say";
  const reason = `${names.join(" and ")} ${names.length > 1 ? "say" : "says"} all that ${what}.`;
  const draft = draftEdit(note, count, { kind: "remove_sections", apply, reason, ranges, before, restsOn });
  return { changes: [{ ...draft, held_by: places }], held, ranges };
}

/**
 * With what stands below it; at the end of the file with the blank lines before it, which then part nothing, unless another
 * range ends with them.
 */
function rangeOf({ lines }: MemoryFile, { heading, from, whole }: Section, ends: ReadonlySet<number>): LineRange {
  let start = from;
  const isBlank = (line: number) => /^[ \t]*$/.test(lines[line]?.text ?? "");
  if (whole === lines.length && !ends.has(from)) while (start > 0 && isBlank(start - 1)) start -= 1;
  return { from: start, to: whole, ...(heading === undefined ? {} : { heading: heading.text }) };
}

const MESSAGES = {
  has_subsections: WHY_HELD.has_subsections,
  link_target: "Another part of the note uses a link that it defines.",
  joins_the_rest: "Without it, what follows would read as part of what stands before.",
  more_than_half: "With it, more than half of the note would have left it, earlier runs counted.",
} as const;

function heldFor({ file }: MemoryFile, section: string | undefined, code: keyof typeof MESSAGES): HeldChange {
  return { file, ...(section === undefined ? {} : { section }), code, message: MESSAGES[code] };
}
