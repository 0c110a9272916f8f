// Transactions: all or nothing, one after another, one state for a reader.
import { describe, expect, it } from "vitest";
import type { CycleRun } from "../../../src/decisions/decision-log.ts";
import { addAll, type CurrentLog, daysAgo, pageOf, record, VIEW } from "./sample-records.ts";

export const run = (changes: Partial<CycleRun> = {}): CycleRun => ({
  id: "run-1",
  started_at: "2031-03-09T12:00:00.000Z",
  finished_at: "2031-03-09T12:00:01.000Z",
  trigger: "schedule",
  total: 3,
  preserved: 1,
  levels: { full: 1, summary: 1, digest: 1, wisdom: 0 },
  changed: 2,
  texts: { llm: 0, extractive: 2, failed: 0 },
  ...changes,
});

export function describeTransactions(current: CurrentLog): void {
  /** Everything that the log holds. */
  const everything = () =>
    current().read(async (log) => ({
      page: await log.page({ filter: {}, view: VIEW, limit: 100 }),
      found: await pageOf(log, { filter: { words: ["rolled"] } }),
      faults: await log.faults(100),
      tally: await log.tally({ filter: {} }),
      wordings: await log.wordings({ filter: {} }, 100),
      changes: await log.levelChanges(VIEW, {}),
      texts: await log.texts(["a", "b", "c"]),
      runs: await log.runs(10),
      state: await log.state("key"),
    }));

  describe("a transaction", () => {
    it("gives back what its work gives back", async () => {
      expect(await current().write(async () => "result")).toBe("result");
      expect(await current().read(async () => 7)).toBe(7);
    });

    it("leaves nothing of what it wrote when it fails, and its error is the caller's", async () => {
      const log = current();
      const [a] = await addAll(log, [
        record({ id: "a", date: daysAgo(40), pattern: "Search first" }),
        record({ id: "b", date: "soon", tags: ["x"] }),
      ]);
      const text = { id: "a", level: "digest", strategy: "s", model: "m", text: "t", source: "llm" } as const;
      await log.write(async (writer) => {
        await writer.setLevels([{ id: "a", level: "summary" }]);
        await writer.putTexts([{ ...text, hash: a?.hash ?? "" }]);
        await writer.setState("key", { kept: [1] });
      });
      const before = await everything();
      const failure = new Error("the work failed");
      const failing = log.write(async (writer) => {
        await writer.add(record({ id: "c", decision: "rolled back", supersedes: ["a"], date: "later" }));
        const changed = await writer.change("a", { decision: "rolled", pattern: "Other", preserve: true });
        await writer.replace(record({ id: "b", decision: "rolled too" }));
        await writer.setLevels([{ id: "a", level: "wisdom" }]);
        await writer.putTexts([{ ...text, hash: changed.hash }]);
        await writer.addRun(run());
        await writer.setState("key", undefined);
        await writer.setState("other", 1);
        expect((await writer.survey({ filter: {}, view: VIEW })).total).toBe(3);
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await everything()).toStrictEqual(before);
      expect(await log.read((reader) => reader.state("other"))).toBeUndefined();
    });

    it("leaves nothing when one of its own writes is refused", async () => {
      const log = current();
      await addAll(log, [record({ id: "a" })]);
      const before = await everything();
      await expect(addAll(log, [record({ id: "b" }), record({ id: "a" })])).rejects.toMatchObject({ kind: "Conflict" });
      expect(await everything()).toStrictEqual(before);
    });

    it("sees its own writes", async () => {
      await current().write(async (log) => {
        await log.add(record({ decision: "fresh", pattern: "Look here" }));
        expect(await pageOf(log, { filter: { words: ["FRESH"] } })).toEqual([["d-1", "full"]]);
        expect(await log.wordings({ filter: {} }, 5)).toHaveLength(1);
        expect(await log.idsLike("d-", 5)).toEqual(["d-1"]);
      });
    });

    it("runs alone: a read and a change in two of them never mix", async () => {
      const log = current();
      await addAll(log, [record({ count: 0 })]);
      const increase = () =>
        log.write(async (writer) => {
          const [decision] = await writer.decisions(["d-1"]);
          await Promise.resolve();
          await writer.change("d-1", { count: Number(decision?.raw.count) + 1 });
        });
      await Promise.all(Array.from({ length: 10 }, increase));
      expect(await log.read(async (reader) => (await reader.decisions(["d-1"]))[0]?.raw.count)).toBe(10);
    });

    it("is not seen half done by a reader", async () => {
      const log = current();
      await addAll(log, [record({ id: "a", stakes: "low" }), record({ id: "b", stakes: "low" })]);
      const writing = log.write(async (writer) => {
        await writer.change("a", { stakes: "high" });
        await Promise.resolve();
        await writer.change("b", { stakes: "high" });
      });
      const seen = await log.read((reader) => reader.decisions(["a", "b"]));
      await writing;
      expect(new Set(seen.map(({ stakes }) => stakes)).size).toBe(1);
    });

    it("may follow one that failed", async () => {
      const log = current();
      const failing = log.write(async () => {
        throw new Error("failed");
      });
      const following = addAll(log, [record()]);
      await expect(failing).rejects.toThrow("failed");
      expect(await following).toHaveLength(1);
    });
  });
}
