// A large object in parts: nobody sees it before the last request, and what was sent is given up when one fails. Stores
// that do not know a condition on that last request are asked just before it whether the name is free.
import { stepTaken } from "../step-files.ts";
import { encryptionNotConfirmed, isEncrypted } from "./confirm-encryption.ts";
import { findOwn, isTaken, type ObjectHeaders, type ObjectToWrite, type WrittenAnswer } from "./object-to-write.ts";
import { nameOf } from "./s3-failure.ts";
import type { S3Requests } from "./s3-requests.ts";

/** Up to here one request, above it parts of this size. Stores want at least 5 MB a part, and at most 10,000 parts. */
export const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;

/** What the store says about the whole object. Throws as `writeObject` does. */
export async function writeParts(
  requests: S3Requests,
  object: ObjectToWrite,
  headers: ObjectHeaders,
): Promise<WrittenAnswer> {
  await refuseTaken(requests, object);
  const started = await requests.startUpload(headers);
  const uploadId = started.UploadId ?? "";
  try {
    // Before a byte of the content has left.
    if (!isEncrypted(object.kmsKeyId, started)) throw encryptionNotConfirmed(object.what, object.url, true);
    const parts = await sendParts(requests, object, uploadId);
    await refuseTaken(requests, object);
    await finish(requests, object, { uploadId, parts, headers });
  } catch (error) {
    await requests.abortUpload(object.key, uploadId).catch(() => undefined);
    throw error;
  }
  const own = await findOwn(requests, headers);
  if (own === undefined) throw stepTaken(object.what, object.url);
  return own;
}

async function refuseTaken(requests: S3Requests, { isExclusive, key, what, url }: ObjectToWrite): Promise<void> {
  if (isExclusive && (await requests.head(key)) !== undefined) throw stepTaken(what, url);
}

interface SentPart {
  readonly ETag: string | undefined;
  readonly PartNumber: number;
}

async function sendParts(
  requests: S3Requests,
  { key, bytes }: ObjectToWrite,
  uploadId: string,
): Promise<readonly SentPart[]> {
  const size = Math.max(PART_BYTES, Math.ceil(bytes.length / MOST_PARTS));
  const parts: SentPart[] = [];
  for (let offset = 0; offset < bytes.length; offset += size) {
    const PartNumber = parts.length + 1;
    const Body = bytes.subarray(offset, offset + size);
    const { ETag } = await requests.sendPart({ Key: key, UploadId: uploadId, PartNumber, Body });
    parts.push({ ETag, PartNumber });
  }
  return parts;
}

interface Upload {
  readonly uploadId: string;
  readonly parts: readonly SentPart[];
  readonly headers: ObjectHeaders;
}

/** One that was finished, but whose answer was lost, is no longer known at the second attempt, or has taken its own name. */
async function finish(
  requests: S3Requests,
  { key, isExclusive, what, url }: ObjectToWrite,
  { uploadId, parts, headers }: Upload,
): Promise<void> {
  try {
    await requests.finishUpload({
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts: [...parts] },
      ...(isExclusive ? { IfNoneMatch: "*" } : {}),
    });
  } catch (error) {
    if (!isTaken(error) && nameOf(error) !== "NoSuchUpload") throw error;
    if ((await findOwn(requests, headers)) !== undefined) return;
    throw isTaken(error) ? stepTaken(what, url) : error;
  }
}
