// Tells whether the plan that is carried out is the one that was reviewed: a call makes its plan anew, and files may have
// changed between the two.
import { CompactError } from "../../../errors.ts";
import type { MemoryFilesPlan, PlannedChange } from "../../../memory-files/plan.ts";
import { sha256 } from "../../../storage/sha256.ts";

const LENGTH = 16;

/** Of what would be done to which bytes of which files; not of when, nor of the words of a digest. */
export function hashOfPlan({ changes }: MemoryFilesPlan): string {
  return sha256(JSON.stringify(changes.filter(({ apply }) => apply).map(whatOf))).slice(0, LENGTH);
}

function whatOf(change: PlannedChange) {
  const { kind, file, rests_on } = change;
  const ranges = "ranges" in change ? change.ranges.map(({ byte_from, byte_to }) => [byte_from, byte_to]) : [];
  return [kind, file, ranges, Object.entries(rests_on).sort(([a], [b]) => (a < b ? -1 : 1))];
}

/** @throws Conflict (`STALE_PLAN`). */
export function refuseOtherPlan(plan: MemoryFilesPlan, hash: string): void {
  if (hash.trim() === hashOfPlan(plan)) return;
  throw new CompactError("Conflict", "The plan is not the one of 'plan_hash' any more. Nothing was changed.", {
    code: "STALE_PLAN",
    hint: "Files or arguments are others by now: call memory_compact with dry_run: true, and review its changes.",
  });
}
