// What an archive does over any place for files, however transcripts are packed. `zstd` only where this runtime has it.
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ArchiveFiles } from "../../src/archive/archive.ts";
import { COMPRESSIONS, type Compression, packBytes } from "../../src/archive/compression.ts";
import { summaryFile, transcriptFile } from "../../src/archive/step-files.ts";
import { createFileArchive } from "../../src/archive/stored-archive.ts";
import { createRandom, randomLists } from "./random-lists.ts";
import { asRedactedList, summaryRecord } from "./redacted-samples.ts";

export const PACKINGS: readonly Compression[] = COMPRESSIONS.filter(
  (compression) => compression !== "zstd" || "createZstdCompress" in zlib,
);

/** `openFiles` gives a fresh, empty place each time. */
export function fileArchiveContract(name: string, openFiles: () => Promise<ArchiveFiles>): void {
  describe(`archive over files: ${name}`, () => {
    it("gives every list back as it was saved, packed by turns, while steps are removed", async () => {
      for (let seed = 1; seed <= 5; seed++) await saveAndRemove(await openFiles(), seed);
    });

    it("gives a step to one writer only, also when another packs differently", async () => {
      const files = await openFiles();
      const archives = PACKINGS.map((compression) => createFileArchive(files, { compression }));
      for (let step = 1; step <= 5; step++) {
        const settled = await Promise.allSettled(
          archives.map((archive, writer) => archive.saveTranscript("s", step, asRedactedList([{ writer }]))),
        );
        const winners = settled.flatMap(({ status }, writer) => (status === "fulfilled" ? [writer] : []));
        expect(winners.length).toBeLessThanOrEqual(1);
        for (const result of settled) {
          if (result.status === "rejected")
            expect(result.reason).toMatchObject({ kind: "Conflict", code: "STEP_TAKEN" });
        }
        const transcripts = (await files.list("s")).filter(({ name }) => name.startsWith("transcript"));
        expect(transcripts.filter(({ name }) => name.includes(`00${step}`))).toHaveLength(winners.length);
        const [archive] = archives;
        if (winners.length > 0) expect(await archive?.readTranscript("s", step)).toEqual([{ writer: winners[0] }]);
      }
      const [first, second = first] = archives;
      const place = await first?.saveTranscript("t", 1, asRedactedList([{ n: 1 }]));
      if (second !== first) {
        await expect(second?.saveTranscript("t", 1, [])).rejects.toMatchObject({ data: { location: place } });
      }
      expect(await second?.readTranscript("t", 1)).toEqual([{ n: 1 }]);
    });

    it("names packed transcripts and summaries by their packing, and nothing else differently", async () => {
      const extensions = { none: "", gzip: ".gz", zstd: ".zst" };
      for (const compression of PACKINGS) {
        const files = await openFiles();
        const archive = createFileArchive(files, { compression });
        const transcript = await archive.saveTranscript("s", 7, asRedactedList([{ text: "same ".repeat(10_000) }]));
        const summary = await archive.saveSummary("s", 7, summaryRecord("s", 7));
        expect(transcript.endsWith(`transcript-pre-compact-007.jsonl${extensions[compression]}`)).toBe(true);
        expect(summary.endsWith(`summary-007.json${extensions[compression]}`)).toBe(true);
        expect(await archive.steps("s")).toEqual([{ step: 7, transcript, summary }]);
        const [size] = await archive.sizes();
        if (compression === "none") expect(size?.bytes).toBeGreaterThan(50_000);
        else expect(size?.bytes).toBeLessThan(5_000);
      }
    });

    it("keeps nothing of a transcript that cannot be written to its end", async () => {
      for (const compression of PACKINGS) {
        const files = await openFiles();
        const archive = createFileArchive(files, { compression });
        const list = [...Array.from({ length: 100 }, () => ({ text: "x".repeat(10_000) })), { n: 1n }];
        await expect(archive.saveTranscript("s", 1, asRedactedList(list))).rejects.toMatchObject({ code: "NOT_JSON" });
        expect((await files.list("s")).filter(({ name }) => name.includes("transcript"))).toEqual([]);
        expect(await archive.nextStep("s")).toBe(1);
      }
    });

    it("names the messages that lie in another step's damaged file, and gives the others", async () => {
      for (const compression of PACKINGS) {
        const files = await openFiles();
        const archive = createFileArchive(files, { compression });
        const first = Array.from({ length: 10 }, (_, n) => ({ role: "user", content: `first ${n}` }));
        const second = [...first.slice(3), { role: "user", content: "second" }];
        await archive.saveTranscript("s", 1, asRedactedList(first));
        await archive.saveTranscript("s", 2, asRedactedList(second));
        const [stored] = (await files.list("s")).filter(({ name }) => name.startsWith("transcript"));
        await files.remove("s", stored?.name ?? "");
        expect(await archive.readTranscript("s", 2)).toEqual([...first.slice(3).map(() => null), second.at(-1)]);
        await expect(archive.readTranscript("s", 2, { strict: true })).rejects.toMatchObject({
          code: "UNREADABLE_LINES",
          data: { lines: [1, 2, 3, 4, 5, 6, 7], elsewhere: [expect.stringContaining("transcript-pre-compact-001")] },
        });
      }
    });

    it("stores a step by itself when what it would refer to leaves while it is written", async () => {
      const files = await openFiles();
      const archive = createFileArchive(files);
      const list = [{ role: "user", content: "a" }];
      await archive.saveTranscript("s", 1, asRedactedList(list));
      const other = createFileArchive(files);
      const racing: ArchiveFiles = {
        ...bound(files),
        async create(sessionId, name, content, what) {
          const location = await files.create(sessionId, name, content, what);
          await other.removeStep("s", 1);
          return location;
        },
      };
      await expect(createFileArchive(racing).saveTranscript("s", 2, asRedactedList(list))).rejects.toMatchObject({
        code: "STEP_TAKEN",
      });
      expect((await archive.steps("s")).map(({ step }) => step)).toEqual([]);
      const next = await archive.nextStep("s");
      await archive.saveTranscript("s", next, asRedactedList(list));
      expect(await archive.readTranscript("s", next, { strict: true })).toEqual(list);
    });

    it("repacks what an earlier version stored with every step, and reads it before and after", async () => {
      for (const compression of PACKINGS) {
        const files = await openFiles();
        const { lists, texts } = await storeAsBefore(files, compression);
        const archive = createFileArchive(files, { compression });
        const check = async () => {
          for (const [index, list] of lists.entries()) {
            expect(await archive.readTranscript("s", index + 1, { strict: true })).toEqual(list);
            expect((await archive.readSummary("s", index + 1))?.text).toBe(texts[index]);
          }
        };
        await check();
        // One that refers to lines which keep their numbers.
        const last = [...(lists.at(-1) ?? []), { role: "user", content: "new" }];
        await archive.saveTranscript("s", lists.length + 1, asRedactedList(last));
        const bytes = (await archive.sizes()).reduce((sum, size) => sum + size.bytes, 0);
        const freed = await archive.repackSession("s");
        expect(freed).toBeGreaterThan(compression === "none" ? bytes / 2 : 0);
        await check();
        expect(await archive.readTranscript("s", lists.length + 1, { strict: true })).toEqual(last);
        expect(await archive.repackSession("s")).toBe(0);
        for (let step = 1; step <= lists.length; step++) await archive.removeStep("s", step);
        expect(await archive.readTranscript("s", lists.length + 1, { strict: true })).toEqual(last);
      }
    });

    it("reads what stands before the place where a file breaks off, and tells when asked", async () => {
      // Several blocks of zstd, which gives nothing of a block that is not whole.
      const list = Array.from({ length: 8000 }, (_, n) => ({ n, text: `${n * 7919}`.repeat(20) }));
      for (const compression of PACKINGS) {
        const files = await openFiles();
        const archive = createFileArchive(files, { compression });
        await archive.saveTranscript("s", 1, asRedactedList(list));
        const [stored] = (await files.list("s")).filter(({ name }) => name.startsWith("transcript"));
        const whole = (await files.read("s", stored?.name ?? "")) ?? new Uint8Array();
        const torn = whole.slice(0, Math.floor(whole.length * 0.7));
        await files.replace("s", stored?.name ?? "", torn, "transcript");
        const read = await archive.readTranscript("s", 1);
        expect(read.length).toBeGreaterThan(100);
        expect(read).toEqual(list.slice(0, read.length));
        await expect(archive.readTranscript("s", 1, { strict: true })).rejects.toMatchObject({
          code: "UNREADABLE_LINES",
          data: { lines: [read.length + 1] },
        });
      }
    });
  });
}

async function saveAndRemove(files: ArchiveFiles, seed: number): Promise<void> {
  const random = createRandom(seed);
  const archives = PACKINGS.map((compression) => createFileArchive(files, { compression }));
  const anyArchive = () => random.pick(archives);
  const kept = new Map<number, readonly unknown[]>();
  for (const list of randomLists(random, 8)) {
    const step = await anyArchive().nextStep("s");
    expect(kept.has(step)).toBe(false);
    await anyArchive().saveTranscript("s", step, asRedactedList(list));
    kept.set(step, list);
    if (random.below(3) > 0) continue;
    const gone = random.pick([...kept.keys()]);
    await anyArchive().removeStep("s", gone);
    kept.delete(gone);
  }
  expect((await anyArchive().steps("s")).map(({ step }) => step)).toEqual([...kept.keys()]);
  for (const archive of archives) {
    for (const [step, list] of kept) {
      expect(await archive.readTranscript("s", step, { strict: true })).toEqual(list);
    }
  }
}

/** As version 0.1 wrote them: each list whole, each text whole. */
async function storeAsBefore(files: ArchiveFiles, compression: Compression) {
  const message = (n: number) => ({ role: "user", content: `${n} ${String(n * 7919).repeat(60)}` });
  const lists: (readonly unknown[])[] = [];
  const texts: string[] = [];
  for (let step = 1; step <= 6; step++) {
    const summary = texts.at(-1) === undefined ? [] : [{ role: "user", content: texts.at(-1) }];
    lists.push([message(0), ...summary, ...Array.from({ length: 12 }, (_, n) => message(step * 3 + n))]);
    texts.push(Array.from({ length: 30 }, (_, n) => `what was done in part ${n < 20 ? n : step * n}`).join("\n"));
    const lines = lists.at(-1)?.map((one) => `${JSON.stringify(one)}\n`) ?? [];
    const record = `${JSON.stringify(summaryRecord("s", step, { text: texts.at(-1) ?? "" }), null, 2)}\n`;
    const encoder = new TextEncoder();
    const packed = await packBytes(compression, encoder.encode(lines.join("")));
    await files.create("s", transcriptFile(step, compression), packed, "transcript");
    await files.create("s", summaryFile(step), encoder.encode(record), "summary");
  }
  return { lists, texts };
}

/** With its methods, whether it is an object of a class or not. */
function bound(files: ArchiveFiles): ArchiveFiles {
  return {
    adapter: files.adapter,
    locate: (sessionId, name) => files.locate(sessionId, name),
    create: (sessionId, name, content, what) => files.create(sessionId, name, content, what),
    replace: (sessionId, name, content, what) => files.replace(sessionId, name, content, what),
    read: (sessionId, name) => files.read(sessionId, name),
    find: (sessionId, name) => files.find(sessionId, name),
    list: (sessionId) => files.list(sessionId),
    listAll: () => files.listAll(),
    remove: (sessionId, name) => files.remove(sessionId, name),
  };
}
