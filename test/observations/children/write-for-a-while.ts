// Saves, compacts and restores rows of its own in a shared database, and counts up a row of everybody's, until its time is
// over; then tells on stdout what it was told to be done. Arguments: the file, its name, milliseconds.
import { compactRows } from "../../../src/observations/compaction/compact-observations.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { createSqliteObservationStore } from "../../../src/observations/sqlite-observation-store.ts";
import { newObservation, newSession } from "../suite/sample-rows.ts";

export interface Told {
  readonly live: readonly number[];
  readonly deleted: readonly number[];
  /** Ids of summaries with how many rows each stands for. */
  readonly summaries: readonly (readonly [id: number, rows: number])[];
  readonly counted: number;
  readonly errors: readonly string[];
}

const [path = "", name = "", duration = "0"] = process.argv.slice(2);
const store = createSqliteObservationStore({ path, create: true });
const live = new Set<number>();
const deleted = new Set<number>();
const summaries: [number, number][] = [];
const errors: string[] = [];
let counted = 0;
const until = performance.now() + Number(duration);

for (let turn = 0; performance.now() < until; turn++) {
  try {
    await save(store, turn);
    if (turn % 4 === 1) await compact(store);
    if (turn % 8 === 3) await restore(store);
    await store.read((rows) =>
      rows.search({ words: [{ text: name, isSubstring: false }], filter: {}, standing: "live", limit: 5, offset: 0 }),
    );
  } catch (error) {
    errors.push(String(error));
  }
}
await store.close();
const told: Told = { live: [...live], deleted: [...deleted], summaries, counted, errors };
process.stdout.write(JSON.stringify(told));

async function save({ write }: ObservationStore, turn: number): Promise<void> {
  const ids = await write(async (rows) => {
    await rows.addSession(newSession({ id: name }));
    const [shared] = await rows.observations([1]);
    await rows.changeObservations([1], { revision_count: (shared?.revision_count ?? 0) + 1 });
    const row = newObservation({ session_id: name, title: `${name} ${turn}`, project: name });
    return [await rows.addObservation(row), await rows.addObservation(row), await rows.addObservation(row)];
  });
  counted++;
  for (const id of ids) live.add(id);
}

async function compact({ write }: ObservationStore): Promise<void> {
  const ids = [...live].slice(0, 5);
  const summary = {
    title: "What was",
    content: name,
    sessionId: name,
    project: name,
    scope: "project",
    namespace: null,
  };
  const { standsFor } = await write((rows) => compactRows(rows, { ids, by: { summary }, now: Date.now() }));
  for (const id of ids) {
    live.delete(id);
    deleted.add(id);
  }
  summaries.push([standsFor ?? 0, ids.length]);
}

async function restore({ write }: ObservationStore): Promise<void> {
  const ids = [...deleted].slice(0, 3);
  await write((rows) => rows.changeObservations(ids, { deleted_at: null }));
  for (const id of ids) {
    deleted.delete(id);
    live.add(id);
  }
}
