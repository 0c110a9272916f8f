// Objects on a real server: where they lie, that none is overwritten, what is written of them, and large ones.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeEach, expect, it, vi } from "vitest";
import type { ArchiveFiles } from "../../../src/archive/archive.ts";
import { createS3Files, type S3FilesOptions } from "../../../src/archive/s3/s3-files.ts";
import { sha256OfBytes } from "../../../src/storage/sha256.ts";
import { startProxy } from "./proxy.ts";
import { client, ENDPOINT, headOf, keysIn, newBucket, onStore, tagsOf, textOf } from "./store.ts";

const TRANSCRIPT = "transcript-pre-compact-001.jsonl";
const MEGABYTE = 1024 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);

onStore("files in a bucket", () => {
  let bucket = "";
  const open = (options: Partial<S3FilesOptions> = {}): ArchiveFiles =>
    createS3Files({ bucket, endpoint: ENDPOINT, now: () => 0, ...options });
  beforeEach(async () => {
    bucket = await newBucket();
  });

  it("lie below prefix and session, under the spec's names", async () => {
    const files = open({ prefix: "/team/agents/" });
    const place = await files.create("run-7", TRANSCRIPT, bytes("{}\n"), "transcript");
    await files.replace("run-7", "state.json", bytes("{}"), "state");
    expect(place).toBe(`s3://${bucket}/team/agents/run-7/${TRANSCRIPT}`);
    expect(files.locate("run-7", TRANSCRIPT)).toBe(place);
    expect(await keysIn(bucket)).toEqual(["team/agents/run-7/state.json", `team/agents/run-7/${TRANSCRIPT}`]);
    expect(await textOf(bucket, `team/agents/run-7/${TRANSCRIPT}`)).toBe("{}\n");
  });

  it("lie in folders of their own for ids of any kind, and are listed under the ids as they were given", async () => {
    const ids = [
      "../../x",
      "..\\..\\x",
      "/abs",
      "agent:main:1",
      "con",
      "a/b",
      "a_b",
      "A",
      "a",
      ".",
      "x".repeat(300),
      "x\u0001y",
      "é",
      "e\u0301",
    ];
    const files = open();
    for (const id of ids) await files.create(id, TRANSCRIPT, bytes(id), "transcript");
    await expect(files.create("", TRANSCRIPT, bytes(""), "transcript")).rejects.toMatchObject({ kind: "InvalidInput" });
    await expect(files.list("")).rejects.toMatchObject({ kind: "InvalidInput" });
    for (const key of await keysIn(bucket)) expect(key).toMatch(/^agent-compact\/[a-z0-9_.-]{1,100}\/[a-z0-9.-]+$/);
    // Another process knows none of the ids.
    const listed = (await open().listAll()).filter(({ name }) => name === TRANSCRIPT);
    expect(listed.map(({ session_id }) => session_id).sort()).toEqual([...ids].sort());
    for (const id of ids) expect(await open().read(id, TRANSCRIPT)).toEqual(bytes(id));
    // Only where the folder's name is not the id itself.
    const identities = (await keysIn(bucket)).filter((key) => key.endsWith("/session.json"));
    expect(identities).toHaveLength(ids.length - 2);
  });

  it("pass over what is somebody else's", async () => {
    const files = open();
    await files.create("s", TRANSCRIPT, bytes("{}"), "transcript");
    const foreign = [
      "notes.txt",
      "agent-compact",
      "agent-compact/",
      "agent-compact/loose",
      "agent-compact/s/deeper/x",
      "agent-compact/Not A Session/x",
      "agent-compact/bad/",
      "other/s/x",
    ];
    for (const Key of foreign) await client().send(new PutObjectCommand({ Bucket: bucket, Key, Body: "x" }));
    expect((await files.listAll()).map(({ session_id, name }) => [session_id, name])).toEqual([["s", TRANSCRIPT]]);
    expect((await files.list("s")).map(({ name }) => name)).toEqual([TRANSCRIPT]);
  });

  it("are listed beyond one page", async () => {
    const s3 = client();
    const names = Array.from({ length: 1003 }, (_, n) => `summary-${String(n + 1).padStart(4, "0")}.json`);
    for (let start = 0; start < names.length; start += 50)
      await Promise.all(
        names
          .slice(start, start + 50)
          .map((name) => s3.send(new PutObjectCommand({ Bucket: bucket, Key: `agent-compact/s/${name}`, Body: "1" }))),
      );
    expect((await open().list("s")).map(({ name }) => name).sort()).toEqual(names);
    expect(await open().listAll()).toHaveLength(1003);
  });

  it("are never overwritten, and of many writers one has the name", async () => {
    const writers = Array.from({ length: 8 }, () => open());
    const settled = await Promise.allSettled(
      writers.map((files, n) => files.create("s", TRANSCRIPT, bytes(`writer ${n}`), "transcript")),
    );
    const winners = settled.flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(await textOf(bucket, `agent-compact/s/${TRANSCRIPT}`)).toBe(`writer ${winners[0]}`);
    for (const result of settled)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ kind: "Conflict", code: "STEP_TAKEN" });
    // Also by a writer of the very same bytes: two processes must not both believe that the step is theirs.
    await expect(open().create("s", TRANSCRIPT, bytes(`writer ${winners[0]}`), "transcript")).rejects.toMatchObject({
      code: "STEP_TAKEN",
    });
  });

  it("carry their hash, their kind and the tags that were asked for", async () => {
    const proxy = await startProxy(() => "forward");
    const files = open({ endpoint: proxy.endpoint, tags: { team: "pay ments", cost: "a=b" } });
    await files.create("s", TRANSCRIPT, bytes("{}\n"), "transcript");
    await files.create("s", "summary-001.json", bytes("{}"), "summary");
    await files.replace("s", "state.json", bytes("{}"), "state");
    proxy.close();
    const kinds = ["transcript", "summary", "state"];
    for (const [at, name] of [TRANSCRIPT, "summary-001.json", "state.json"].entries()) {
      expect(await tagsOf(bucket, `agent-compact/s/${name}`)).toEqual({
        "agent-compact-kind": kinds[at],
        team: "pay ments",
        cost: "a=b",
      });
    }
    expect((await headOf(bucket, `agent-compact/s/${TRANSCRIPT}`)).Metadata?.sha256).toBe(sha256OfBytes(bytes("{}\n")));
    // Other stores do not know the checksums that the SDK adds of itself.
    for (const { headers } of proxy.seen)
      expect(Object.keys(headers).join()).not.toMatch(/x-amz-checksum|x-amz-trailer/);
  });

  it("of twenty megabytes are written whole, once, with their hash", async () => {
    const content = new Uint8Array(20 * MEGABYTE + 7).map((_, n) => n % 251);
    const pieces = async function* () {
      for (let at = 0; at < content.length; at += 3 * MEGABYTE) yield content.subarray(at, at + 3 * MEGABYTE);
    };
    await open().create("s", TRANSCRIPT, pieces(), "transcript");
    expect(Buffer.compare((await open().read("s", TRANSCRIPT)) ?? new Uint8Array(), content)).toBe(0);
    const key = `agent-compact/s/${TRANSCRIPT}`;
    const head = await headOf(bucket, key);
    expect(head.Metadata?.sha256).toBe(sha256OfBytes(content));
    await expect(open().create("s", TRANSCRIPT, content.fill(9), "transcript")).rejects.toMatchObject({
      code: "STEP_TAKEN",
    });
    expect((await headOf(bucket, key)).ETag).toBe(head.ETag);
  });

  it("are removed once and for all, quietly when they are gone", async () => {
    const files = open();
    await files.create("s", TRANSCRIPT, bytes("{}"), "transcript");
    await files.remove("s", TRANSCRIPT);
    await files.remove("s", TRANSCRIPT);
    expect(await files.read("s", TRANSCRIPT)).toBeUndefined();
    expect(await files.list("s")).toEqual([]);
    expect(await keysIn(bucket)).toEqual([]);
  });

  it("find the server by AWS's own variables, too", async () => {
    for (const name of ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"]) {
      vi.stubEnv(name, ENDPOINT);
      const { endpoint: _, ...options } = { bucket, endpoint: undefined };
      await createS3Files(options).create(name.toLowerCase(), TRANSCRIPT, bytes("{}"), "transcript");
      vi.stubEnv(name, undefined);
    }
    expect(await keysIn(bucket)).toHaveLength(2);
  });
});
