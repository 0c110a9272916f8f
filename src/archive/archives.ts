// The archives that come with the package: on a file system, in a bucket, in memory. All are one archive over files of their
// own kind, see stored-archive.ts.
import type { Clock } from "../time.ts";
import type { Archive } from "./archive.ts";
import { createFsFiles } from "./fs-files.ts";
import { createMemoryFiles } from "./in-memory-files.ts";
import { createS3Files, type S3FilesOptions } from "./s3/s3-files.ts";
import { createFileArchive, type FileArchiveOptions } from "./stored-archive.ts";

interface FsArchiveOptions extends FileArchiveOptions {
  /** The folder that holds all sessions; made when first written to. */
  readonly path: string;
  readonly now?: Clock;
}

/**
 * Archives to `{path}/{session folder}/`, with the spec's file names. Files are readable by their owner only. Every method
 * throws `ArchiveFailed` with the path and what to do, `Conflict` when a step is taken, `InvalidInput` for an empty session id.
 */
export function createFsArchive({ path, now = Date.now, ...options }: FsArchiveOptions): Archive {
  return createFileArchive(createFsFiles(path, now), options);
}

/** In memory, for browsers, workers and tests: throws what the file archive throws, but for the failures of a disk. */
export function createMemoryArchive(): Archive {
  return createFileArchive(createMemoryFiles(Date.now));
}

export interface S3ArchiveOptions extends S3FilesOptions, FileArchiveOptions {}

/**
 * Archives to `s3://{bucket}/{prefix}/{session folder}/`. Credentials come from the AWS chain alone: a role, `AWS_*`
 * variables, a profile. Needs `@aws-sdk/client-s3` (`MissingDependency` without it), a bucket that is there, and the
 * rights to put, tag, get, list and delete in it. With `kmsKeyId` every object is encrypted with SSE-KMS, and one whose
 * encryption the store does not confirm is deleted again (`ArchiveFailed`, `ENCRYPTION_NOT_CONFIRMED`).
 *
 * Every method throws `ArchiveFailed` with the object's URL and what to do, `Conflict` when a step is taken,
 * `InvalidInput` for an empty session id. Throws `InvalidConfig` for a bucket, a prefix or tags that cannot be.
 */
export function createS3Archive({ compression = "none", ...options }: S3ArchiveOptions): Archive {
  return createFileArchive(createS3Files(options), { compression });
}
