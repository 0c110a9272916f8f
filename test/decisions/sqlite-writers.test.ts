// Several connections and several processes on one file: nothing that was told to be done is missing, nothing is half done.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSqliteDecisionLog } from "../../src/decisions/sqlite-decision-log.ts";
import { finish, start } from "../observations/children/start.ts";
import type { Told } from "./children/write-for-a-while.ts";
import { addAll, daysAgo, decisionOf, idsOf, record, VIEW } from "./suite/sample-records.ts";

const newPath = async () => join(await mkdtemp(join(tmpdir(), "writers-")), "decisions.db");

describe("two connections to one file", () => {
  it("each see at once what the other has committed, and a read keeps its state", async () => {
    const path = await newPath();
    const [one, other] = [createSqliteDecisionLog({ path, create: true }), createSqliteDecisionLog({ path })];
    await addAll(one, [record({ date: daysAgo(100) })]);
    await other.read(async (reader) => {
      expect(await reader.survey({ filter: {}, view: VIEW })).toMatchObject({ preserved: 0 });
      await one.write((writer) => writer.change("d-1", { preserve: true }));
      expect(await reader.survey({ filter: {}, view: VIEW })).toMatchObject({ preserved: 0 });
    });
    expect((await decisionOf(other, "d-1"))?.isPreserved).toBe(true);
    await addAll(other, [record({ id: "d-2", supersedes: ["d-1"] })]);
    expect((await decisionOf(one, "d-1"))?.supersededBy).toBe("d-2");
    for (const each of [one, other]) await each.close();
  });

  it("write in turn, and made the file at once", async () => {
    const path = await newPath();
    const logs = Array.from({ length: 4 }, () => createSqliteDecisionLog({ path, create: true }));
    await Promise.all(logs.map((log, index) => addAll(log, [record({ id: `d-${index}` })])));
    const taken = await Promise.allSettled(logs.map((log) => addAll(log, [record({ id: "same" })])));
    expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const log of logs) {
      expect(await idsOf(log)).toEqual(["d-0", "d-1", "d-2", "d-3", "same"]);
      await log.close();
    }
  });
});

describe("two processes on one file", () => {
  it("lose nothing", async () => {
    const path = await newPath();
    const child = new URL("children/write-for-a-while.ts", import.meta.url);
    const ended = await Promise.all(["a", "b"].map((name) => finish(start(child, path, name, "1500"))));
    const told = ended.map(({ stdout, stderr }): Told => {
      expect(stderr).toBe("");
      return JSON.parse(stdout);
    });
    expect(told.flatMap(({ errors }) => errors)).toEqual([]);
    const log = createSqliteDecisionLog({ path });
    const added = told.flatMap((each) => each.added);
    expect([...(await idsOf(log, { limit: 1e6 }))].sort()).toEqual([...added, "shared"].sort());
    const counted = told.reduce((sum, each) => sum + each.counted, 0);
    expect(counted).toBeGreaterThan(1);
    expect((await decisionOf(log, "shared"))?.raw.count).toBe(counted);
    await log.read(async (reader) => {
      const decisions = await reader.decisions(added);
      const preserved = decisions.filter(({ isPreserved }) => isPreserved).map(({ id }) => id);
      expect(preserved).toEqual(told.flatMap((each) => each.preserved));
      // Of each process only the last one is not superseded.
      expect((await reader.wordings({ filter: {} }, 9))[0]).toMatchObject({
        confirmations: told.filter((each) => each.added.length > 0).length,
        decisions: added.length,
      });
    });
    await log.close();
  }, 60_000);
});
