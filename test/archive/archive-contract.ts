// What every archive has to do, run on each implementation.
import { describe, expect, it } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { asRedacted, asRedactedList, summaryRecord } from "./redacted-samples.ts";

/** `open` gives a fresh, empty archive each time. */
export function archiveContract(name: string, open: () => Promise<Archive>): void {
  describe(`archive contract: ${name}`, () => {
    it("starts empty", async () => {
      const archive = await open();
      expect(archive.adapter).not.toBe("");
      expect(await archive.nextStep("s")).toBe(1);
      expect(await archive.steps("s")).toEqual([]);
      expect(await archive.sessions()).toEqual([]);
      expect(await archive.readState("s")).toBeUndefined();
      expect(await archive.readSummary("s", 1)).toBeUndefined();
      expect(await archive.findSummary("0".repeat(64))).toBeUndefined();
      await expect(archive.readTranscript("s", 1)).rejects.toMatchObject({ kind: "NotFound" });
    });

    it("gives back messages, records and state as they were saved", async () => {
      const archive = await open();
      const messages = [
        { role: "user", content: "你好\n\u2028 \ud83d\ude00 \ud800" },
        { b: 1, a: [null, true, 0.1] },
      ];
      const record = summaryRecord("s", 1);
      const transcript = await archive.saveTranscript("s", 1, asRedactedList(messages));
      const summary = await archive.saveSummary("s", 1, record);
      await archive.writeState("s", asRedacted({ step: 1 }));
      await archive.writeState("s", asRedacted({ step: 2 }));
      expect(await archive.readTranscript("s", 1, { strict: true })).toEqual(messages);
      expect(await archive.readSummary("s", 1)).toEqual(record);
      expect(await archive.readState("s")).toEqual({ step: 2 });
      expect(await archive.steps("s")).toEqual([{ step: 1, transcript, summary }]);
      expect(transcript).toMatch(/s.transcript-pre-compact-001\.jsonl$/);
      expect(summary).toMatch(/s.summary-001\.json$/);
    });

    it("shares nothing with the caller's objects", async () => {
      const archive = await open();
      const message = { role: "user", content: [{ text: "before" }] };
      await archive.saveTranscript("s", 1, asRedactedList([message]));
      message.content[0] = { text: "after" };
      expect(await archive.readTranscript("s", 1)).toEqual([{ role: "user", content: [{ text: "before" }] }]);
      const [read] = (await archive.readTranscript("s", 1)) as [{ content: unknown }];
      read.content = "changed";
      expect(await archive.readTranscript("s", 1)).toEqual([{ role: "user", content: [{ text: "before" }] }]);
    });

    it("never overwrites", async () => {
      const archive = await open();
      await archive.saveTranscript("s", 1, asRedactedList([{ n: 1 }]));
      await archive.saveSummary("s", 1, summaryRecord("s", 1));
      await expect(archive.saveTranscript("s", 1, asRedactedList([{ n: 2 }]))).rejects.toMatchObject({
        kind: "Conflict",
      });
      await expect(archive.saveSummary("s", 1, summaryRecord("s", 1, { text: "x" }))).rejects.toMatchObject({
        kind: "Conflict",
      });
      expect(await archive.readTranscript("s", 1)).toEqual([{ n: 1 }]);
    });

    it("counts steps per session, unfinished ones and those beyond 999 too", async () => {
      const archive = await open();
      for (const step of [1, 999, 1000, 12_345]) {
        await archive.saveTranscript("s", step, asRedactedList([{ step }]));
        expect(await archive.nextStep("s")).toBe(step + 1);
      }
      await archive.saveSummary("s", 20_000, summaryRecord("s", 20_000));
      expect(await archive.nextStep("s")).toBe(20_001);
      expect((await archive.steps("s")).map(({ step }) => step)).toEqual([1, 999, 1000, 12_345, 20_000]);
      expect(await archive.nextStep("other")).toBe(1);
      expect(await archive.readTranscript("s", 1000)).toEqual([{ step: 1000 }]);
      for (const step of [0, -1, 1.5, Number.NaN]) {
        await expect(archive.saveTranscript("s", step, [])).rejects.toMatchObject({ kind: "InvalidInput" });
      }
    });

    it("keeps sessions apart and lists their ids as they were given", async () => {
      const archive = await open();
      const ids = ["../../x", "A", "a", "a/b", "agent:main:1", "é", "e\u0301", "plain"];
      for (const id of ids) await archive.saveTranscript(id, 1, asRedactedList([{ id }]));
      await archive.writeState("state-only", asRedacted({}));
      expect(await archive.sessions()).toEqual([...ids].sort());
      for (const id of ids) expect(await archive.readTranscript(id, 1)).toEqual([{ id }]);
      await expect(archive.saveTranscript("", 1, [])).rejects.toMatchObject({ kind: "InvalidInput" });
      await expect(archive.nextStep("")).rejects.toMatchObject({ kind: "InvalidInput" });
    });

    it("finds the newest record with a hash", async () => {
      const archive = await open();
      await archive.saveSummary(
        "b",
        1,
        summaryRecord("b", 1, { text: "same", created_at: "2026-03-01T00:00:00.000Z" }),
      );
      await archive.saveSummary(
        "a",
        1,
        summaryRecord("a", 1, { text: "same", created_at: "2026-01-01T00:00:00.000Z" }),
      );
      await archive.saveSummary("c", 1, summaryRecord("c", 1, { text: "other", summary_hash: null }));
      const hash = (await archive.readSummary("a", 1))?.summary_hash ?? "";
      expect(await archive.findSummary(hash)).toEqual({ sessionId: "b", step: 1 });
    });

    it("refuses what JSON cannot hold, and keeps nothing of it", async () => {
      const archive = await open();
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      for (const bad of [undefined, () => 1, cycle, { n: 1n }]) {
        await expect(archive.saveTranscript("s", 1, asRedactedList([{ ok: 1 }, bad]))).rejects.toMatchObject({
          kind: "InvalidInput",
        });
      }
      expect(await archive.nextStep("s")).toBe(1);
    });

    it("tells how large each step is, oldest first, and whether its compaction finished", async () => {
      const archive = await open();
      await archive.saveTranscript("b", 1, asRedactedList([{ n: 1 }]));
      await archive.saveSummary("b", 1, summaryRecord("b", 1));
      await archive.writeState("b", asRedacted({ step: 1 }));
      await archive.saveTranscript("A/", 1, asRedactedList([{ n: "x".repeat(10_000) }]));
      const sizes = await archive.sizes();
      const bySession = new Map(sizes.map((size) => [size.session_id, size]));
      expect(sizes).toHaveLength(2);
      expect(sizes.map(({ at }) => at)).toEqual(sizes.map(({ at }) => at).sort());
      for (const { at } of sizes) expect(new Date(at).toISOString()).toBe(at);
      expect(bySession.get("b")).toMatchObject({ step: 1, has_summary: true });
      expect(bySession.get("A/")).toMatchObject({ step: 1, has_summary: false });
      expect(bySession.get("A/")?.bytes).toBeGreaterThan(0);
      expect(await archive.changedFiles("b", 1)).toEqual([]);
      expect(await archive.changedFiles("b", 2)).toEqual([]);
    });

    it("removes one step alone, and never gives its number again", async () => {
      const archive = await open();
      for (const step of [1, 2, 3]) {
        await archive.saveTranscript("s", step, asRedactedList([{ step }]));
        await archive.saveSummary("s", step, summaryRecord("s", step));
      }
      await archive.writeState("s", asRedacted({ step: 3 }));
      const size = (await archive.sizes()).find(({ step }) => step === 1);
      expect(await archive.removeStep("s", 1)).toBe(size?.bytes);
      expect((await archive.steps("s")).map(({ step }) => step)).toEqual([2, 3]);
      expect(await archive.readTranscript("s", 2)).toEqual([{ step: 2 }]);
      expect(await archive.readSummary("s", 1)).toBeUndefined();
      for (const gone of [() => archive.removeStep("s", 1), () => archive.readTranscript("s", 1)]) {
        await expect(gone()).rejects.toMatchObject({ kind: "NotFound", hint: expect.stringContaining("expired") });
      }
      await archive.removeStep("s", 3);
      expect(await archive.nextStep("s")).toBe(4);
      await archive.removeStep("s", 2);
      expect(await archive.nextStep("s")).toBe(4);
      expect(await archive.steps("s")).toEqual([]);
      expect(await archive.sessions()).toEqual([]);
      expect(await archive.sizes()).toEqual([]);
      expect(await archive.readState("s")).toEqual({ step: 3 });
      await expect(archive.removeStep("none", 1)).rejects.toMatchObject({ kind: "NotFound" });
    });

    it("stores what steps have in common once, also for a list that comes back after others", async () => {
      const archive = await open();
      const long = (n: number) => ({ role: "user", content: `${n} ${"x".repeat(2000)}` });
      const history = Array.from({ length: 20 }, (_, n) => long(n));
      const text = Array.from({ length: 40 }, (_, n) => `line ${n} of a summary, which says what was done`).join("\n");
      const lists = [history, [{ role: "user", content: text }, long(19), long(20)], [...history, long(21)]];
      for (const [index, list] of lists.entries()) {
        await archive.saveTranscript("s", index + 1, asRedactedList(list));
        const said = text.replace("line 7 ", `line 7, ${index + 1} times, `);
        await archive.saveSummary("s", index + 1, summaryRecord("s", index + 1, { text: index === 0 ? text : said }));
      }
      const bytes = (await archive.sizes()).map((size) => size.bytes);
      // The first has it all; the others what is new, and some bytes for the rest.
      expect(bytes[0]).toBeGreaterThan(40_000);
      for (const later of bytes.slice(1)) expect(later).toBeLessThan(3_500);
      for (const [index, list] of lists.entries()) {
        expect(await archive.readTranscript("s", index + 1, { strict: true })).toEqual(list);
      }
      expect((await archive.readSummary("s", 3))?.text).toBe(text.replace("line 7 ", "line 7, 3 times, "));
    });

    it("keeps for the others what a removed step shares with them, and nothing else", async () => {
      const archive = await open();
      const message = (name: string) => ({ role: "user", content: `${name} ${"y".repeat(500)}` });
      const text = (n: number) => ["frame", `shared ${"z".repeat(300)}`, `only ${n} ${"w".repeat(300)}`].join("\n");
      const lists = [
        [message("system"), message("first"), message("kept")],
        [message("system"), { role: "user", content: text(1) }, message("kept"), message("second")],
        [message("system"), { role: "user", content: text(2) }, message("second"), message("third")],
      ];
      for (const [index, list] of lists.entries()) {
        await archive.saveTranscript("s", index + 1, asRedactedList(list));
        await archive.saveSummary("s", index + 1, summaryRecord("s", index + 1, { text: text(index + 1) }));
      }
      const whole = (await archive.sizes()).reduce((sum, { bytes }) => sum + bytes, 0);
      let freed = 0;
      for (const step of [1, 2]) {
        freed += await archive.removeStep("s", step);
        for (let left = step + 1; left <= 3; left++) {
          expect(await archive.readTranscript("s", left, { strict: true })).toEqual(lists[left - 1]);
          expect((await archive.readSummary("s", left))?.text).toBe(text(left));
        }
      }
      expect((await archive.sizes())[0]?.bytes).toBe(whole - freed);
      const later = [...(lists[2] ?? []), message("system"), message("fourth")];
      await archive.saveTranscript("s", 4, asRedactedList(later));
      expect(await archive.readTranscript("s", 4, { strict: true })).toEqual(later);
      await archive.removeStep("s", 3);
      expect(await archive.readTranscript("s", 4, { strict: true })).toEqual(later);
      await archive.removeStep("s", 4);
      expect(await archive.eraseSession("s", true)).toMatchObject({ files: expect.any(Number) });
    });

    it("erases a session as a whole, and only that; first it says what that is", async () => {
      const archive = await open();
      for (const id of ["one", "Other/1"]) {
        await archive.saveTranscript(id, 1, asRedactedList([{ id }]));
        await archive.saveSummary(id, 1, summaryRecord(id, 1));
        await archive.writeState(id, asRedacted({ step: 1 }));
      }
      const planned = await archive.eraseSession("Other/1", true);
      expect(planned.files).toBeGreaterThanOrEqual(3);
      expect(await archive.readTranscript("Other/1", 1)).toEqual([{ id: "Other/1" }]);
      expect(await archive.eraseSession("Other/1")).toEqual(planned);
      expect(await archive.sessions()).toEqual(["one"]);
      expect(await archive.steps("Other/1")).toEqual([]);
      expect(await archive.readState("Other/1")).toBeUndefined();
      expect(await archive.readTranscript("one", 1)).toEqual([{ id: "one" }]);
      expect(await archive.eraseSession("Other/1")).toEqual({ files: 0, bytes: 0 });
      await archive.saveTranscript("Other/1", 1, asRedactedList([{ again: true }]));
      expect(await archive.readTranscript("Other/1", 1)).toEqual([{ again: true }]);
    });

    it("gives a large state back as it was, whatever changed in it, and writes little of it again", {
      timeout: 90_000,
    }, async () => {
      const archive = await open();
      const fact = (n: number, text = "") => ({ kind: "said", text: `${n} ${text}`, source: { step: 1, message: n } });
      const facts = Array.from({ length: 400 }, (_, n) => fact(n, "q".repeat(100)));
      for (let step = 1; step <= 30; step++) {
        facts.push(fact(1000 + step));
        facts[step] = fact(step, "changed");
        facts.splice(step * 3, 1);
        const state = { version: 1, step, hash: null, ledger: { version: 2, facts, none: [], __proto: {} } };
        await archive.writeState("s", asRedacted(state));
        expect(await archive.readState("s", { strict: true })).toEqual(JSON.parse(JSON.stringify(state)));
      }
      await archive.writeState("s", asRedacted({ step: 61, ledger: { facts: [[1], null, "a"] } }));
      expect(await archive.readState("s")).toEqual({ step: 61, ledger: { facts: [[1], null, "a"] } });
    });

    it("gives each of two interleaved writers steps of their own", async () => {
      const archive = await open();
      const attempt = async (writer: string, n: number) => {
        const step = await archive.nextStep("s");
        await archive.saveTranscript("s", step, asRedactedList([{ writer, n }]));
        return step;
      };
      const settled = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => [attempt("one", n), attempt("two", n)]).flat(),
      );
      const taken = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      expect(new Set(taken).size).toBe(taken.length);
      expect((await archive.steps("s")).map(({ step }) => step)).toEqual([...taken].sort((a, b) => a - b));
      for (const result of settled) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ kind: "Conflict" });
      }
    });
  });
}
