// One object that is to be written, and how its writer knows it again: every write carries an id of its own.
import type { EncryptionAnswer } from "./confirm-encryption.ts";
import { nameOf, statusOf } from "./s3-failure.ts";
import type { S3Requests } from "./s3-requests.ts";

export const HASH_METADATA = "sha256";
/** Of one write: by it a write whose answer was lost finds its own object again. */
export const WRITE_METADATA = "agent-compact-write";

export interface ObjectToWrite {
  readonly key: string;
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Undefined for a store without tags. */
  readonly tagging: string | undefined;
  readonly kmsKeyId: string | undefined;
  /** For messages: `transcript`. */
  readonly what: string;
  readonly isExclusive: boolean;
}

/** What every way of writing sends along. */
export interface ObjectHeaders {
  readonly Key: string;
  readonly ContentType: string;
  readonly Tagging?: string;
  readonly Metadata: Readonly<Record<string, string>>;
  readonly ServerSideEncryption?: "aws:kms";
  readonly SSEKMSKeyId?: string;
}

/** What the store says about the object that stands now. */
export interface WrittenAnswer extends EncryptionAnswer {
  readonly VersionId?: string | undefined;
}

/** The object at the key when this very write made it, whatever the answer to it was. */
export async function findOwn(requests: S3Requests, headers: ObjectHeaders): Promise<WrittenAnswer | undefined> {
  const found = await requests.head(headers.Key);
  const isOwn = [WRITE_METADATA, HASH_METADATA].every((name) => found?.Metadata?.[name] === headers.Metadata[name]);
  return isOwn ? found : undefined;
}

/** 409: another conditional write of the key is under way. */
export function isTaken(error: unknown): boolean {
  const status = statusOf(error);
  return (
    status === 412 || (status === 409 && nameOf(error) !== "OperationAborted") || nameOf(error) === "PreconditionFailed"
  );
}
