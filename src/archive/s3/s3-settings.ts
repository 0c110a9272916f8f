// What a bucket, a prefix and tags may be, and what holds when nobody says. Read where a configuration is checked, before
// anything that talks to a store is loaded.
import { CompactError } from "../../errors.ts";
import { sessionFolder } from "../../storage/session-folder.ts";

export const DEFAULT_PREFIX = "agent-compact";

/** A key may have 1,024 bytes; folder and name take at most 150 of them. */
const LONGEST_PREFIX_BYTES = 800;
const BUCKET = /^(?:[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]|arn:[a-z0-9-]{1,20}:s3[a-z-]{0,20}:[\w:/.-]{1,200})$/i;

/** Eight megabytes at two megabits a second, and well below what a caller waits for. */
export const DEFAULT_TIMEOUT_MS = 30_000;

const KIND_TAG = "agent-compact-kind";
/** Ten on an object, one of them ours. */
const MOST_TAGS = 9;

const KEY = /^[\p{L}\p{N} +\-=._:/@]{1,128}$/u;
const VALUE = /^[\p{L}\p{N} +\-=._:/@]{0,256}$/u;

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

/** Without those at its ends. */
function trimSlashes(prefix: string): string {
  return prefix.replace(/^\/+/, "").replace(/(?<!\/)\/+$/, "");
}

/** What is wrong with these tags, as the end of a sentence; undefined when nothing is. */
export function findTagsFault(tags: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(tags);
  if (names.length > MOST_TAGS) return `must be at most ${MOST_TAGS} tags: an object has ten, and one is ours`;
  for (const [name, value] of Object.entries(tags)) {
    if (name === KIND_TAG || /^aws:/i.test(name))
      return `must not name ${KIND_TAG} or aws:...: those are set by others`;
    if (!KEY.test(name) || !VALUE.test(value))
      return "must be name and value of letters, digits, spaces and + - = . _ : / @, at most 128 and 256 characters";
  }
  return undefined;
}

/** Throws `InvalidConfig` for tags that no object can have. */
export function checkTags(tags: Readonly<Record<string, string>>): void {
  const fault = findTagsFault(tags);
  if (fault !== undefined) throw new CompactError("InvalidConfig", `the S3 archive's tags ${fault}`);
}

// The tags of an object, by which a bucket's own lifecycle rules can tell transcripts from summaries, and one team's
// archive from another's.

/** As the header takes them. */
export function tagsOf(name: string, tags: Readonly<Record<string, string>>): string {
  return new URLSearchParams({ ...tags, [KIND_TAG]: kindOf(name) }).toString().replaceAll("+", "%20");
}

function kindOf(name: string): "transcript" | "summary" | "state" {
  if (name.startsWith("transcript-")) return "transcript";
  return name.startsWith("summary-") ? "summary" : "state";
}

// Where the files of an archive lie in a bucket: `{prefix}/{session folder}/{name}`. Decides the keys and the URLs that
// people read; what is sent there is left to others.

export interface S3Place {
  /** `s3://bucket/prefix` */
  readonly url: string;
  /** What all keys of the archive begin with, its slash included; empty for a whole bucket. */
  readonly root: string;
  keyOf(sessionId: string, name: string): string;
  urlOf(key: string): string;
}

/** Throws `InvalidConfig` for a bucket or a prefix that cannot be one. */
export function createS3Place(bucket: string, prefix: string = DEFAULT_PREFIX): S3Place {
  const faults = { bucket: findBucketFault(bucket), prefix: findPrefixFault(prefix) };
  for (const [field, fault] of Object.entries(faults)) {
    if (fault === undefined) continue;
    throw new CompactError("InvalidConfig", `the S3 archive's ${field} ${fault}`, {
      hint: "An archive lies at s3://BUCKET/PREFIX: give both names apart.",
    });
  }
  const inner = trimSlashes(prefix);
  const root = inner === "" ? "" : `${inner}/`;
  return {
    url: inner === "" ? `s3://${bucket}` : `s3://${bucket}/${inner}`,
    root,
    keyOf: (sessionId, name) => `${root}${sessionFolder(sessionId)}/${name}`,
    urlOf: (key) => `s3://${bucket}/${key}`,
  };
}

// Which session a folder of the bucket belongs to. Most names are the id itself; for the others session.json says it,
// written once and read once.

export const IDENTITY = "session.json";

/** The folder's name gives the id back. */
export function isNamedByItself(sessionId: string): boolean {
  return sessionFolder(sessionId) === sessionId;
}

export function encodeIdentity(sessionId: string, createdAt: string): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ session_id: sessionId, created_at: createdAt }, null, 2)}\n`);
}

/** Undefined where the bytes are not the identity of this folder: then it is not a session's. */
export function decodeIdentity(bytes: Uint8Array | undefined, folder: string): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    const written = JSON.parse(new TextDecoder().decode(bytes)) as { session_id?: unknown } | null;
    const sessionId = written?.session_id;
    if (typeof sessionId !== "string" || sessionId === "") return undefined;
    return sessionFolder(sessionId) === folder ? sessionId : undefined;
  } catch {
    return undefined;
  }
}
