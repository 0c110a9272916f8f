// `agent-compact observations stale`: what is old enough to be compacted.
import { identifyStaleObservations } from "../../../observations/compaction/find-stale.ts";
import { proposedIds, staleRecord } from "../../../observations/compaction/stale-record.ts";
import { type FilterFlags, withStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { renderStale } from "../../render/observations/stale.ts";
import type { Terminal } from "../../terminal.ts";
import { unknownProject } from "./unknown-project.ts";

export const DEFAULT_AGE = 30;

export interface StaleFlags extends FilterFlags {
  readonly olderThan?: number;
  readonly limit?: number;
}

export async function listStale(flags: StaleFlags, terminal: Terminal): Promise<void> {
  await withStore(flags, terminal, {}, async ({ store, shown, flag, count }) => {
    const { olderThan = DEFAULT_AGE, project, scope, namespace, limit } = flags;
    const found = await identifyStaleObservations(
      store,
      { olderThanDays: olderThan, project, scope, namespace, limit },
      { now: Date.now() },
    );
    const candidates = found.candidates.map((candidate) => staleRecord(candidate, count));
    const result = {
      db: shown,
      older_than_days: olderThan,
      filter: found.filter,
      total: found.total,
      shown: candidates.length,
      tokens: candidates.reduce((sum, { tokens }) => sum + tokens, 0),
      ages: found.ages,
      candidates,
      compact_ids: proposedIds(candidates),
      unreadable: found.unreadable,
    };
    const unknown = found.total === 0 ? await unknownProject(store, project) : "";
    printResult(result, (colors) => renderStale(result, flag, colors) + unknown, flags, terminal);
  });
}
