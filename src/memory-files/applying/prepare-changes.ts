// Checks all changes of a run before the first is made, and works each out on the files as they are now. One that cannot be
// made is refused by itself.
import type { PlannedChange, PlannedRange } from "../plan.ts";
import type { RefusedChange } from "../report.ts";
import { checkChange } from "./check-change.ts";
import { prepareDigest } from "./prepare-digest.ts";
import { type EditContext, prepareEdit } from "./prepare-edit.ts";
import { prepareRotation } from "./prepare-rotation.ts";
import type { PreparedChange } from "./prepared-change.ts";
import { isFatal, refuse, refusedChange, stale } from "./refusal.ts";
import type { Cut } from "./splice.ts";
import type { Survey } from "./survey.ts";

export interface Prepared {
  readonly prepared: readonly PreparedChange[];
  readonly refused: readonly RefusedChange[];
}

/** Notes first: their removals rest on the memory as it was when the plan was made. */
export function inOrder(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  const isOfMemory = ({ kind }: PlannedChange) => kind === "tidy" || kind === "move_sections";
  return [...changes.filter((change) => !isOfMemory(change)), ...changes.filter(isOfMemory)];
}

export async function prepareChanges(given: readonly PlannedChange[], survey: Survey, run: number): Promise<Prepared> {
  const changes = given.map((change) => withoutMoved(change, given));
  const prepared: PreparedChange[] = [];
  const refused: RefusedChange[] = [];
  const taken = new Set<string>();
  const cuts = new Map<string, readonly Cut[]>();
  for (const change of changes) {
    try {
      await checkChange(change, survey);
      prepared.push(await prepareChange(change, cuts, { survey, run, taken }));
    } catch (cause) {
      if (isFatal(cause)) throw cause;
      refused.push(refusedChange(change, cause));
    }
  }
  return { prepared, refused };
}

/** Lines of a tidying that move with their section: a person may ask for both, though the plan proposed but one. */
function withoutMoved(change: PlannedChange, all: readonly PlannedChange[]): PlannedChange {
  if (change.kind !== "tidy") return change;
  const moved = all.flatMap((each) => (each.kind === "move_sections" && each.file === change.file ? each.ranges : []));
  const isMoved = (range: PlannedRange) =>
    moved.some(({ byte_from, byte_to }) => byte_from <= range.byte_from && range.byte_to <= byte_to);
  return { ...change, ranges: change.ranges.filter((range) => !isMoved(range)) };
}

/** Several edits of one file are made one on top of the other; anything else has its files for itself. */
async function prepareChange(
  change: PlannedChange,
  cuts: Map<string, readonly Cut[]>,
  context: Omit<EditContext, "earlier">,
): Promise<PreparedChange> {
  const files = change.kind === "digest" ? [change.file, ...change.notes] : [change.file];
  const earlier = cuts.get(change.file) ?? [];
  const isWhole = change.kind === "digest" || change.kind === "rotate";
  const taken = files.find((file) => (isWhole ? cuts.has(file) : cuts.get(file)?.length === 0));
  if (taken !== undefined) throw refuse("INVALID_CHANGE", `Another change of the plan is for ${taken} already.`);
  if (change.kind === "digest") {
    const digest = await prepareDigest(change, { ...context, earlier });
    for (const file of files) cuts.set(file, []);
    return digest;
  }
  const found = await context.survey.fileOf(change.file);
  if (found === undefined) throw stale(change.file);
  if (change.kind === "rotate") {
    const rotation = await prepareRotation(change, found, { ...context, earlier });
    cuts.set(change.file, []);
    return rotation;
  }
  const edit = await prepareEdit(change, found, { ...context, earlier });
  cuts.set(
    change.file,
    [...earlier, ...edit.cuts].sort((a, b) => a.byte_from - b.byte_from),
  );
  return edit.prepared;
}
