// What can be told of an archive in a bucket without a server: places, tags, whether an answer confirms encryption, and
// which options are refused before anything is asked.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createS3Archive } from "../../../src/archive/archives.ts";
import { s3Failure } from "../../../src/archive/s3/s3-failure.ts";
import { createS3Files } from "../../../src/archive/s3/s3-files.ts";
import { decodeIdentity } from "../../../src/archive/s3/s3-settings.ts";
import { isEncrypted } from "../../../src/archive/s3/write-object.ts";
import { silenceSdkWarning } from "../../../src/config/variables.ts";

const UNRUN = fileURLToPath(new URL("../../../node_modules/unrun/dist/cli.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const MAIN = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

const ARN = "arn:aws:kms:eu-central-1:123456789012:key/2f0c8c1e-0000-4000-8000-000000000001";
const ID = "2f0c8c1e-0000-4000-8000-000000000001";

describe("an archive in a bucket", () => {
  it.each([
    [{}, "s3://bucket/agent-compact/s/x"],
    [{ prefix: "" }, "s3://bucket/s/x"],
    [{ prefix: "/" }, "s3://bucket/s/x"],
    [{ prefix: "a/b/" }, "s3://bucket/a/b/s/x"],
  ])("lies with %j at %s", (options, place) => {
    expect(createS3Files({ bucket: "bucket", ...options }).locate("s", "x")).toBe(place);
    expect(createS3Archive({ bucket: "bucket", ...options }).adapter).toBe("s3");
  });

  it.each([
    [{ bucket: "" }, "bucket"],
    [{ bucket: "s3://bucket" }, "bucket"],
    [{ bucket: "bucket/folder" }, "bucket"],
    [{ bucket: "b?x" }, "bucket"],
    [{ bucket: "bucket", prefix: "a//b" }, "prefix"],
    [{ bucket: "bucket", prefix: "../b" }, "prefix"],
    [{ bucket: "bucket", prefix: "a/./b" }, "prefix"],
    [{ bucket: "bucket", prefix: "a\u0000b" }, "prefix"],
    [{ bucket: "bucket", prefix: "s3://a" }, "prefix"],
    [{ bucket: "bucket", prefix: "ä".repeat(500) }, "prefix"],
    [{ bucket: "bucket", tags: { "agent-compact-kind": "x" } }, "tags"],
    [{ bucket: "bucket", tags: { "AWS:x": "x" } }, "tags"],
    [{ bucket: "bucket", tags: { a: "line\nbreak" } }, "tags"],
    [{ bucket: "bucket", tags: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`t${n}`, "x"])) }, "tags"],
  ])("refuses %j before it asks anything", (options, field) => {
    expect(() => createS3Archive(options)).toThrowError(expect.objectContaining({ kind: "InvalidConfig" }));
    expect(() => createS3Archive(options)).toThrow(field);
  });
});

describe("a key that the store does not know", () => {
  it("is not told with the code of a wrong access key", () => {
    const answer = { name: "InvalidAccessKeyId", message: "unknown kms-key", $metadata: { httpStatusCode: 403 } };
    const error = s3Failure("save", "s3://bucket/x", answer);
    expect(error).toMatchObject({ code: "KMS_REFUSED", message: expect.stringMatching(/cannot be used \(403\)$/) });
    expect(error.data).not.toHaveProperty("reason");
    const wrong = s3Failure("save", "s3://bucket/x", { ...answer, message: "" });
    expect(wrong.message).toContain("(InvalidAccessKeyId, 403)");
  });
});

describe("the program with an archive in a bucket", () => {
  it("keeps the SDK's warning about Node's age off standard error", () => {
    const cwd = mkdtempSync(join(tmpdir(), "agent-compact-s3-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    writeFileSync(
      join(cwd, "compact.yaml"),
      "storage: {adapter: s3, bucket: bbb, endpoint: 'http://127.0.0.1:9', timeout_ms: 1000}\n",
    );
    const { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: _, ...env } = process.env;
    const { stderr, status } = spawnSync(
      process.execPath,
      [UNRUN, MAIN, "archive", "list", "--config", join(cwd, "compact.yaml")],
      {
        cwd: ROOT,
        encoding: "utf8",
        env: { ...env, AWS_ACCESS_KEY_ID: "AKIDOFTEST", AWS_SECRET_ACCESS_KEY: "x", AWS_REGION: "us-east-1" },
      },
    );
    expect(status).not.toBe(0);
    expect(stderr).toContain("s3://bbb/");
    expect(stderr).not.toContain("Warning");
  }, 30_000);

  it("leaves a setting of the user's alone", () => {
    const environment: Record<string, string | undefined> = {};
    silenceSdkWarning(environment);
    expect(environment).toEqual({ AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" });
    const own = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "false" };
    silenceSdkWarning(own);
    expect(own).toEqual({ AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "false" });
  });
});

describe("an answer confirms encryption", () => {
  it.each([
    [ID, { ServerSideEncryption: "aws:kms", SSEKMSKeyId: ID }],
    [ID, { ServerSideEncryption: "aws:kms", SSEKMSKeyId: ARN }],
    [ARN, { ServerSideEncryption: "aws:kms", SSEKMSKeyId: ID }],
    ["alias/archives", { ServerSideEncryption: "aws:kms", SSEKMSKeyId: ARN }],
    ["arn:aws:kms:eu-central-1:123456789012:alias/archives", { ServerSideEncryption: "aws:kms", SSEKMSKeyId: ARN }],
    [ID, { ServerSideEncryption: "aws:kms" }],
    [undefined, {}],
  ])("with the key %s: %j", (key, answer) => expect(isEncrypted(key, answer)).toBe(true));

  it.each([
    [ID, {}],
    [ID, { SSEKMSKeyId: ID }],
    [ID, { ServerSideEncryption: "AES256", SSEKMSKeyId: ID }],
    [ID, { ServerSideEncryption: "aws:kms", SSEKMSKeyId: ARN.replace("0001", "0002") }],
    ["alias/archives", { ServerSideEncryption: "AES256" }],
  ])("not with the key %s: %j", (key, answer) => expect(isEncrypted(key, answer)).toBe(false));
});

it("takes an identity only for the folder that it belongs to", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(decodeIdentity(bytes('{"session_id":"s"}'), "s")).toBe("s");
  for (const text of ['{"session_id":"t"}', '{"session_id":""}', "[]", "null", "torn {"])
    expect(decodeIdentity(bytes(text), "s")).toBeUndefined();
  expect(decodeIdentity(undefined, "s")).toBeUndefined();
});
