// The archive in a bucket: the files of every archive, as objects. What a step is and how it is packed is stored-archive.ts's,
// where the objects lie and when they count as saved is files/s3-files.ts's.
import type { Archive } from "./archive.ts";
import type { FileArchiveOptions } from "./file-archive.ts";
import type { S3FilesOptions } from "./files/s3-files.ts";
import { lateArchive } from "./late-archive.ts";
import { checkPlace, checkTags } from "./s3/s3-settings.ts";

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
  return lateArchive("s3", async () => {
    const [{ createStoredArchive }, { createS3Files }] = await Promise.all([
      import("./stored/stored-archive.ts"),
      import("./files/s3-files.ts"),
    ]);
    return createStoredArchive(createS3Files(options), compression === undefined ? {} : { compression });
  });
}
