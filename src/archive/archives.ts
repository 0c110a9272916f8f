// The archive on a file system: one folder per session with the spec's file names.
import { lazyMethods } from "../lazy.ts";
import type { Clock } from "../time.ts";
import type { Archive, ArchiveFiles } from "./archive.ts";
import type { Compression } from "./compression.ts";
import type { S3FilesOptions } from "./s3/s3-files.ts";
import { checkPlace, checkTags } from "./s3/s3-settings.ts";

interface FsArchiveOptions extends FileArchiveOptions {
  /** The folder that holds all sessions; made when first written to. */
  readonly path: string;
  readonly now?: Clock;
}

/**
 * Archives to `{path}/{session folder}/`. Files are readable by their owner only. Every method throws `ArchiveFailed`
 * with the path and what to do, `Conflict` when a step is taken, `InvalidInput` for an empty session id.
 */
export function createFsArchive({ path, now = Date.now, ...options }: FsArchiveOptions): Archive {
  return lazyArchive("fs", async () => {
    const [{ createStoredArchive }, { createFsFiles }] = await Promise.all([
      import("./stored-archive.ts"),
      import("./fs-files.ts"),
    ]);
    return createStoredArchive(createFsFiles(path, now), options);
  });
}

// The archive in memory, for browsers, workers and tests: same contract, gone with the process.

/** Throws what the file archive throws, but for the failures of a disk. */
export function createMemoryArchive(): Archive {
  return lazyArchive("memory", async () => {
    const [{ createStoredArchive }, { createMemoryFiles }] = await Promise.all([
      import("./stored-archive.ts"),
      import("./memory-files.ts"),
    ]);
    return createStoredArchive(createMemoryFiles(Date.now));
  });
}

// The archive in a bucket: the files of every archive, as objects. What a step is and how it is compressed is
// decided in stored-archive.ts, where the objects lie in s3/s3-files.ts.

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
export function createS3Archive({ compression, ...options }: S3ArchiveOptions): Archive {
  checkPlace(options.bucket, options.prefix);
  checkTags(options.tags);
  return lazyArchive("s3", async () => {
    const [{ createStoredArchive }, { createS3Files }] = await Promise.all([
      import("./stored-archive.ts"),
      import("./s3/s3-files.ts"),
    ]);
    return createStoredArchive(createS3Files(options), compression === undefined ? {} : { compression });
  });
}

// The archive over files of your own: anything that keeps bytes by session and name, see archive.ts.

export interface FileArchiveOptions {
  /** How transcripts are compressed from now on; older ones are read as they are. Default `none`. */
  readonly compression?: Compression;
}

/** Throws what the files throw; `MissingDependency` where the runtime cannot compress or decompress. */
export function createFileArchive(files: ArchiveFiles, options: FileArchiveOptions = {}): Archive {
  return lazyArchive(files.adapter, async () => {
    const { createStoredArchive } = await import("./stored-archive.ts");
    return createStoredArchive(files, options);
  });
}

// An archive whose code is loaded when it is first asked: making one costs nothing, and asks nothing of a disk or a store.

const METHODS = {
  nextStep: true,
  saveTranscript: true,
  saveSummary: true,
  readState: true,
  writeState: true,
  findSummary: true,
  sessions: true,
  steps: true,
  readTranscript: true,
  readSummary: true,
  sizes: true,
  changedFiles: true,
  removeStep: true,
} as const;

function lazyArchive(adapter: string, open: () => Promise<Archive>): Archive {
  return { adapter, ...lazyMethods<Archive>(METHODS, open) };
}
