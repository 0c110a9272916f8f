// Writes one object whole or not at all, exclusively when asked, and takes it back when its encryption is not confirmed.
import { CompactError } from "../../errors.ts";
import { sha256OfBytes } from "../../storage/sha256.ts";
import { stepTaken } from "../step-files.ts";
import { nameOf, statusOf } from "./s3-failure.ts";
import type { S3Requests } from "./s3-requests.ts";

/** Throws `Conflict` (`STEP_TAKEN`), `ArchiveFailed` (`ENCRYPTION_NOT_CONFIRMED`), or what the SDK throws. */
export async function writeObject(requests: S3Requests, object: ObjectToWrite): Promise<void> {
  const { key, kmsKeyId } = object;
  const { VersionId, ...answer } = await put(requests, object, headersOf(object));
  if (isEncrypted(kmsKeyId, answer)) return;
  const isRemoved = await requests.send("DeleteObject", { Key: key, ...(VersionId && { VersionId }) }).then(
    () => true,
    () => false,
  );
  throw encryptionNotConfirmed(object, isRemoved);
}

async function put(requests: S3Requests, object: ObjectToWrite, headers: ObjectHeaders): Promise<WrittenAnswer> {
  const onlyIfFree = object.isExclusive ? { IfNoneMatch: "*" } : {};
  try {
    return await requests.send("PutObject", { ...headers, ...onlyIfFree, Body: object.bytes });
  } catch (error) {
    if (!object.isExclusive || !isTaken(error)) throw error;
    const own = await findOwn(requests, headers);
    if (own === undefined) throw stepTaken(object.what, object.url);
    return own;
  }
}

function headersOf(object: ObjectToWrite): ObjectHeaders {
  return {
    Key: object.key,
    ContentType: object.contentType,
    ...(object.tagging === undefined ? {} : { Tagging: object.tagging }),
    Metadata: { [HASH_METADATA]: sha256OfBytes(object.bytes), [WRITE_METADATA]: crypto.randomUUID() },
    ...(object.kmsKeyId === undefined ? {} : { ServerSideEncryption: "aws:kms", SSEKMSKeyId: object.kmsKeyId }),
  };
}

// One object that is to be written, and how its writer knows it again: every write carries an id of its own.

export const HASH_METADATA = "sha256";
/** Of one write: by it a write whose answer was lost finds its own object again. */
const WRITE_METADATA = "agent-compact-write";

interface ObjectToWrite {
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

/** What is sent along. */
interface ObjectHeaders {
  readonly Key: string;
  readonly ContentType: string;
  readonly Tagging?: string;
  readonly Metadata: Readonly<Record<string, string>>;
  readonly ServerSideEncryption?: "aws:kms";
  readonly SSEKMSKeyId?: string;
}

/** What the store says about the object that stands now. */
interface WrittenAnswer extends EncryptionAnswer {
  readonly VersionId?: string | undefined;
}

/** The object at the key when this very write made it, whatever the answer to it was. */
async function findOwn(requests: S3Requests, headers: ObjectHeaders): Promise<WrittenAnswer | undefined> {
  const found = await requests.head(headers.Key);
  const isOwn = [WRITE_METADATA, HASH_METADATA].every((name) => found?.Metadata?.[name] === headers.Metadata[name]);
  return isOwn ? found : undefined;
}

/** 409: another conditional write of the key is under way. */
function isTaken(error: unknown): boolean {
  const status = statusOf(error);
  return (
    status === 412 || (status === 409 && nameOf(error) !== "OperationAborted") || nameOf(error) === "PreconditionFailed"
  );
}

// Whether a store has encrypted what it was told to encrypt. Some answer 200 and keep the plain text: only an answer that
// names the algorithm, and no other key, counts.

/** What the answer to a write, or to HEAD, says. */
interface EncryptionAnswer {
  readonly ServerSideEncryption?: string | undefined;
  readonly SSEKMSKeyId?: string | undefined;
}

/** True where nothing was asked for. */
export function isEncrypted(kmsKeyId: string | undefined, answer: EncryptionAnswer): boolean {
  if (kmsKeyId === undefined) return true;
  if (answer.ServerSideEncryption !== "aws:kms") return false;
  const [asked, used] = [keyName(kmsKeyId), keyName(answer.SSEKMSKeyId ?? "")];
  return asked === undefined || used === undefined || asked === used;
}

/** `arn:aws:kms:eu-west-1:1:key/2f` and `2f` are one key. Undefined for an alias, whose key is not known here. */
function keyName(id: string): string | undefined {
  if (id === "" || /(?:^|:)alias\//.test(id)) return undefined;
  return id.slice(id.lastIndexOf("/") + 1);
}

function encryptionNotConfirmed({ what, url }: ObjectToWrite, isRemoved: boolean): CompactError {
  const after = isRemoved ? "It was deleted again." : "It could not be deleted again: delete it by hand.";
  return new CompactError(
    "ArchiveFailed",
    `could not save the ${what}: ${url}: the store did not confirm the encryption with the KMS key. ${after}`,
    {
      code: "ENCRYPTION_NOT_CONFIRMED",
      hint: "Use a store that has SSE-KMS, check storage.kms_key_id, or leave it out to do without.",
      data: { location: url, removed: isRemoved },
    },
  );
}
