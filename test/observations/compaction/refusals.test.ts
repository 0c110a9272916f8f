import { describe, expect, it } from "vitest";
import { verifies } from "../../requirements/verifies.ts";
import { daysAgo, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";
import { compact, refused, SUMMARY } from "./compacting.ts";

describe.each(stores)("a compaction refused by the %s store", (_name, open) => {
  it("refuses ids that are deleted or unknown, by name", async () => {
    verifies("values/deleted-and-unknown-ids-refused", "field/operating-on-dead-rows");
    const store = await open();
    const [live = 0, gone = 0] = await seed(store, [row(), row({ deleted_at: daysAgo(2) })]);
    expect(await refused(store, { ids: [live, gone], ...SUMMARY })).toMatchObject({
      kind: "Conflict",
      message: `Nothing was changed: observation ${gone} is already deleted.`,
      data: { deleted: [gone] },
    });
    expect(await refused(store, { ids: [live, 9999] })).toMatchObject({
      kind: "NotFound",
      message: "Nothing was changed: observation 9999 does not exist.",
    });
    for (const ids of [[live, live, gone], [-1], [1.5], ["2"], [], [2 ** 53 + 2]]) {
      expect(await refused(store, { ids }), JSON.stringify(ids)).toMatchObject({ name: /CompactError/ });
    }
  });

  it("says which summary took a row that is gone", async () => {
    const store = await open();
    const [first = 0] = await seed(store, [row(), row()]);
    const { summaryId } = await compact(store, { ids: [first], ...SUMMARY });
    expect(await refused(store, { ids: [first] })).toMatchObject({
      message: `Nothing was changed: observation ${first} (compacted into ${summaryId}) is already deleted.`,
    });
  });

  it("takes a list or its JSON, and nothing else", async () => {
    verifies("values/malformed-ids-refused", "rulings/refused-ids");
    const store = await open();
    const [a = 0, b = 0] = await seed(store, [row(), row(), row()]);
    const malformed = [
      "[]",
      "{}",
      "null",
      '"x"',
      "[1.5]",
      '["1"]',
      "[null]",
      "[0]",
      "[-1]",
      "[1] x",
      "1,2",
      7,
      {},
      [[1]],
    ];
    for (const ids of malformed) {
      expect(await refused(store, { ids }), JSON.stringify(ids)).toMatchObject({ kind: "InvalidInput" });
    }
    expect(await compact(store, { ids: `[${a}]` })).toMatchObject({ deleted: 1 });
    expect(await compact(store, { ids: [b] })).toMatchObject({ deleted: 1 });
  });

  it("takes two hundred ids and refuses one more", async () => {
    const store = await open();
    const ids = await seed(
      store,
      Array.from({ length: 10_000 }, () => row()),
    );
    expect(await refused(store, { ids: ids.slice(0, 201) })).toMatchObject({
      message: "Cannot take more than 200 observations at once, got 201.",
    });
    expect(await compact(store, { ids: ids.slice(0, 200), ...SUMMARY })).toMatchObject({
      deleted: 200,
      before: 10_000,
      after: 9801,
    });
  });

  it("refuses a summary without its title, or without its text", async () => {
    verifies("values/summary-needs-title");
    const store = await open();
    const ids = await seed(store, [row()]);
    const halves = [
      { summaryContent: "text" },
      { summaryContent: "text", summaryTitle: "  " },
      { summaryTitle: "title" },
      { summaryTitle: "title", summaryContent: " \n " },
    ];
    for (const half of halves) {
      expect(await refused(store, { ids, ...half })).toMatchObject({ code: "INCOMPLETE_SUMMARY" });
    }
  });

  it("refuses ids of another project, scope or namespace", async () => {
    verifies("values/foreign-project-id-refused");
    const store = await open();
    const [mine = 0, other = 0] = await seed(store, [row(), row({ project: "bank", scope: "personal" })]);
    expect(await refused(store, { ids: [mine, other], project: "shop" })).toMatchObject({
      message: `Nothing was changed: observation ${other} (project "bank", scope personal) is not of project "shop".`,
      data: { outside: [other] },
    });
    expect(await refused(store, { ids: [other], scope: "project" })).toMatchObject({ kind: "InvalidInput" });
    expect(await refused(store, { ids: [other], namespace: "n" })).toMatchObject({ kind: "InvalidInput" });
  });

  it("checks the age, and every rule before any write", async () => {
    verifies("observations/validation-rules");
    const store = await open();
    const ids = await seed(store, [row()]);
    for (const olderThanDays of [0, -1, undefined]) {
      expect(await refused(store, { ids, olderThanDays, ...SUMMARY })).toMatchObject({ code: "INVALID_DAYS" });
    }
    expect(await refused(store, { ids: [] })).toMatchObject({ message: "'ids' array is empty." });
  });

  it("refuses a summary that is longer than a row may be", async () => {
    const store = await open();
    const ids = await seed(store, [row()]);
    const long = "x".repeat(1_000_001);
    expect(await refused(store, { ids, summaryTitle: "T", summaryContent: long })).toMatchObject({
      code: "TEXT_TOO_LONG",
    });
    expect(await refused(store, { ids, summaryTitle: long, summaryContent: "C" })).toMatchObject({
      code: "TEXT_TOO_LONG",
    });
  });
});
