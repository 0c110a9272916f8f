// Carries out a plan, group by group, each in a transaction of its own: a group whose rows changed since it was planned
// is refused and named, the others go on. Waits for nothing but the store.
import { attempt, emitDone, emitFailure } from "../../engine/attempt.ts";
import { staleInputs } from "../../engine/staleness.ts";
import { CompactError } from "../../errors.ts";
import { clockFrom } from "../../time.ts";
import { startWatch, type Times } from "../../trace/emit.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import { compactRows } from "./compact-observations.ts";
import { type CompactionOptions, fingerprint, OBSERVATIONS, type PlannedGroup, readPlan } from "./compaction-plan.ts";

export interface AppliedGroup {
  readonly kind: PlannedGroup["kind"];
  readonly ids: readonly number[];
  /** The kept row, or the summary that was stored. */
  readonly stands_for: number;
  readonly deleted: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** What `restoreObservations` takes to undo this group. */
  readonly restore: { readonly summary_id: number };
}

interface RefusedGroup {
  /** Place in the plan, from 0. */
  readonly group: number;
  readonly kind: PlannedGroup["kind"];
  readonly ids: readonly number[];
  /** `STALE_PLAN`, or the code of the store's failure. */
  readonly code: string;
  readonly message: string;
}

export interface CompactionReport {
  readonly applied: readonly AppliedGroup[];
  readonly refused: readonly RefusedGroup[];
  readonly deleted: number;
  /** Of the groups that were applied. */
  readonly tokens_before: number;
  readonly tokens_after: number;
}

/**
 * `plan` is one of `planObservationCompaction`, or what was read back from its JSON.
 * @throws InvalidInput (`INVALID_PLAN`) before anything is written; StoreFailed when the store takes no group at all.
 */
export async function applyObservationCompaction(
  store: ObservationStore,
  plan: unknown,
  options: CompactionOptions,
): Promise<CompactionReport> {
  const { now, trace } = options;
  return attempt(OBSERVATIONS, options, async (watch) => {
    const { groups } = readPlan(plan);
    const applied: AppliedGroup[] = [];
    const refused: RefusedGroup[] = [];
    for (const [index, group] of groups.entries()) {
      const ofGroup = startWatch(clockFrom(now + watch().duration_ms));
      try {
        applied.push(await applyGroup(store, group, now));
      } catch (error) {
        const isOfAll = !CompactError.isInstance(error) || (error.kind !== "Conflict" && applied.length === 0);
        if (isOfAll) {
          // Each group is a transaction of its own, so what was applied is so whatever came then.
          if (applied.length > 0) emitApplied(reportOf(applied, refused), watch(), trace);
          throw error;
        }
        emitFailure(OBSERVATIONS, error, options, ofGroup());
        refused.push({ group: index, kind: group.kind, ids: group.ids, code: error.code, message: error.message });
      }
    }
    const report = reportOf(applied, refused);
    if (groups.length > 0) emitApplied(report, watch(), trace);
    return report;
  });
}

function reportOf(applied: readonly AppliedGroup[], refused: readonly RefusedGroup[]): CompactionReport {
  return {
    applied,
    refused,
    deleted: applied.reduce((sum, { deleted }) => sum + deleted, 0),
    tokens_before: applied.reduce((sum, group) => sum + group.tokens_before, 0),
    tokens_after: applied.reduce((sum, group) => sum + group.tokens_after, 0),
  };
}

function applyGroup(store: ObservationStore, group: PlannedGroup, now: number): Promise<AppliedGroup> {
  const { kind, ids, project, scope, namespace, tokens_before, tokens_after } = group;
  return store.write(async (rows) => {
    await refuseChanged(rows, group);
    const by =
      group.kind === "near_duplicates"
        ? { kept: group.kept }
        : { summary: { title: group.summary.title, content: group.summary.content, project, scope, namespace } };
    const { deleted, standsFor = 0 } = await compactRows(rows, { ids, by, now });
    const restore = { summary_id: standsFor };
    return { kind, ids, stands_for: standsFor, deleted, tokens_before, tokens_after, restore };
  });
}

/** The rows must be live, in their place, and what the plan says they are. */
async function refuseChanged(rows: ObservationReader, group: PlannedGroup): Promise<void> {
  const ids = group.rows.map(({ id }) => id);
  const found = new Map((await rows.observations(ids)).map((row) => [row.id, row]));
  const changed = group.rows.filter((planned) => {
    const row = found.get(planned.id);
    if (row === undefined || row.deleted_at !== null) return true;
    const { updated_at, hash } = fingerprint(row);
    const isInPlace = row.project === group.project && row.scope === group.scope && row.namespace === group.namespace;
    return updated_at !== planned.updated_at || hash !== planned.hash || !isInPlace;
  });
  if (changed.length === 0) return;
  throw staleInputs(
    "Nothing of this group was changed",
    "observation",
    changed.map(({ id }) => id),
  );
}

function emitApplied(report: CompactionReport, times: Times, trace: CompactionOptions["trace"]): void {
  const { applied, refused, deleted, tokens_before, tokens_after } = report;
  const ids = applied.flatMap((group) => group.ids);
  const counts = { deleted, groups: applied.length, refused: refused.length, tokens_before, tokens_after };
  emitDone("compact.applied", OBSERVATIONS, { ids, counts }, { trace }, times);
}
