// The real S3 server that these tests run on: `scripts/s3-server.sh start FOLDER` prints the variables that are read here.
// Without them every suite here is skipped, and says so on stderr.
import {
  CreateBucketCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, vi } from "vitest";

const {
  AGENT_COMPACT_S3_ENDPOINT: endpoint = "",
  AGENT_COMPACT_S3_KEY: key = "",
  AGENT_COMPACT_S3_SECRET: secret = "",
  AGENT_COMPACT_S3_STRANGER_KEY: strangerKey = "",
  AGENT_COMPACT_S3_STRANGER_SECRET: strangerSecret = "",
  AGENT_COMPACT_S3_CONF: conf = "",
} = process.env;

export const ENDPOINT = endpoint;
/** Of the server, by which the bytes that it keeps can be read. */
export const SERVER_CONF = conf;
export const KMS_KEY = "testkey-1";
export const OTHER_KMS_KEY = "testkey-2";
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret };
export const STRANGER = { AWS_ACCESS_KEY_ID: strangerKey, AWS_SECRET_ACCESS_KEY: strangerSecret };

const HOW = "Run scripts/s3-server.sh start FOLDER and export the variables that it prints.";

/** Credentials come by environment, as the product takes them; nothing else of this machine's set-up counts. */
export function onStore(name: string, suite: () => void): void {
  const isGiven = ENDPOINT !== "" && key !== "";
  if (!isGiven) process.stderr.write(`Skipped, for want of a server: ${name}. ${HOW}\n`);
  describe.skipIf(!isGiven)(name, () => {
    beforeEach(() => {
      asUser(CREDENTIALS);
      vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
      vi.stubEnv("AWS_CONFIG_FILE", "/nonexistent");
      vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent");
    });
    afterEach(() => vi.unstubAllEnvs());
    suite();
  });
}

export function asUser(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** The tests' own eyes, past the product. */
export function client(): S3Client {
  return new S3Client({
    endpoint: ENDPOINT,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

export async function newBucket(): Promise<string> {
  const name = `archive-${crypto.randomUUID()}`;
  await client().send(new CreateBucketCommand({ Bucket: name }));
  return name;
}

export async function keysIn(bucket: string): Promise<readonly string[]> {
  const { Contents = [] } = await client().send(new ListObjectsV2Command({ Bucket: bucket }));
  return Contents.map(({ Key = "" }) => Key).sort();
}

export function headOf(bucket: string, objectKey: string) {
  return client().send(new HeadObjectCommand({ Bucket: bucket, Key: objectKey }));
}

export async function bytesOf(bucket: string, objectKey: string): Promise<Buffer> {
  const { Body } = await client().send(new GetObjectCommand({ Bucket: bucket, Key: objectKey }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

export async function textOf(bucket: string, objectKey: string): Promise<string> {
  const { Body } = await client().send(new GetObjectCommand({ Bucket: bucket, Key: objectKey }));
  return (await Body?.transformToString()) ?? "";
}

export async function tagsOf(bucket: string, objectKey: string): Promise<Readonly<Record<string, string>>> {
  const { TagSet = [] } = await client().send(new GetObjectTaggingCommand({ Bucket: bucket, Key: objectKey }));
  return Object.fromEntries(TagSet.map(({ Key = "", Value = "" }) => [Key, Value]));
}

/** An error with all that it carries, for looking for what it must not. */
export function everythingIn(error: unknown): string {
  const seen = new Set<unknown>();
  const parts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") parts.push(value);
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const name of Reflect.ownKeys(value)) walk((value as Record<PropertyKey, unknown>)[name]);
  };
  walk(error);
  return parts.join("\n");
}

export async function failureOf(
  attempt: Promise<unknown>,
): Promise<Error & { code: string; kind: string; hint?: string }> {
  return attempt.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error as Error & { code: string; kind: string },
  );
}
