// Where the files of an archive lie in a bucket: `{prefix}/{session folder}/{name}`. Decides the keys and the URLs that
// people read; what is sent there is left to others.
import { CompactError } from "../../errors.ts";
import { sessionFolder } from "../../storage/session-folder.ts";

export const DEFAULT_PREFIX = "agent-compact";

/** A key may have 1,024 bytes; folder and name take at most 150 of them. */
const LONGEST_PREFIX_BYTES = 800;
const BUCKET = /^(?:[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]|arn:[a-z0-9-]{1,20}:s3[a-z-]{0,20}:[\w:/.-]{1,200})$/i;

/** What is wrong with a bucket's name, as the end of a sentence; undefined when nothing is. */
export function findBucketFault(bucket: string): string | undefined {
  return BUCKET.test(bucket) ? undefined : "must be the name of a bucket, without s3:// and without a folder";
}

/** What is wrong with a prefix, as the end of a sentence; undefined when nothing is. */
export function findPrefixFault(prefix: string): string | undefined {
  const segments = trimSlashes(prefix).split("/");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(prefix)) return "must not hold control characters or backslashes";
  if (new TextEncoder().encode(prefix).length > LONGEST_PREFIX_BYTES) return "must not be longer than 800 bytes";
  if (prefix.startsWith("s3://")) return "must not begin with s3://: the bucket is named apart";
  if (segments.length > 1 && segments.includes("")) return "must not hold an empty folder (//)";
  return segments.some((segment) => segment === "." || segment === "..")
    ? "must not hold . or .. as a folder"
    : undefined;
}

export interface S3Place {
  readonly bucket: string;
  /** `s3://bucket/prefix` */
  readonly url: string;
  /** What all keys of the archive begin with, its slash included; empty for a whole bucket. */
  readonly root: string;
  keyOf(sessionId: string, name: string): string;
  urlOf(key: string): string;
}

/** Throws `InvalidConfig` for a bucket or a prefix that cannot be one. */
export function createS3Place(bucket: string, prefix: string = DEFAULT_PREFIX): S3Place {
  const bucketFault = findBucketFault(bucket);
  if (bucketFault !== undefined) throw invalid("bucket", bucketFault);
  const prefixFault = findPrefixFault(prefix);
  if (prefixFault !== undefined) throw invalid("prefix", prefixFault);
  const inner = trimSlashes(prefix);
  const root = inner === "" ? "" : `${inner}/`;
  return {
    bucket,
    url: inner === "" ? `s3://${bucket}` : `s3://${bucket}/${inner}`,
    root,
    keyOf: (sessionId, name) => `${root}${sessionFolder(sessionId)}/${name}`,
    urlOf: (key) => `s3://${bucket}/${key}`,
  };
}

function trimSlashes(prefix: string): string {
  let start = 0;
  let end = prefix.length;
  while (start < end && prefix[start] === "/") start++;
  while (end > start && prefix[end - 1] === "/") end--;
  return prefix.slice(start, end);
}

function invalid(field: string, fault: string): CompactError {
  return new CompactError("InvalidConfig", `the S3 archive's ${field} ${fault}`, {
    hint: "An archive lies at s3://BUCKET/PREFIX: give both names apart.",
  });
}
