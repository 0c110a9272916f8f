// Writes one object whole or not at all, exclusively when asked, and takes it back when its encryption is not confirmed.
// A small one goes in one request; a large one in parts, see write-parts.ts.
import { stepTaken } from "../step-files.ts";
import { encryptionHeaders, encryptionNotConfirmed, isEncrypted } from "./confirm-encryption.ts";
import {
  findOwn,
  HASH_METADATA,
  isTaken,
  type ObjectHeaders,
  type ObjectToWrite,
  WRITE_METADATA,
  type WrittenAnswer,
} from "./object-to-write.ts";
import type { S3Requests } from "./s3-requests.ts";
import { PART_BYTES, writeParts } from "./write-parts.ts";

/** Throws `Conflict` (`STEP_TAKEN`), `ArchiveFailed` (`ENCRYPTION_NOT_CONFIRMED`), or what the SDK throws. */
export async function writeObject(requests: S3Requests, object: ObjectToWrite): Promise<void> {
  const headers = await headersOf(object);
  const write = object.bytes.length > PART_BYTES ? writeParts : writeAtOnce;
  const answer = await write(requests, object, headers);
  if (isEncrypted(object.kmsKeyId, answer)) return;
  throw await takeBack(requests, object, answer.VersionId);
}

async function writeAtOnce(
  requests: S3Requests,
  { bytes, isExclusive, what, url }: ObjectToWrite,
  headers: ObjectHeaders,
): Promise<WrittenAnswer> {
  try {
    return await requests.put({ ...headers, Body: bytes, ...(isExclusive ? { IfNoneMatch: "*" } : {}) });
  } catch (error) {
    if (!isExclusive || !isTaken(error)) throw error;
    const own = await findOwn(requests, headers);
    if (own === undefined) throw stepTaken(what, url);
    return own;
  }
}

async function takeBack(requests: S3Requests, { key, url, what }: ObjectToWrite, version: string | undefined) {
  const isRemoved = await requests.remove(key, version).then(
    () => true,
    () => false,
  );
  return encryptionNotConfirmed(what, url, isRemoved);
}

async function headersOf(object: ObjectToWrite): Promise<ObjectHeaders> {
  return {
    Key: object.key,
    ContentType: object.contentType,
    ...(object.tagging === undefined ? {} : { Tagging: object.tagging }),
    Metadata: { [HASH_METADATA]: await hashOf(object.bytes), [WRITE_METADATA]: crypto.randomUUID() },
    ...encryptionHeaders(object.kmsKeyId),
  };
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
