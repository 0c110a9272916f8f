// Encryption with a KMS key: what the server keeps, and what becomes of an object whose encryption it does not confirm.
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createS3Files, type S3FilesOptions } from "../../../src/archive/s3/s3-files.ts";
import { CompactManager } from "../../../src/index.ts";
import { turns } from "../../conversation/support.ts";
import { verifies } from "../../requirements/verifies.ts";
import { type Fault, type StoreProxy, startProxy } from "./proxy.ts";
import {
  ENDPOINT,
  everythingIn,
  failureOf,
  headOf,
  KMS_KEY,
  keysIn,
  newBucket,
  OTHER_KMS_KEY,
  onStore,
  SERVER_CONF,
  textOf,
} from "./store.ts";

const TRANSCRIPT = "transcript-pre-compact-001.jsonl";
const MARKER = "the quick brown marker of this test";
const bytes = (text: string) => new TextEncoder().encode(text);
const large = () => new Uint8Array(9 * 1024 * 1024).fill(65);

onStore("encryption in a bucket", () => {
  let bucket = "";
  let proxy: StoreProxy | undefined;
  const open = (options: Partial<S3FilesOptions> = {}) =>
    createS3Files({ bucket, endpoint: ENDPOINT, kmsKeyId: KMS_KEY, ...options });
  const through = async (decide: Parameters<typeof startProxy>[0]) => {
    proxy = await startProxy(decide);
    return proxy.endpoint;
  };
  beforeEach(async () => {
    bucket = await newBucket();
  });
  afterEach(() => {
    proxy?.close();
    proxy = undefined;
  });

  it("is asked for with algorithm and key on each write, small, large and replaced, and the store names the key", async () => {
    verifies("field/object-store-faults", "conversation/s3-archive-with-encryption");
    const files = open({ endpoint: await through(() => "forward") });
    await files.create("A", TRANSCRIPT, bytes(MARKER), "transcript");
    await files.create("A", "transcript-pre-compact-002.jsonl", large(), "transcript");
    await files.replace("A", "state.json", bytes("{}"), "state");
    const starts = (proxy?.seen ?? []).filter(({ method }) => method === "PUT");
    // session.json, since the folder's name is not the id.
    expect(starts).toHaveLength(4);
    for (const { headers } of starts)
      expect(headers).toMatchObject({
        "x-amz-server-side-encryption": "aws:kms",
        "x-amz-server-side-encryption-aws-kms-key-id": KMS_KEY,
      });
    const keys = await keysIn(bucket);
    expect(keys).toHaveLength(4);
    for (const key of keys)
      expect(await headOf(bucket, key)).toMatchObject({ ServerSideEncryption: "aws:kms", SSEKMSKeyId: KMS_KEY });
    expect(await files.read("A", TRANSCRIPT)).toEqual(bytes(MARKER));
  });

  it.skipIf(SERVER_CONF === "")(
    "leaves nothing readable on the server's disk, and without a key all of it",
    { timeout: 90_000 },
    async () => {
      verifies("conversation/s3-archive-with-encryption");
      const large = "transcript-pre-compact-002.jsonl";
      await open().create("sealed", TRANSCRIPT, bytes(MARKER), "transcript");
      await open().create("sealed", large, largeWith(MARKER), "transcript");
      const raw = rawBytes();
      expect(raw.length).toBeGreaterThanOrEqual(MARKER.length + largeWith(MARKER).length);
      expect(raw.includes(MARKER)).toBe(false);
      expect(raw.includes("AAAAAAAA")).toBe(false);
      const plain = createS3Files({ bucket, endpoint: ENDPOINT });
      await plain.create("open", large, largeWith(MARKER), "transcript");
      expect(rawBytes().includes(MARKER)).toBe(true);
      await plain.create("open", TRANSCRIPT, bytes(MARKER), "transcript");
      expect(rawBytes("open/transcript-pre-compact-001").includes(MARKER)).toBe(true);
      expect(await textOf(bucket, `agent-compact/sealed/${TRANSCRIPT}`)).toBe(MARKER);
    },
  );

  /** What lies in the store under the gateway, past all that it does. */
  function rawBytes(part = ""): Buffer {
    const run = (...words: string[]) =>
      execFileSync("rados", ["-c", SERVER_CONF, "-p", "default.rgw.buckets.data", ...words], {
        maxBuffer: 64 << 20,
        stdio: ["ignore", "pipe", "ignore"],
      });
    const marker = bucketMarker();
    const names = run("ls")
      .toString()
      .split("\n")
      .filter((name) => name.startsWith(`${marker}_`) && name.includes(part));
    return Buffer.concat(names.map((name) => run("get", name, "-")));
  }

  function bucketMarker(): string {
    const stats = execFileSync("radosgw-admin", ["-c", SERVER_CONF, "bucket", "stats", `--bucket=${bucket}`], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    return (JSON.parse(stats.toString()) as { marker: string }).marker;
  }

  it("with a key that the store does not have is refused, and nothing is there", async () => {
    for (const content of [bytes(MARKER), large()]) {
      const error = await failureOf(open({ kmsKeyId: "no-such-key" }).create("s", TRANSCRIPT, content, "transcript"));
      expect(error).toMatchObject({
        kind: "ArchiveFailed",
        code: "KMS_REFUSED",
        hint: expect.stringContaining("kms_key_id"),
      });
      expect(error.message).toContain(`s3://${bucket}/agent-compact/s/${TRANSCRIPT}`);
      // It is the access key that this code means.
      expect(error.message + JSON.stringify(error)).not.toContain("InvalidAccessKeyId");
    }
    expect(await keysIn(bucket)).toEqual([]);
  });

  const notConfirmed: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    [
      "a server that stores without it",
      { "x-amz-server-side-encryption": undefined, "x-amz-server-side-encryption-aws-kms-key-id": undefined },
    ],
    ["another algorithm", { "x-amz-server-side-encryption": "AES256" }],
    ["another key", { "x-amz-server-side-encryption-aws-kms-key-id": OTHER_KMS_KEY }],
  ];
  describe.each(notConfirmed)("that is not confirmed: %s", (_, headers) => {
    const odd = (): Fault => ({ headers });

    it("takes the object back, small, large or replaced", async () => {
      verifies("field/object-store-faults");
      const files = open({ endpoint: await through(odd) });
      for (const attempt of [
        () => files.create("s", TRANSCRIPT, bytes(MARKER), "transcript"),
        () => files.create("s", "summary-001.json", large(), "summary"),
        () => files.replace("s", "state.json", bytes("{}"), "state"),
        () => files.create("Session", TRANSCRIPT, bytes(MARKER), "transcript"),
      ])
        expect(await failureOf(attempt())).toMatchObject({ kind: "ArchiveFailed", code: "ENCRYPTION_NOT_CONFIRMED" });
      expect(await keysIn(bucket)).toEqual([]);
    });

    it("prunes nothing of the conversation", async () => {
      verifies("field/object-store-faults", "conversation/s3-archive-with-encryption");
      const endpoint = await through(odd);
      const manager = new CompactManager({
        archive: { adapter: "s3", bucket, endpoint, kmsKeyId: KMS_KEY, path: "/nonexistent/never" },
      });
      const messages = turns(20);
      const before = structuredClone(messages);
      const error = await failureOf(manager.manualCompact("s", messages));
      expect(error).toMatchObject({ kind: "ArchiveFailed", code: "ENCRYPTION_NOT_CONFIRMED" });
      expect(messages).toEqual(before);
      expect(await keysIn(bucket)).toEqual([]);
      expect(everythingIn(error)).not.toContain("turn 1");
    });
  });

  it("says so when the object could not be taken back", async () => {
    const decide = ({ method }: { method: string }): Fault =>
      method === "DELETE"
        ? { status: 403, code: "AccessDenied" }
        : { headers: { "x-amz-server-side-encryption": undefined } };
    const error = await failureOf(
      open({ endpoint: await through(decide) }).create("s", TRANSCRIPT, bytes("x"), "transcript"),
    );
    expect(error).toMatchObject({ code: "ENCRYPTION_NOT_CONFIRMED", data: { removed: false } });
    expect(error.message).toContain("delete it by hand");
  });
});

function largeWith(marker: string): Uint8Array {
  const content = large();
  content.set(bytes(marker), 8_500_000);
  return content;
}
