// Where the files of an archive lie in a bucket: `{prefix}/{session folder}/{name}`. Decides the keys and the URLs that
// people read; what is sent there is left to others.
import { sessionFolder } from "../../storage/session-folder.ts";
import { checkPlace, DEFAULT_PREFIX, trimSlashes } from "./s3-settings.ts";

export interface S3Place {
  readonly bucket: string;
  /** `s3://bucket/prefix` */
  readonly url: string;
  /** What all keys of the archive begin with, its slash included; empty for a whole bucket. */
  readonly root: string;
  keyOf(sessionId: string, name: string): string;
  urlOf(key: string): string;
}

/** Throws `InvalidConfig` for a bucket or a prefix that cannot be one. */
export function createS3Place(bucket: string, prefix: string = DEFAULT_PREFIX): S3Place {
  checkPlace(bucket, prefix);
  const inner = trimSlashes(prefix);
  const root = inner === "" ? "" : `${inner}/`;
  return {
    bucket,
    url: inner === "" ? `s3://${bucket}` : `s3://${bucket}/${inner}`,
    root,
    keyOf: (sessionId, name) => `${root}${sessionFolder(sessionId)}/${name}`,
    urlOf: (key) => `s3://${bucket}/${key}`,
  };
}
