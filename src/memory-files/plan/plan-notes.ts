// What becomes of each note: sections leave it, or the whole of it is rotated, or nothing. One at a time, so that a thousand
// of them are never in memory.
import { figure, plural } from "../../text/figures.ts";
import type { Section } from "../../text/markdown/outline.ts";
import { groupBy } from "../../text/words.ts";
import { isBareHeading, WHY_HELD } from "../analysis/redundancy.ts";
import { sectionsOf } from "../analysis/section-report.ts";
import type { CrossFileIssue, MemoryAnalysis, NoteReport, RedundantSection } from "../analysis.ts";
import { isInUse } from "../dates.ts";
import { ROTATE_BYTES } from "../options.ts";
import type { HeldChange, PlannedRotation } from "../plan.ts";
import { type MemoryFile, type Workspace, wholeText } from "../workspace.ts";
import {
  type Draft,
  type Drafts,
  draftEdit,
  join,
  type LineRange,
  NOTHING,
  savedBytes,
  withinHalfOf,
} from "./drafts.ts";
import type { PlanContext } from "./plan-moves.ts";
import { archiveNameFor, rotationStub } from "./pointers.ts";
import { leaveSafely } from "./safe-ranges.ts";

/** `inDigests`: notes that a digest takes. */
export async function planNotes(
  workspace: Workspace,
  analysis: MemoryAnalysis,
  inDigests: ReadonlySet<string>,
  context: PlanContext,
): Promise<Drafts> {
  const issues = groupBy(analysis.cross_file_issues, ({ file }) => file);
  const contained = groupBy(analysis.contained_sections, ({ file }) => file);
  const all: Drafts[] = [];
  for (const report of analysis.notes) {
    context.signal?.throwIfAborted();
    const { file, date, due_for_rotation } = report;
    const found = { issues: issues.get(file) ?? [], contained: contained.get(file) ?? [] };
    if (!inDigests.has(file)) {
      if (!isInUse(date, context.now)) all.push(await planNote(workspace, report, found, context));
      else if (due_for_rotation) all.push(heldNote(file, "in_use", "The note is too large, and still being written."));
    }
    all.push({ changes: [], held: heldSections(found, context) });
  }
  return join(...all);
}

interface Found {
  readonly issues: readonly CrossFileIssue[];
  readonly contained: readonly RedundantSection[];
}

async function planNote(
  workspace: Workspace,
  report: NoteReport,
  { issues, contained }: Found,
  context: PlanContext,
): Promise<Drafts> {
  const { file, date, due_for_rotation } = report;
  const high = issues.filter((issue) => issue.severity === "high" && mayLeave(issue));
  const whole = [...issues.filter(({ severity }) => severity === "medium"), ...contained].filter(mayLeave);
  if (high.length + whole.length === 0 && !due_for_rotation) return NOTHING;
  const [chosen, proposed] = context.levers.has("contained") ? [[...high, ...whole], []] : [high, whole];
  if (date === undefined) return heldUndated(report, chosen.length);
  const note = await workspace.read(file);
  if (note === undefined || note.sha256 !== context.hashes.get(file))
    return heldNote(file, "changed", "The note was changed while the plan was made.");
  const removals = planRemovals(
    note,
    { chosen, proposed },
    { ...context, taken: context.taken(file), restsOn: memoryHashes(workspace) },
  );
  const after = removals.changes.find(({ apply }) => apply)?.bytes_after ?? note.bytes.length;
  if (after <= ROTATE_BYTES) return removals;
  return { changes: [await rotationOf(workspace, note, context.count)], held: [] };
}

/** By itself, or together with all that stands below it: then the planner decides. */
function mayLeave({ removable, held_because }: RedundantSection): boolean {
  return removable || held_because === "has_subsections";
}

function memoryHashes({ memory, imported }: Workspace): Readonly<Record<string, string>> {
  return Object.fromEntries([...memory, ...imported].map(({ file, sha256 }) => [file, sha256]));
}

async function rotationOf(
  workspace: Workspace,
  note: MemoryFile,
  count: (text: string) => number,
): Promise<Draft<PlannedRotation>> {
  const archive = await archiveNameFor(workspace, note.file, "full");
  const stub = rotationStub(note, archive);
  return {
    kind: "rotate",
    apply: true,
    reason: `The note is larger than ${figure(ROTATE_BYTES)} bytes. Its first lines stay.`,
    file: note.file,
    archive,
    bytes_before: note.bytes.length,
    bytes_after: new TextEncoder().encode(stub).length,
    tokens_before: count(wholeText(note)),
    tokens_after: count(stub),
    rests_on: { [note.file]: note.sha256 },
  };
}

function heldNote(file: string, code: string, message: string): Drafts {
  return { changes: [], held: [{ file, code, message }] };
}

/** What has no day may be a manual, or rules that another program reads by that name: it is analysed, and never edited. */
function heldUndated({ file, due_for_rotation }: NoteReport, removable: number): Drafts {
  if (!due_for_rotation && removable === 0) return NOTHING;
  const what = due_for_rotation
    ? "The note is too large"
    : `The memory holds ${plural(removable, "section")} of the note`;
  return heldNote(
    file,
    "undated",
    `${what}, but it has no date in its name. It may be no log, so it is left as it is.`,
  );
}

const WHOLE = 0.9;

/** Of what is alike enough to be removed; what is merely similar the analysis lists. Undated notes are held as a whole. */
function heldSections({ issues, contained }: Found, { levers }: PlanContext): readonly HeldChange[] {
  const high = issues.filter(({ severity }) => severity === "high");
  const whole = issues.filter(({ severity, containment }) => severity === "medium" && containment >= WHOLE);
  return [...high, ...(levers.has("contained") ? [...whole, ...contained] : [])].flatMap((redundant) => {
    const { file, section, held_because: code } = redundant;
    return mayLeave(redundant) || code === undefined ? [] : [{ file, section, code, message: WHY_HELD[code] }];
  });
}

// Which sections leave a note because the memory holds them. What is redundant, and what may leave without loss, the
// analysis has decided; this decides what may leave together.

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
