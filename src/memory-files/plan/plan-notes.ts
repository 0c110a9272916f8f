// What becomes of each note: sections leave it, or the whole of it is rotated, or nothing. One at a time, so that a thousand
// of them are never in memory.
import { ROTATE_BYTES, wholeText } from "../analysis/file-report.ts";
import type { CrossFileIssue, HeldReason, MemoryAnalysis, NoteReport, RedundantSection } from "../analysis.ts";
import { isInUse } from "../dates.ts";
import type { TakenSoFar } from "../journal/journal-files.ts";
import type { HeldChange, PlannedRotation } from "../plan.ts";
import type { MemoryFile, Workspace } from "../workspace.ts";
import { type Draft, type Drafts, join, NOTHING, plural } from "./drafts.ts";
import { planRemovals } from "./plan-removals.ts";
import { freeArchiveName, rotationStub } from "./pointers.ts";

export interface NotesContext {
  readonly now: number;
  readonly count: (text: string) => number;
  readonly moreThanHalf: boolean;
  readonly taken: TakenSoFar;
  /** Sections that are held leave though their notes are less alike, too. */
  readonly contained: boolean;
  readonly hashes: ReadonlyMap<string, string>;
  /** Notes that a digest takes. */
  readonly inDigests: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

export async function planNotes(
  workspace: Workspace,
  analysis: MemoryAnalysis,
  context: NotesContext,
): Promise<Drafts> {
  const issues = byFile(analysis.cross_file_issues);
  const contained = byFile(analysis.contained_sections);
  const all: Drafts[] = [];
  for (const report of analysis.notes) {
    context.signal?.throwIfAborted();
    const found = { issues: issues.get(report.file) ?? [], contained: contained.get(report.file) ?? [] };
    const held = heldSections(found.issues, found.contained, context);
    const isFree = !context.inDigests.has(report.file) && !isInUse(report.date, context.now);
    const planned = isFree ? await planNote(workspace, report, found, context) : heldRotation(report, context);
    all.push(join(planned, { changes: [], held }));
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
  context: NotesContext,
): Promise<Drafts> {
  const high = issues.filter((issue) => issue.severity === "high" && mayLeave(issue));
  const whole = [...issues.filter(({ severity }) => severity === "medium"), ...contained].filter(mayLeave);
  if (high.length + whole.length === 0 && !report.due_for_rotation) return NOTHING;
  if (report.date === undefined) return heldUndated(report, high.length + (context.contained ? whole.length : 0));
  const note = await workspace.read(report.file);
  if (note === undefined || note.sha256 !== context.hashes.get(report.file)) return heldChanged(report);
  const removable = context.contained
    ? { chosen: [...high, ...whole], proposed: [] }
    : { chosen: high, proposed: whole };
  const removals = planRemovals(note, removable, {
    ...context,
    taken: context.taken(report.file),
    restsOn: memoryHashes(workspace),
  });
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
  const name = note.file.slice(note.file.lastIndexOf("/") + 1).replace(/\.[^.]{1,20}$/, "");
  const archive = await freeArchiveName(workspace, `${name}.full`, ".md");
  const stub = rotationStub(note, archive);
  return {
    kind: "rotate",
    apply: true,
    reason: `The note is larger than ${ROTATE_BYTES.toLocaleString("en-US")} bytes. Its first lines stay.`,
    file: note.file,
    archive,
    bytes_before: note.bytes.length,
    bytes_after: new TextEncoder().encode(stub).length,
    tokens_before: count(wholeText(note)),
    tokens_after: count(stub),
    rests_on: { [note.file]: note.sha256 },
  };
}

function heldChanged({ file }: NoteReport): Drafts {
  return { changes: [], held: [{ file, code: "changed", message: "The note was changed while the plan was made." }] };
}

/** What has no day may be a manual, or rules that another program reads by that name: it is analysed, and never edited. */
function heldUndated({ file, due_for_rotation }: NoteReport, removable: number): Drafts {
  if (!due_for_rotation && removable === 0) return NOTHING;
  const what = due_for_rotation
    ? "The note is too large"
    : `The memory holds ${plural(removable, "section")} of the note`;
  const message = `${what}, but it has no date in its name. It may be no log, so it is left as it is.`;
  return { changes: [], held: [{ file, code: "undated", message }] };
}

function heldRotation({ file, due_for_rotation }: NoteReport, { inDigests }: NotesContext): Drafts {
  if (!due_for_rotation || inDigests.has(file)) return NOTHING;
  return { changes: [], held: [{ file, code: "in_use", message: "The note is too large, and still being written." }] };
}

const WHY: Readonly<Record<HeldReason, string>> = {
  says_more: "It says something that the memory does not say.",
  said_differently: "The memory has its words, but not the same text in one piece.",
  has_subsections: "A section below it stays, and would come to stand below another heading.",
  no_heading_of_its_own: "It has no heading of its own by which it could be found again.",
  scoped: "What stands around it in the note may change what it says.",
  marked: "It is marked to be kept.",
  relative_date: 'It says "today", "yesterday" or the like, and only its note tells which day that was.',
  in_use: "The note is still being written.",
};

const WHOLE = 0.9;

/** Of what is alike enough to be removed; what is merely similar the analysis lists. Undated notes are held as a whole. */
function heldSections(
  issues: readonly CrossFileIssue[],
  contained: readonly RedundantSection[],
  context: NotesContext,
): readonly HeldChange[] {
  const high = issues.filter(({ severity }) => severity === "high");
  const whole = issues.filter(({ severity, containment }) => severity === "medium" && containment >= WHOLE);
  return [...high, ...(context.contained ? [...whole, ...contained] : [])].flatMap((redundant) => {
    const { file, section, held_because: code } = redundant;
    return mayLeave(redundant) || code === undefined ? [] : [{ file, section, code, message: WHY[code] }];
  });
}

function byFile<Section extends RedundantSection>(
  sections: readonly Section[],
): ReadonlyMap<string, readonly Section[]> {
  const found = new Map<string, Section[]>();
  for (const section of sections) {
    const known = found.get(section.file);
    if (known === undefined) found.set(section.file, [section]);
    else known.push(section);
  }
  return found;
}
