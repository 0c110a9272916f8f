// A compaction as mem_compact does it: counts, 200 soft deletes, a summary, its relations, in one transaction; and the
// same statements without the store.
import { compactObservations } from "../../src/observations/compaction/compact-observations.ts";
import { storedTime } from "../../src/observations/observation.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import type { Driver } from "../../src/storage/sqlite/driver.ts";
import { DAY_MS } from "../../src/time.ts";
import { NOW } from "./build-database.ts";
import { type Figure, percentile, type Time, timed } from "./timing.ts";

const RUNS = 40;
const IDS = 200;
const PROJECT = "shop";

export async function measureCompactions(store: ObservationStore, driver: Driver, path: string): Promise<Figure[]> {
  const writes: Time[] = [];
  const whole: Time[] = [];
  const raw: Time[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const ids = await staleIds(store, run);
    const [written, counted] = [await compaction(store, ids, {}), await compaction(store, ids, { project: PROJECT })];
    const bare = await rawCompaction(driver, path, ids);
    if (run === 0) continue;
    writes.push(written);
    whole.push(counted);
    raw.push(bare);
  }
  const median = (times: readonly Time[]) =>
    percentile(
      times.map(({ processor }) => processor),
      0.5,
    );
  const ratio = (median(writes) / median(raw)).toFixed(2);
  return [
    { what: `mem_compact, ${IDS} rows and a summary`, times: writes, note: `${ratio} times the bare statements` },
    { what: "the same, bare statements", times: raw },
    { what: "the same, of a project of half of the rows", times: whole, note: "counts that project" },
  ];
}

async function staleIds(store: ObservationStore, run: number): Promise<readonly number[]> {
  const before = NOW - (30 + run * 10) * DAY_MS;
  const after = { createdAt: before - 5 * DAY_MS, id: 0 };
  const filter = { project: PROJECT };
  return (await store.read((rows) => rows.stale({ filter, before, limit: IDS, after }))).map(({ id }) => id);
}

/** The whole call, checks and counts included. */
async function compaction(
  store: ObservationStore,
  ids: readonly number[],
  filter: { readonly project?: string },
): Promise<Time> {
  const summary = { summaryTitle: "What was", summaryContent: "A summary." };
  let standsFor = 0;
  const time = await timed(async () => {
    const request = { olderThanDays: 30, ids, ...filter, ...summary };
    standsFor = (await compactObservations(store, request, { now: NOW })).summaryId ?? 0;
  });
  await store.write(async (rows) => {
    await rows.changeObservations(ids, { deleted_at: null });
    await rows.removeObservation(standsFor);
  });
  return time;
}

/** On a connection of its own; what it changed is put back, outside of the time. */
async function rawCompaction(driver: Driver, path: string, ids: readonly number[]): Promise<Time> {
  const database = driver.open(path);
  database.exec(
    "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000; PRAGMA cache_size=-32000",
  );
  const remove = database.prepare("UPDATE observations SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL");
  const add = database.prepare(
    "INSERT INTO observations(session_id, type, title, content, project, normalized_hash) VALUES ('session-1', 'compaction_summary', 'What was', 'A summary.', 'shop', '')",
  );
  const relate = database.prepare("INSERT INTO relations(from_id, to_id, type) VALUES (?, ?, 'compacted_from')");
  const at = storedTime(NOW);
  const transaction = () => {
    database.exec("BEGIN IMMEDIATE");
    for (const id of ids) remove.run(at, id);
    const summary = add.run().lastInsertRowid;
    for (const id of ids) relate.run(summary, id);
    database.exec("COMMIT");
    return summary;
  };
  let summary = 0;
  const time = await timed(() => {
    summary = transaction();
  });
  database.exec("BEGIN IMMEDIATE");
  for (const id of ids) database.prepare("UPDATE observations SET deleted_at = NULL WHERE id = ?").run(id);
  database.prepare("DELETE FROM observations WHERE id = ?").run(summary);
  database.exec("COMMIT");
  database.close();
  return time;
}
