// Rows counted by age through their ids, beside the same question asked of every row: with ids in the order of the times, with
// some out of it, and with too many.
import fc from "fast-check";
import { expect, it } from "vitest";
import { storedTime } from "../../src/observations/observation.ts";
import { countByAge } from "../../src/observations/sqlite/age-groups.ts";
import { type Condition, conditionsOf } from "../../src/observations/sqlite/rows.ts";
import { type StoreShape, tables } from "../../src/observations/sqlite/schema.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { createTransactions } from "../../src/storage/sqlite/transactions.ts";

const driver = await findDriver();
const shape: StoreShape = { namespaces: new Set(["observations"]), hasMoreText: false };
const DAY = Date.UTC(2031, 0, 1);

interface Row {
  readonly hour: number;
  readonly project: "shop" | "pier";
  readonly isDeleted: boolean;
}

/** In the order of their ids. */
function storeOf(rows: readonly Row[]) {
  const database = driver.open(":memory:");
  for (const table of tables) database.exec(table.sql);
  database.exec("PRAGMA foreign_keys=OFF");
  const insert = database.prepare(
    "INSERT INTO observations(session_id, type, title, content, project, created_at, deleted_at) VALUES ('s', 'manual', '', '', ?, ?, ?)",
  );
  for (const { hour, project, isDeleted } of rows)
    insert.run(project, storedTime(DAY + hour * 3_600_000), isDeleted ? storedTime(DAY) : null);
  return createTransactions({ database, path: ":memory:", isReadOnly: false });
}

const ofProject = (project: string): Condition | undefined => conditionsOf({ project }, "any")[0];

const ends = [10, 10, 40, 90].map((hour) => storedTime(DAY + hour * 3_600_000));

function expectedOf(rows: readonly Row[], project?: string): readonly number[] {
  const counts = [0, 0, 0, 0, 0];
  for (const row of rows) {
    if (row.isDeleted || (project !== undefined && row.project !== project)) continue;
    const group = [10, 10, 40, 90].filter((end) => row.hour >= end).length;
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return counts;
}

async function expectCounted(rows: readonly Row[]): Promise<void> {
  const store = storeOf(rows);
  await store.read(async (sql) => {
    expect(countByAge(sql, shape, undefined, ends)).toEqual(expectedOf(rows));
    for (const project of ["shop", "pier", "none"])
      expect(countByAge(sql, shape, ofProject(project), ends)).toEqual(expectedOf(rows, project));
  });
  await store.close();
}

const row = fc.record({
  hour: fc.integer({ min: 0, max: 100 }),
  project: fc.constantFrom("shop" as const, "pier" as const),
  isDeleted: fc.boolean(),
});
const ordered = (rows: readonly Row[]) => [...rows].sort((a, b) => a.hour - b.hour);

it("counts rows whose ids are in the order of their times, and some that are not", async () => {
  await expectCounted([]);
  const strays = fc.array(fc.tuple(row, fc.nat(60)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), strays, async (rows, late) => {
      const all = ordered(rows);
      for (const [stray, at] of late) all.splice(at, 0, stray);
      const store = storeOf(all);
      const isTold = await store.read(async (sql) => countByAge(sql, shape, undefined, ends) !== undefined);
      await store.close();
      if (isTold) await expectCounted(all);
    }),
  );
});

it("says nothing where the order of ids is another than that of the times", async () => {
  const rows = ordered(
    Array.from({ length: 100 }, (_, hour) => ({ hour, project: "shop", isDeleted: false }) as const),
  );
  const store = storeOf(rows.reverse());
  expect(await store.read(async (sql) => countByAge(sql, shape, undefined, ends))).toBeUndefined();
  await store.close();
});
