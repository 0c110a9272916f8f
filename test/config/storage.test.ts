// The block `storage`: where the archive is, and which keys go together.
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { archiveOf, archivePlace } from "../../src/factories/archive.ts";
import { CompactManager } from "../../src/index.ts";
import { configFile, failureOf } from "./config-folder.ts";

function load(content: string, env: Record<string, string> = {}) {
  const path = configFile(`storage: {${content}}\n`);
  return loadConfig({ file: basename(path), cwd: dirname(path), env });
}

const S3 = "adapter: s3, bucket: archives";

describe("storage", () => {
  it("names a bucket with everything that goes with it", async () => {
    const { config } = await load(
      `${S3}, prefix: a/b, kms_key_id: alias/x, region: eu-central-1, endpoint: 'https://objects.example.com', compression: gzip, timeout_ms: 5000, tags: [team=pay ments, k=a=b], retention: {max_age_days: 90, max_bytes: 1000}`,
    );
    expect(config.storage).toEqual({
      adapter: "s3",
      bucket: "archives",
      prefix: "a/b",
      kmsKeyId: "alias/x",
      region: "eu-central-1",
      endpoint: "https://objects.example.com",
      compression: "gzip",
      timeoutMs: 5000,
      tags: ["team=pay ments", "k=a=b"],
      retention: { maxAgeDays: 90, maxBytes: 1000 },
    });
    expect(archiveOf(config.storage).adapter).toBe("s3");
    expect(archivePlace(config.storage)).toBe("s3://archives/a/b");
    expect(archiveOf().adapter).toBe("fs");
    expect(archivePlace()).toBe(".compact/archive");
  });

  it("may come from the environment as a whole", async () => {
    const { config } = await load("path: kept", {
      COMPACT_STORAGE_ADAPTER: "s3",
      COMPACT_STORAGE_BUCKET: "archives",
      COMPACT_STORAGE_PREFIX: "p",
      COMPACT_STORAGE_KMS_KEY_ID: "2f0c",
      COMPACT_STORAGE_REGION: "eu-west-1",
      COMPACT_STORAGE_ENDPOINT: "http://127.0.0.1:9000",
      COMPACT_STORAGE_TAGS: "team=a, cost=b",
      COMPACT_STORAGE_COMPRESSION: "zstd",
      COMPACT_STORAGE_RETENTION_MAX_AGE_DAYS: "30",
    });
    expect(config.storage).toMatchObject({
      bucket: "archives",
      kmsKeyId: "2f0c",
      tags: ["team=a", "cost=b"],
      path: "kept",
    });
    expect(config.storage?.retention).toEqual({ maxAgeDays: 30 });
    // A variable can switch to the disk for one run, but never away from encryption.
    const switched = await load(S3, { COMPACT_STORAGE_ADAPTER: "fs" });
    expect(archiveOf(switched.config.storage).adapter).toBe("fs");
    expect(await failureOf(load(`${S3}, kms_key_id: x`, { COMPACT_STORAGE_ADAPTER: "fs" }))).toContain(
      "storage.kms_key_id must stand with the adapter s3",
    );
  });

  it.each([
    ["adapter: s3", "storage.bucket must be given for the adapter s3"],
    ["bucket: archives", "storage.adapter must be s3 for a bucket"],
    ["kms_key_id: x", "storage.kms_key_id must stand with the adapter s3"],
    ["adapter: fs, kms_key_id: x", "storage.kms_key_id must stand with the adapter s3"],
    ["adapter: gcs", "storage.adapter must be one of: fs, s3"],
    ["adapter: s3, bucket: 's3://archives'", "storage.bucket must be the name of a bucket"],
    [`${S3}, prefix: a//b`, "storage.prefix must not hold an empty folder"],
    [`${S3}, prefix: a/../b`, "storage.prefix must not hold . or .."],
    [`${S3}, kms_key_id: 'a b'`, "storage.kms_key_id must be the id, the ARN or the alias"],
    [`${S3}, region: 'eu central'`, "storage.region must be a region"],
    [`${S3}, endpoint: objects.example.com`, "storage.endpoint must be an http or https address"],
    [`${S3}, endpoint: 'http://objects.example.com'`, "storage.endpoint must begin with https"],
    [`${S3}, endpoint: 'https://key:hidden@objects.example.com'`, "storage.endpoint must not hold a user name, a key"],
    [
      `${S3}, endpoint: 'https://objects.example.com/?token=hidden'`,
      "storage.endpoint must not hold a user name, a key",
    ],
    [`${S3}, tags: [team]`, "storage.tags must be a list of name=value"],
    [`${S3}, tags: [team=a, team=b]`, "storage.tags must name each tag once"],
    [`${S3}, tags: [agent-compact-kind=x]`, "storage.tags must not name agent-compact-kind"],
    [`${S3}, compression: brotli`, "storage.compression must be one of: none, gzip, zstd"],
    ["retention: {max_age_days: 0}", "storage.retention.max_age_days must be a whole number from 1"],
    ["retention: {max_days: 1}", "storage.retention.max_days is not a known key"],
    [`${S3}, access_key_id: x`, "storage.access_key_id is not a known key"],
  ])("refuses {%s}", async (content, expected) => {
    const message = await failureOf(load(content));
    expect(message).toContain(expected);
    expect(message).not.toContain("hidden");
  });

  it("is what code takes, too", () => {
    expect(() => new CompactManager({ archive: { adapter: "s3", bucket: "archives" } })).not.toThrow();
    const given: readonly (readonly [unknown, string])[] = [
      [{ adapter: "s3" }, "archive.bucket must be given for the adapter s3"],
      [{ path: "x", kmsKeyId: "k" }, "archive.kms_key_id must stand with the adapter s3"],
      [{ pth: "x" }, "archive.pth is not a known key"],
      [{ path: "" }, "archive.path must not be empty"],
      ["folder", "archive must be an archive, {path} or false"],
      [{ saveTranscript: () => undefined }, "archive must be an archive, {path} or false"],
    ];
    for (const [archive, message] of given) expect(() => new CompactManager({ archive } as never)).toThrow(message);
  });
});
