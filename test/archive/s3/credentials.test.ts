// Who may write: each way of not being allowed has words of its own, and none of them a credential in it.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createS3Files } from "../../../src/archive/s3/s3-files.ts";
import { CompactManager } from "../../../src/index.ts";
import { turns } from "../../conversation/support.ts";
import { verifies } from "../../requirements/verifies.ts";
import { type StoreProxy, startProxy } from "./proxy.ts";
import {
  asUser,
  CREDENTIALS,
  ENDPOINT,
  everythingIn,
  failureOf,
  KMS_KEY,
  keysIn,
  newBucket,
  onStore,
  STRANGER,
} from "./store.ts";

const TRANSCRIPT = "transcript-pre-compact-001.jsonl";
const bytes = (text: string) => new TextEncoder().encode(text);
const FORGED_TOKEN = "FwoGZXIvYXdzEForgedSessionTokenOfThisTest0123456789";
const FOREIGN_SECRET = "foreignSecretOfThisTest0123456789abcdefg";

onStore("credentials for a bucket", () => {
  let bucket = "";
  let proxy: StoreProxy | undefined;
  beforeEach(async () => {
    bucket = await newBucket();
  });
  afterEach(() => {
    proxy?.close();
    proxy = undefined;
  });

  const attempts = (endpoint = ENDPOINT) => {
    const files = createS3Files({ bucket, endpoint, kmsKeyId: KMS_KEY });
    return [
      () => files.create("s", TRANSCRIPT, bytes("{}"), "transcript"),
      () => files.create("s", TRANSCRIPT, new Uint8Array(9_000_000), "transcript"),
      () => files.read("s", TRANSCRIPT),
      () => files.find("s", TRANSCRIPT),
      () => files.list("s"),
      () => files.remove("s", TRANSCRIPT),
    ];
  };

  const refused: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["a forged session token", { ...CREDENTIALS, AWS_SESSION_TOKEN: FORGED_TOKEN }],
    ["a wrong secret", { ...CREDENTIALS, AWS_SECRET_ACCESS_KEY: FOREIGN_SECRET }],
    ["an unknown key", { AWS_ACCESS_KEY_ID: "AKIAUNKNOWNKEYOFTEST", AWS_SECRET_ACCESS_KEY: FOREIGN_SECRET }],
    ...(STRANGER.AWS_ACCESS_KEY_ID === "" ? [] : [["a user without rights", STRANGER] as const]),
  ];
  it.each(refused)("of %s are refused, told what to do, and quote nothing", async (_, variables) => {
    verifies("field/object-store-faults");
    asUser(variables);
    for (const attempt of attempts()) {
      const error = await failureOf(attempt());
      expect(error).toMatchObject({ kind: "ArchiveFailed" });
      expect(error.code).toMatch(/^(ACCESS_DENIED|CREDENTIALS_REFUSED|CREDENTIALS_EXPIRED)$/);
      expect(error.message).toContain(`s3://${bucket}/agent-compact/s/`);
      expect(error.hint).toMatch(/s3:PutObject|credentials/);
      for (const value of Object.values(variables)) expect(everythingIn(error)).not.toContain(value);
    }
    asUser(CREDENTIALS);
    expect(await keysIn(bucket)).toEqual([]);
  });

  it.each([
    ["ExpiredToken", 400, "CREDENTIALS_EXPIRED", "Renew"],
    ["InvalidToken", 400, "CREDENTIALS_EXPIRED", "Renew"],
    ["InvalidAccessKeyId", 403, "CREDENTIALS_REFUSED", "AWS_PROFILE"],
    ["SignatureDoesNotMatch", 403, "CREDENTIALS_REFUSED", "AWS_PROFILE"],
    ["AccessDenied", 403, "ACCESS_DENIED", "s3:DeleteObjectVersion"],
    ["RequestTimeTooSkewed", 403, "CLOCK_SKEW", "clock"],
    ["KMS.NotFoundException", 400, "KMS_REFUSED", "kms_key_id"],
    ["KMS.DisabledException", 400, "KMS_REFUSED", "kms_key_id"],
    ["NoSuchBucket", 404, "BUCKET_NOT_FOUND", "storage.bucket"],
    ["PermanentRedirect", 301, "WRONG_REGION", "storage.region"],
    ["AuthorizationHeaderMalformed", 400, "WRONG_REGION", "storage.region"],
    ["NotImplemented", 501, "NOT_IMPLEMENTED", "conditional"],
    ["SomethingNew", 418, "ARCHIVE_FAILED", "documentation"],
  ])("and AWS's answer %s has words of its own", async (code, status, expected, hint) => {
    proxy = await startProxy(() => ({ status, code }));
    asUser({ ...CREDENTIALS, AWS_SESSION_TOKEN: FORGED_TOKEN });
    const [create = async () => undefined] = attempts(proxy.endpoint);
    const error = await failureOf(create());
    expect(error).toMatchObject({ kind: "ArchiveFailed", code: expected, data: { reason: code, status } });
    expect(error.hint).toContain(hint);
    for (const secret of [FORGED_TOKEN, CREDENTIALS.AWS_SECRET_ACCESS_KEY, CREDENTIALS.AWS_ACCESS_KEY_ID])
      expect(everythingIn(error)).not.toContain(secret);
  });

  it("that have expired are thought of where an answer cannot say so", async () => {
    proxy = await startProxy(() => ({ status: 400, code: "ExpiredToken" }));
    const error = await failureOf(createS3Files({ bucket, endpoint: proxy.endpoint }).find("s", TRANSCRIPT));
    expect(error).toMatchObject({ kind: "ArchiveFailed", hint: expect.stringContaining("expired session token") });
  });

  it("that are nowhere are said to be missing", async () => {
    asUser({});
    for (const attempt of attempts()) {
      const error = await failureOf(attempt());
      expect(error).toMatchObject({ kind: "ArchiveFailed", code: "NO_CREDENTIALS" });
      expect(error.hint).toContain("role");
    }
    vi.stubEnv("AWS_PROFILE", "no-such-profile");
    expect((await failureOf(createS3Files({ bucket, endpoint: ENDPOINT }).list("s"))).code).toBe("NO_CREDENTIALS");
  });

  it("are looked for by every archive at its first use, and renewed ones are found by the next", async () => {
    asUser({});
    const files = createS3Files({ bucket, endpoint: ENDPOINT });
    expect((await failureOf(files.list("s"))).code).toBe("NO_CREDENTIALS");
    asUser(CREDENTIALS);
    expect(await createS3Files({ bucket, endpoint: ENDPOINT }).list("s")).toEqual([]);
  });

  it("without rights prune nothing, and the error names the place", async () => {
    verifies("field/object-store-faults");
    asUser({ ...CREDENTIALS, AWS_SESSION_TOKEN: FORGED_TOKEN });
    const messages = turns(20);
    const manager = new CompactManager({
      archive: { adapter: "s3", bucket, endpoint: ENDPOINT, path: "/dev/null/never" },
    });
    const error = await failureOf(manager.manualCompact("s", messages));
    expect(error.kind).toBe("ArchiveFailed");
    expect(messages).toEqual(turns(20));
    expect(everythingIn(error)).not.toContain(FORGED_TOKEN);
  });

  it("for a bucket that is not there, and without a region, are told apart", async () => {
    const nowhere = createS3Files({ bucket: "no-such-bucket-of-this-test", endpoint: ENDPOINT });
    expect(await failureOf(nowhere.list("s"))).toMatchObject({ code: "BUCKET_NOT_FOUND" });
    expect(await failureOf(nowhere.create("s", TRANSCRIPT, bytes("{}"), "transcript"))).toMatchObject({
      code: "BUCKET_NOT_FOUND",
    });
    expect(await failureOf(createS3Files({ bucket }).list("s"))).toMatchObject({ code: "NO_REGION" });
  });
});
