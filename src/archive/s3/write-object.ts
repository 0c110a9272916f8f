// Writes one object whole or not at all, exclusively when asked, and takes it back when its encryption is not confirmed.
// A small one goes in one request; a large one in parts.
import type { CompletedPart } from "@aws-sdk/client-s3";
import { CompactError } from "../../errors.ts";
import { sha256OfBytes } from "../../storage/sha256.ts";
import { stepTaken } from "../step-files.ts";
import { nameOf, statusOf } from "./s3-failure.ts";
import type { S3Requests } from "./s3-requests.ts";

/** Throws `Conflict` (`STEP_TAKEN`), `ArchiveFailed` (`ENCRYPTION_NOT_CONFIRMED`), or what the SDK throws. */
export async function writeObject(requests: S3Requests, object: ObjectToWrite): Promise<void> {
  const { key, bytes, kmsKeyId } = object;
  const headers = headersOf(object);
  const write = bytes.length > PART_BYTES ? writeParts : writeAtOnce;
  const { VersionId, ...answer } = await write(requests, object, headers);
  if (isEncrypted(kmsKeyId, answer)) return;
  const isRemoved = await requests.send("DeleteObject", { Key: key, ...(VersionId && { VersionId }) }).then(
    () => true,
    () => false,
  );
  throw encryptionNotConfirmed(object, isRemoved);
}

async function writeAtOnce(
  requests: S3Requests,
  object: ObjectToWrite,
  headers: ObjectHeaders,
): Promise<WrittenAnswer> {
  try {
    return await requests.send("PutObject", { ...headers, ...onlyIfFree(object), Body: object.bytes });
  } catch (error) {
    if (!object.isExclusive || !isTaken(error)) throw error;
    return findOwnOrRefuse(requests, object, headers);
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

// A large object in parts: nobody sees it before the last request, and what was sent is given up when one fails. Stores
// that do not know a condition on that last request are asked just before it whether the name is free.

/** Up to here one request, above it parts of this size. Stores want at least 5 MB a part, and at most 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;

/** What the store says about the whole object. Throws as `writeObject` does. */
async function writeParts(requests: S3Requests, object: ObjectToWrite, headers: ObjectHeaders): Promise<WrittenAnswer> {
  await refuseTaken(requests, object);
  const started = await requests.send("CreateMultipartUpload", headers);
  const upload = { Key: object.key, UploadId: started.UploadId ?? "" };
  try {
    // Before a byte of the content has left.
    if (!isEncrypted(object.kmsKeyId, started)) throw encryptionNotConfirmed(object, true);
    const Parts = await sendParts(requests, object.bytes, upload);
    await refuseTaken(requests, object);
    await requests
      .send("CompleteMultipartUpload", { ...upload, ...onlyIfFree(object), MultipartUpload: { Parts } })
      .catch(async (error: unknown) => {
        // One that was finished, but whose answer was lost, is no longer known at the second attempt, or has taken its own name.
        if (!isTaken(error) && nameOf(error) !== "NoSuchUpload") throw error;
        if ((await findOwn(requests, headers)) === undefined)
          throw isTaken(error) ? stepTaken(object.what, object.url) : error;
      });
  } catch (error) {
    await requests.send("AbortMultipartUpload", upload).catch(() => undefined);
    throw error;
  }
  return findOwnOrRefuse(requests, object, headers);
}

async function refuseTaken(requests: S3Requests, object: ObjectToWrite): Promise<void> {
  if (object.isExclusive && (await requests.head(object.key)) !== undefined) throw stepTaken(object.what, object.url);
}

async function sendParts(
  requests: S3Requests,
  bytes: Uint8Array,
  upload: { readonly Key: string; readonly UploadId: string },
): Promise<CompletedPart[]> {
  const size = Math.max(PART_BYTES, Math.ceil(bytes.length / MOST_PARTS));
  const parts: CompletedPart[] = [];
  for (let offset = 0; offset < bytes.length; offset += size) {
    const PartNumber = parts.length + 1;
    const Body = bytes.subarray(offset, offset + size);
    const { ETag } = await requests.send("UploadPart", { ...upload, PartNumber, Body });
    parts.push({ ETag, PartNumber });
  }
  return parts;
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

/** What every way of writing sends along. */
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

/** The same; throws `Conflict` when it is another's. */
async function findOwnOrRefuse(requests: S3Requests, object: ObjectToWrite, headers: ObjectHeaders) {
  const own = await findOwn(requests, headers);
  if (own === undefined) throw stepTaken(object.what, object.url);
  return own;
}

function onlyIfFree({ isExclusive }: ObjectToWrite) {
  return isExclusive ? { IfNoneMatch: "*" } : {};
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
