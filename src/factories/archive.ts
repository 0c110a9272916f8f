// From the `storage` block of a configuration to an archive, and to the words that name its place.
import type * as z from "zod/mini";
import type { Archive } from "../archive/archive.ts";
import { createFsArchive, createS3Archive, type S3ArchiveOptions } from "../archive/archives.ts";
import { createS3Place } from "../archive/s3/s3-settings.ts";
import { readTags, type storageSchema } from "../config/storage-schema.ts";
import { withoutUndefined } from "../text/json-values.ts";

export const DEFAULT_ARCHIVE_PATH = ".compact/archive";

/** The block `storage` of a configuration, keys in camelCase. Credentials are never in it. */
export type StorageConfig = Readonly<Omit<z.infer<typeof storageSchema>, "required">>;

/** The archive that a configuration names. Asks nothing of a disk or a store before it is used. */
export function archiveOf(storage: StorageConfig = {}): Archive {
  const { path = DEFAULT_ARCHIVE_PATH, compression } = storage;
  if (isOnS3(storage)) return createS3Archive(s3OptionsOf(storage));
  return createFsArchive({ path, ...(compression === undefined ? {} : { compression }) });
}

export function isOnS3({ adapter }: StorageConfig): boolean {
  return adapter === "s3";
}

/** As a person reads it: the folder, or `s3://bucket/prefix`. */
export function archivePlace(storage: StorageConfig = {}): string {
  const { path = DEFAULT_ARCHIVE_PATH, bucket = "", prefix } = storage;
  return isOnS3(storage) ? createS3Place(bucket, prefix).url : path;
}

function s3OptionsOf(storage: StorageConfig): S3ArchiveOptions {
  const { bucket = "", prefix, kmsKeyId, region, endpoint, compression, timeoutMs, tags } = storage;
  const given = { prefix, kmsKeyId, region, endpoint, compression, timeoutMs, tags: tags && readTags(tags) };
  return { bucket, ...withoutUndefined(given) };
}
