// The archive in a bucket does what every archive does, and a conversation is compacted into it as a whole.
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeEach, describe, expect, it } from "vitest";
import { createS3Archive } from "../../../src/archive/archives.ts";
import { CompactManager } from "../../../src/index.ts";
import { turns } from "../../conversation/support.ts";
import { verifies } from "../../requirements/verifies.ts";
import { archiveContract } from "../archive-contract.ts";
import { asRedacted, asRedactedList, summaryRecord } from "../redacted-samples.ts";
import { client, ENDPOINT, headOf, KMS_KEY, keysIn, newBucket, onStore, textOf } from "./store.ts";

onStore("an archive in a bucket", () => {
  let bucket = "";
  beforeEach(async () => {
    bucket = await newBucket();
  });

  describe("plain", () =>
    archiveContract("s3", async () => createS3Archive({ bucket: await newBucket(), endpoint: ENDPOINT })));
  describe("encrypted", () =>
    archiveContract("s3 with KMS", async () =>
      createS3Archive({ bucket: await newBucket(), endpoint: ENDPOINT, kmsKeyId: KMS_KEY }),
    ));

  it("packs transcripts when told to, and reads them however they are", async () => {
    const packed = createS3Archive({ bucket, endpoint: ENDPOINT, kmsKeyId: KMS_KEY, compression: "gzip" });
    const messages = Array.from({ length: 200 }, (_, n) => ({ role: "user", content: `message ${n}` }));
    await packed.saveTranscript("s", 1, asRedactedList(messages));
    expect(await keysIn(bucket)).toEqual(["agent-compact/s/transcript-pre-compact-001.jsonl.gz"]);
    const plain = createS3Archive({ bucket, endpoint: ENDPOINT });
    expect(await plain.readTranscript("s", 1, { strict: true })).toEqual(messages);
    expect(await plain.changedFiles("s", 1)).toEqual([]);
    // In a session of its own: in the same one, nothing of it would be stored again.
    await plain.saveTranscript("t", 1, asRedactedList(messages));
    expect(await packed.readTranscript("t", 1, { strict: true })).toEqual(messages);
    const [first = 0, second = 0] = (await packed.sizes()).map(({ bytes }) => bytes);
    expect(first).toBeLessThan(second / 4);
  });

  it("has the spec's names and counts on from what is there", async () => {
    verifies("conversation/s3-archive-with-encryption");
    const open = () => createS3Archive({ bucket, prefix: "p", endpoint: ENDPOINT, kmsKeyId: KMS_KEY });
    await open().saveTranscript("s", 1, asRedactedList([{ n: 1 }, { n: 2 }]));
    await open().saveSummary("s", 1, summaryRecord("s", 1));
    await open().writeState("s", asRedacted({ step: 1 }));
    expect(await keysIn(bucket)).toEqual([
      "p/s/state.json",
      "p/s/summary-001.json",
      "p/s/transcript-pre-compact-001.jsonl",
    ]);
    expect(await textOf(bucket, "p/s/transcript-pre-compact-001.jsonl")).toBe('{"n":1}\n{"n":2}\n');
    expect(await open().nextStep("s")).toBe(2);
  });

  it("tells which files are not what was written, by the hash beside each", async () => {
    const archive = createS3Archive({ bucket, endpoint: ENDPOINT });
    const place = await archive.saveTranscript("s", 1, asRedactedList([{ n: 1 }]));
    await archive.saveSummary("s", 1, summaryRecord("s", 1));
    expect(await archive.changedFiles("s", 1)).toEqual([]);
    const Key = place.slice(`s3://${bucket}/`.length);
    const { Metadata } = await headOf(bucket, Key);
    await client().send(new PutObjectCommand({ Bucket: bucket, Key, Body: '{"n":2}\n', Metadata }));
    expect(await archive.changedFiles("s", 1)).toEqual([{ what: "transcript", location: place }]);
  });

  it("takes a conversation, gives it back, and is read on by a process that knows nothing of it", async () => {
    verifies("conversation/s3-archive-with-encryption");
    const path = await mkdtemp(join(tmpdir(), "events-"));
    const archive = { adapter: "s3", bucket, endpoint: ENDPOINT, kmsKeyId: KMS_KEY, path, tags: ["team=a"] } as const;
    const manager = new CompactManager({ archive });
    const first = await manager.manualCompact("Run/7", turns(20));
    expect(first.length).toBeLessThan(turns(20).length);
    await manager.flush();
    const next = new CompactManager({ archive });
    await next.manualCompact("Run/7", [...first, ...turns(20, (n) => `second ${n}`)]);
    await next.flush();
    const keys = await keysIn(bucket);
    expect(keys.map((key) => key.split("/").at(-1))).toEqual([
      "session.json",
      "state-000002.jsonl.gz",
      "state.json",
      "summary-001.json",
      "summary-002.json",
      "transcript-pre-compact-001.jsonl",
      "transcript-pre-compact-002.jsonl",
    ]);
    for (const key of keys)
      expect(await headOf(bucket, key)).toMatchObject({ ServerSideEncryption: "aws:kms", SSEKMSKeyId: KMS_KEY });
    const reader = createS3Archive({ bucket, endpoint: ENDPOINT });
    expect(await reader.sessions()).toEqual(["Run/7"]);
    expect(await reader.readTranscript("Run/7", 1, { strict: true })).toEqual(turns(20));
    // The events stay here.
    const [folder = ""] = await readdir(path);
    expect(await readdir(join(path, folder))).toContain("events.jsonl");
    const events = (await readFile(join(path, folder, "events.jsonl"), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; storage_adapter?: string; path?: string });
    const saved = events.filter(({ event }) => event === "compact.archival");
    expect(saved).toHaveLength(4);
    for (const event of saved) {
      expect(event.storage_adapter).toBe("s3");
      expect(JSON.stringify(event)).toContain(`s3://${bucket}/agent-compact/run-7--`);
    }
  });

  it("stays readable when the place in the middle of a session is lost", async () => {
    const archive = createS3Archive({ bucket, endpoint: ENDPOINT });
    await archive.saveTranscript("s", 1, asRedactedList([{ n: 1 }]));
    await archive.saveTranscript("s", 2, asRedactedList([{ n: 2 }]));
    expect(await archive.removeStep("s", 1)).toBeGreaterThan(0);
    expect(await archive.readTranscript("s", 2)).toEqual([{ n: 2 }]);
    expect(await archive.nextStep("s")).toBe(3);
    expect((await archive.sizes()).map(({ step }) => step)).toEqual([2]);
  });
});
