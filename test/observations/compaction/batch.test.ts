// A batch of two hundred rows on a real file: what it costs, and that it happens wholly or not at all.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import { createSqliteObservationStore } from "../../../src/observations/sqlite-observation-store.ts";
import type { Driver } from "../../../src/storage/sqlite/driver.ts";
import { findDriver } from "../../../src/storage/sqlite/open-database.ts";
import { verifies } from "../../requirements/verifies.ts";
import { everyRow, NOW, row, seed } from "../rows.ts";

const isWhole = process.env.AGENT_SOAK_RUNS !== undefined;
const newPath = async () => join(await mkdtemp(join(tmpdir(), "batch-")), "memory.db");
const SUMMARY = { summaryTitle: "Compacted notes", summaryContent: "What they say together" };

/** The driver, with a tally of the statements that are run. */
async function tallied(): Promise<{ readonly driver: Driver; readonly tally: { statements: number } }> {
  const inner = await findDriver();
  const tally = { statements: 0 };
  const driver: Driver = {
    name: inner.name,
    open(path, options) {
      const database = inner.open(path, options);
      return {
        ...database,
        prepare(sql) {
          const statement = database.prepare(sql);
          const count = <Result>(result: Result): Result => {
            tally.statements++;
            return result;
          };
          return {
            all: (...values) => count(statement.all(...values)),
            get: (...values) => count(statement.get(...values)),
            run: (...values) => count(statement.run(...values)),
          };
        },
        exec(sql) {
          tally.statements++;
          database.exec(sql);
        },
        close: () => database.close(),
      };
    },
  };
  return { driver, tally };
}

describe("a batch of two hundred in a SQLite file of ten thousand", () => {
  // Seconds are looked at in full length only (npm run soak); what always holds is the number of statements.
  it("costs a few statements a row, whatever the size of the store", async () => {
    verifies("observations/batch-delete-performance", "values/batch-size-and-speed");
    const { driver, tally } = await tallied();
    const store = createSqliteObservationStore({ path: await newPath(), create: true, driver });
    const ids = await seed(
      store,
      Array.from({ length: 10_000 }, () => row()),
    );
    tally.statements = 0;
    const started = performance.now();
    const result = await compactObservations(
      store,
      { olderThanDays: 30, ids: ids.slice(0, 200), ...SUMMARY },
      { now: NOW },
    );
    const ms = performance.now() - started;
    expect(result).toMatchObject({ deleted: 200, before: 10_000, after: 9801 });
    expect(tally.statements).toBeLessThan(5 * 200);
    if (isWhole) expect(ms).toBeLessThan(500);
    await store.close();
  });

  it("leaves every row live, and no relation, when the summary cannot be stored", async () => {
    verifies("observations/atomic-compaction", "values/failed-insert-rolls-back", "field/summary-fails-rows-gone");
    const path = await newPath();
    const store = createSqliteObservationStore({ path, create: true });
    const ids = await seed(store, [row(), row(), row()]);
    const database = (await findDriver()).open(path);
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON observations WHEN new.type = 'compaction_summary' BEGIN SELECT RAISE(ABORT, 'no room for summaries'); END",
    );
    database.close();
    const before = await everyRow(store);
    const compacting = compactObservations(store, { olderThanDays: 30, ids, ...SUMMARY }, { now: NOW });
    await expect(compacting).rejects.toMatchObject({
      kind: "StoreFailed",
      message: expect.stringContaining("no room for summaries"),
    });
    expect(await everyRow(store)).toEqual(before);
    expect(await store.read((rows) => rows.totals())).toMatchObject({ observations: 3, deleted: 0, relations: 0 });
    await store.close();
  });
});
