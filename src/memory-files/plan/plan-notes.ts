// What becomes of each note: sections leave it, or the whole of it is rotated, or nothing. One at a time, so that a thousand
// of them are never in memory.
import { figure, plural } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { WHY_HELD } from "../analysis/redundancy.ts";
import type { CrossFileIssue, MemoryAnalysis, NoteReport, RedundantSection } from "../analysis.ts";
import { isInUse } from "../dates.ts";
import { ROTATE_BYTES } from "../limits.ts";
import type { HeldChange, PlannedRotation } from "../plan.ts";
import { type MemoryFile, type Workspace, wholeText } from "../workspace.ts";
import { type Draft, type Drafts, join, NOTHING } from "./drafts.ts";
import type { PlanContext } from "./plan-moves.ts";
import { planRemovals } from "./plan-removals.ts";
import { archiveNameFor } from "./pointers.ts";
import { rotationStub } from "./rotation-stub.ts";

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
