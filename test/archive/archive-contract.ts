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
