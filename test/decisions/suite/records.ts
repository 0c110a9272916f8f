// Records: what is stored is what was given, whole, whatever it holds; and what cannot be stored is refused.
import { describe, expect, it } from "vitest";
import { wordingKey } from "../../../src/decisions/evidence.ts";
import { LONGEST_RECORD } from "../../../src/decisions/record-values.ts";
import { verifies } from "../../requirements/verifies.ts";
import { addAll, type CurrentLog, daysAgo, decisionOf, idsOf, record, VIEW } from "./sample-records.ts";

const HOSTILE: readonly (readonly [string, string])[] = [
  ["quotes and statements", `'); DROP TABLE decisions; -- "\`%_\\`],
  ["a NUL", "before\0after"],
  ["control characters", "\u0001\u0002\u001b[31m\u007f"],
  ["lone surrogates", "a \ud800 b \udc00\ud800 c"],
  ["an emoji", "👩‍👩‍👧 and 😀"],
  ["lines", "one\r\ntwo\ntab\tend"],
  ["colons and dashes", "key: value\n- item\n--- #x"],
  ["the last characters of planes", "\ud7ef\ud7f0\ud7ff\ue000\uffff\u{10ffff}"],
];

export function describeRecords(current: CurrentLog): void {
  describe("a record", () => {
    it("is given back as it was written, unknown keys and all", async () => {
      const raw = record({ custom: { nested: [1, null, { deep: true }] }, empty: "", none: null, zero: 0 });
      const [added] = await addAll(current(), [raw]);
      expect(added?.raw).toStrictEqual(raw);
      const read = await decisionOf(current(), "d-1");
      expect(read).toStrictEqual(added);
      expect(read).toMatchObject({ id: "d-1", text: "Keep the queue in memory", confidence: 0.8, isPreserved: false });
    });

    it("keeps a confidence and a strength of nothing", async () => {
      await addAll(current(), [record({ confidence: 0, reasons: [{ type: "analysis", text: "so", strength: 0 }] })]);
      const read = await decisionOf(current(), "d-1");
      expect(read?.confidence).toBe(0);
      expect(read?.reasons[0]?.strength).toBe(0);
    });

    it("is refused with an id that is there, and the other one stays", async () => {
      await addAll(current(), [record()]);
      const adding = addAll(current(), [record({ decision: "Another" })]);
      await expect(adding).rejects.toMatchObject({ kind: "Conflict", code: "DECISION_EXISTS" });
      expect((await decisionOf(current(), "d-1"))?.text).toBe("Keep the queue in memory");
    });

    it.each([
      ["no id", { id: undefined }],
      ["a blank id", { id: " " }],
      ["no text", { decision: undefined }],
      ["a text that is a list", { decision: ["a"], summary: 7 }],
    ])("is refused with %s", async (_, changes) => {
      await expect(addAll(current(), [record(changes)])).rejects.toMatchObject({ kind: "InvalidInput" });
      expect(await idsOf(current())).toEqual([]);
    });

    it("may have a number for an id", async () => {
      await addAll(current(), [record({ id: 12 })]);
      expect((await decisionOf(current(), "12"))?.raw.id).toBe(12);
    });

    it.each(HOSTILE)("holds %s in every field", async (_, text) => {
      const raw = record({
        id: `id ${text}.`,
        decision: `was ${text}.`,
        category: `category ${text}.`,
        recorded_by: `agent ${text}.`,
        status: "reviewed",
        stakes: `stakes ${text}.`,
        pattern: `pattern ${text}.`,
        tags: [`tag ${text}.`],
        reasons: [{ type: "analysis", text: `reason ${text}.` }],
        [`key ${text}.`]: text,
      });
      const [added] = await addAll(current(), [raw]);
      expect(added?.raw).toStrictEqual(raw);
      const { id, category, agent } = added ?? { id: "", category: "", agent: "" };
      expect(await decisionOf(current(), id)).toStrictEqual(added);
      for (const words of [[text.slice(0, 4)], [text.toUpperCase(), "TAG"], [`was ${text}`]]) {
        expect(await idsOf(current(), { filter: { category, agent, words } })).toEqual([id]);
      }
      await current().read(async (reader) => {
        expect(await reader.idsLike(id.slice(0, 5), 5)).toEqual([id]);
        const wordings = await reader.wordings({ filter: {} }, 10);
        expect(wordings.map((each) => each.category)).toEqual(wordings.map(() => category));
        const [pattern] = await reader.groupWordings({ filter: {} }, [wordings.map(({ key }) => key)]);
        expect(pattern).toMatchObject({ decisions: 1, categories: [category], confirmingIds: [id] });
      });
    });

    it("may be long", async () => {
      const text = `${"long ".repeat(75_000)}end`;
      await addAll(current(), [record({ decision: text, pattern: text })]);
      expect((await decisionOf(current(), "d-1"))?.text).toBe(text);
      expect(await idsOf(current(), { filter: { words: ["long end"] } })).toEqual(["d-1"]);
      expect(await idsOf(current(), { filter: { words: [`${text.slice(-900)}s`] } })).toEqual([]);
    });

    it.each(["x", "é", "検", "😀", "\u0001", "x\n", ": '"])(
      "may be of the largest size, made of %j, and is refused when it is larger",
      async (unit) => {
        const room = LONGEST_RECORD - JSON.stringify(record({ context: "" })).length;
        const context = unit.repeat(Math.floor(room / (JSON.stringify(unit).length - 2)));
        await addAll(current(), [record({ context })]);
        expect((await decisionOf(current(), "d-1"))?.raw).toStrictEqual(record({ context }));
        const refused = { kind: "InvalidInput", code: "RECORD_TOO_LARGE", data: { most: LONGEST_RECORD } };
        const larger = record({ id: "d-2", context: `${context}${unit}` });
        await expect(addAll(current(), [larger])).rejects.toMatchObject(refused);
        const changed = current().write((log) => log.change("d-1", { lessons: unit }));
        await expect(changed).rejects.toMatchObject(refused);
        const replaced = current().write((log) => log.replace({ ...larger, id: "d-1" }));
        await expect(replaced).rejects.toMatchObject(refused);
        expect(await idsOf(current())).toEqual(["d-1"]);
      },
    );
  });

  describe("a change", () => {
    it("leaves all it does not name as it is written, and stores null as null", async () => {
      const raw = record({ custom: { a: [1] }, lessons: "one" });
      await addAll(current(), [raw]);
      const changed = await current().write((log) =>
        log.change("d-1", { lessons: null, outcome: "failure", extra: 1 }),
      );
      const expected = { ...raw, lessons: null, outcome: "failure", extra: 1 };
      expect(changed.raw).toStrictEqual(expected);
      expect(changed.outcome).toBe("failure");
      expect(await decisionOf(current(), "d-1")).toStrictEqual(changed);
    });

    it("of preserve is stored in the record and seen at once by levels and counts", async () => {
      verifies("rulings/raw-records-unaltered");
      await addAll(current(), [record({ date: daysAgo(100) })]);
      const hashBefore = (await decisionOf(current(), "d-1"))?.hash;
      await current().write(async (log) => {
        expect((await log.page({ filter: {}, view: VIEW, limit: 1 }))[0]?.level).toBe("wisdom");
        await log.change("d-1", { preserve: true });
        expect((await log.page({ filter: {}, view: VIEW, limit: 1 }))[0]?.level).toBe("full");
      });
      const read = await decisionOf(current(), "d-1");
      expect(read).toMatchObject({ isPreserved: true, hash: hashBefore, raw: { preserve: true } });
      expect(await current().read((log) => log.survey({ filter: {}, view: VIEW }))).toEqual({
        total: 1,
        preserved: 1,
        levels: { full: 1, summary: 0, digest: 0, wisdom: 0 },
      });
      expect(await idsOf(current(), { includePreserved: false })).toEqual([]);
      await current().write((log) => log.change("d-1", { preserve: false }));
      expect(await idsOf(current(), { levels: ["wisdom"] })).toEqual(["d-1"]);
      expect((await decisionOf(current(), "d-1"))?.raw.preserve).toBe(false);
    });

    it("is found by its new words and not by its old ones", async () => {
      await addAll(current(), [record({ decision: "Use green tea", tags: ["old"] })]);
      await current().write((log) => log.change("d-1", { decision: "Use coffee", tags: ["new"] }));
      expect(await idsOf(current(), { filter: { words: ["green"] } })).toEqual([]);
      expect(await idsOf(current(), { filter: { words: ["COFFEE", "new"] } })).toEqual(["d-1"]);
    });

    it("changes hash, category, date and evidence", async () => {
      await addAll(current(), [record({ pattern: "Search first" })]);
      const before = await decisionOf(current(), "d-1");
      await current().write((log) =>
        log.change("d-1", { category: "process", date: daysAgo(40), pattern: "Ask first" }),
      );
      expect((await decisionOf(current(), "d-1"))?.hash).not.toBe(before?.hash);
      await current().read(async (log) => {
        expect(await log.survey({ filter: { category: "architecture" }, view: VIEW })).toMatchObject({ total: 0 });
        expect(await log.survey({ filter: { category: "process" }, view: VIEW })).toMatchObject({ total: 1 });
        expect((await log.wordings({ filter: {} }, 9)).map(({ category, key }) => [category, key])).toEqual([
          ["process", wordingKey("Ask first")],
        ]);
      });
    });

    it("that would leave no decision, or give another id, is refused", async () => {
      await addAll(current(), [record()]);
      const before = await decisionOf(current(), "d-1");
      for (const changes of [{ decision: null }, { id: "d-2" }]) {
        const changing = current().write((log) => log.change("d-1", changes));
        await expect(changing).rejects.toMatchObject({ kind: "InvalidInput" });
      }
      expect(await decisionOf(current(), "d-1")).toStrictEqual(before);
    });

    it("of an unknown id is NotFound, and so is replacing it", async () => {
      const changing = current().write((log) => log.change("d-9", { preserve: true }));
      await expect(changing).rejects.toMatchObject({ kind: "NotFound" });
      const replacing = current().write((log) => log.replace(record({ id: "d-9" })));
      await expect(replacing).rejects.toMatchObject({ kind: "NotFound" });
      expect(await idsOf(current())).toEqual([]);
    });
  });

  describe("replacing", () => {
    it("puts another record in its place", async () => {
      await addAll(current(), [record({ custom: 1, pattern: "Old pattern", tags: ["a"] }), record({ id: "d-2" })]);
      const raw = record({ decision: "Other", status: "pending", date: daysAgo(5) });
      const replaced = await current().write((log) => log.replace(raw));
      expect(replaced.raw).toStrictEqual(raw);
      expect(await decisionOf(current(), "d-1")).toStrictEqual(replaced);
      expect(await idsOf(current())).toEqual(["d-2", "d-1"]);
      expect(await current().read((log) => log.wordings({ filter: {} }, 9))).toEqual([]);
    });
  });

  describe("ids", () => {
    it("are read in the order that is asked for, unknown ones left out", async () => {
      await addAll(
        current(),
        ["a", "b", "c"].map((id) => record({ id })),
      );
      const read = await current().read((log) => log.decisions(["c", "x", "a"]));
      expect(read.map(({ id }) => id)).toEqual(["c", "a"]);
      expect(await current().read((log) => log.decisions([]))).toEqual([]);
    });

    it("are found by how they begin, and one that is equal stands alone", async () => {
      await addAll(
        current(),
        ["abcd", "abcdef", "abce", "ABCD1", "ab%d", "b"].map((id) => record({ id })),
      );
      await current().read(async (log) => {
        expect(await log.idsLike("abc", 10)).toEqual(["abcd", "abcdef", "abce"]);
        expect(await log.idsLike("abc", 2)).toEqual(["abcd", "abcdef"]);
        expect(await log.idsLike("abcd", 10)).toEqual(["abcd"]);
        expect(await log.idsLike("abcde", 10)).toEqual(["abcdef"]);
        expect(await log.idsLike("ab%", 10)).toEqual(["ab%d"]);
        expect(await log.idsLike("zz", 10)).toEqual([]);
      });
    });
  });

  describe("a fault", () => {
    it("is told of a date or a preserve that cannot be read, and the record is served in full", async () => {
      await addAll(current(), [
        record({ id: "b", date: "soon" }),
        record({ id: "a", preserve: "yes", date: daysAgo(100) }),
        record({ id: "c" }),
      ]);
      const { count, faults } = await current().read((log) => log.faults(10));
      expect(count).toBe(2);
      expect(faults.map(({ id, code }) => [id, code])).toEqual([
        ["a", "UNREADABLE_PRESERVE"],
        ["b", "UNREADABLE_DATE"],
      ]);
      expect(await idsOf(current(), { levels: ["full"] })).toEqual(["c", "a", "b"]);
      expect(await current().read((log) => log.faults(1))).toMatchObject({ count: 2, faults: [{ id: "a" }] });
    });

    it("is gone when the record is put right, and comes with a change", async () => {
      await addAll(current(), [record({ date: "soon" })]);
      await current().write((log) => log.change("d-1", { date: daysAgo(10) }));
      expect(await current().read((log) => log.faults(10))).toEqual({ count: 0, faults: [] });
      expect(await idsOf(current(), { levels: ["summary"] })).toEqual(["d-1"]);
      await current().write((log) => log.change("d-1", { preserve: "no" }));
      expect((await current().read((log) => log.faults(10))).count).toBe(1);
    });
  });
}
