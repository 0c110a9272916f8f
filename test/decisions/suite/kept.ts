// What a log keeps beside its records: levels of the last cycle, texts, runs, small values.
import { describe, expect, it } from "vitest";
import type { DecisionText } from "../../../src/decisions/decision-log.ts";
import { verifies } from "../../requirements/verifies.ts";
import { addAll, type CurrentLog, daysAgo, record, VIEW } from "./sample-records.ts";
import { run } from "./transactions.ts";

export function describeKept(current: CurrentLog): void {
  describe("levels of a cycle", () => {
    it("are what changes are told against, full where there was none", async () => {
      await addAll(current(), [
        record({ id: "c", date: daysAgo(10), confidence: 0.5 }),
        record({ id: "b", date: daysAgo(100), category: "process", confidence: undefined }),
        record({
          id: "a",
          date: daysAgo(50),
          reasons: [
            { text: "x", confidence: 0.25 },
            { text: "y", confidence: 0.75 },
          ],
        }),
        record({ id: "d" }),
      ]);
      const changes = () =>
        current().read(async (log) =>
          (await log.levelChanges(VIEW, {})).map(({ id, from, to, confidence }) => ({ id, from, to, confidence })),
        );
      expect(await changes()).toEqual([
        { id: "a", from: "full", to: "digest", confidence: { least: 0.25, spread: 0.5 } },
        { id: "b", from: "full", to: "wisdom", confidence: undefined },
        { id: "c", from: "full", to: "summary", confidence: { least: 0.5, spread: 0 } },
      ]);
      await current().write((log) =>
        log.setLevels([
          { id: "a", level: "digest" },
          { id: "b", level: "digest" },
          { id: "d", level: "wisdom" },
        ]),
      );
      expect((await changes()).map(({ id, from, to }) => [id, from, to])).toEqual([
        ["b", "digest", "wisdom"],
        ["c", "full", "summary"],
        ["d", "wisdom", "full"],
      ]);
      const filtered = await current().read((log) => log.levelChanges(VIEW, { category: "process" }));
      const [decision] = await current().read((log) => log.decisions(["b"]));
      expect(filtered).toEqual([
        { id: "b", category: "process", agent: "planner", from: "digest", to: "wisdom", hash: decision?.hash },
      ]);
    });

    it("leave the record alone", async () => {
      verifies("decisions/process-preserve-raw");
      const [before] = await addAll(current(), [record()]);
      await current().write((log) => log.setLevels([{ id: "d-1", level: "digest" }]));
      expect(await current().read((log) => log.decisions(["d-1"]))).toStrictEqual([before]);
    });
  });

  describe("texts", () => {
    const text = (changes: Partial<DecisionText>): DecisionText => ({
      id: "a",
      level: "summary",
      hash: "",
      strategy: "first",
      model: "extractive",
      text: "A text. \ud83d\ude00 'quoted'",
      source: "extractive",
      ...changes,
    });

    it("are kept by decision, level, strategy and model", async () => {
      const [a, b] = await addAll(current(), [record({ id: "a" }), record({ id: "b" })]);
      const kept = [
        text({ hash: a?.hash ?? "" }),
        text({ hash: a?.hash ?? "", level: "digest" }),
        text({ hash: a?.hash ?? "", strategy: "second", source: "llm" }),
        text({ hash: a?.hash ?? "", model: "other" }),
        text({ id: "b", hash: b?.hash ?? "" }),
      ];
      await current().write((log) => log.putTexts(kept));
      const read = await current().read((log) => log.texts(["b", "a", "unknown"]));
      expect(read).toHaveLength(5);
      for (const each of kept) expect(read).toContainEqual(each);
      expect(await current().read((log) => log.texts(["b"]))).toEqual(kept.slice(4));
      const newer = { ...kept[0], text: "Newer", source: "llm" } as DecisionText;
      await current().write((log) => log.putTexts([newer]));
      const after = await current().read((log) => log.texts(["a"]));
      expect(after).toHaveLength(4);
      expect(after).toContainEqual(newer);
    });

    it("of a record that has changed are left out, and dropped when a new one is kept", async () => {
      const [a] = await addAll(current(), [record({ id: "a" })]);
      const old = [text({ hash: a?.hash ?? "" }), text({ hash: a?.hash ?? "", model: "other" })];
      await current().write((log) => log.putTexts(old));
      await current().write((log) => log.change("a", { preserve: true }));
      expect(await current().read((log) => log.texts(["a"]))).toHaveLength(2);
      const changed = await current().write((log) => log.change("a", { lessons: "new" }));
      expect(await current().read((log) => log.texts(["a"]))).toEqual([]);
      const now = text({ hash: changed.hash });
      await current().write((log) => log.putTexts([now]));
      expect(await current().read((log) => log.texts(["a"]))).toEqual([now]);
      await current().write((log) => log.change("a", { lessons: null }));
      expect(await current().read((log) => log.texts(["a"]))).toEqual([]);
    });
  });

  describe("runs", () => {
    it("are given latest first", async () => {
      const runs = [1, 2, 3].map((day) => run({ id: `run-${day}`, started_at: `2031-03-0${day}T00:00:00.000Z` }));
      for (const each of runs) await current().write((log) => log.addRun(each));
      expect(await current().read((log) => log.runs(10))).toEqual([...runs].reverse());
      expect(await current().read((log) => log.runs(1))).toEqual([runs[2]]);
    });
  });

  describe("state", () => {
    it("is a value of JSON under a key, and undefined where there is none", async () => {
      const value = { owner: "a'b", list: [1, null, "\ud83d\ude00"], zero: 0, no: false };
      await current().write((log) => log.setState("lease", value));
      await current().write((log) => log.setState("none", null));
      const state = (key: string) => current().read((log) => log.state(key));
      expect(await state("lease")).toEqual(value);
      expect(await state("none")).toBeNull();
      expect(await state("other")).toBeUndefined();
      await current().write((log) => log.setState("lease", undefined));
      expect(await state("lease")).toBeUndefined();
    });
  });
}
