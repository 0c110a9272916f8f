// Files of an archive as objects of a bucket: one prefix per session, created exclusively, encrypted with KMS when asked
// and only counted as saved when the store says so. Every failure is an `ArchiveFailed`, see s3-failure.ts.
import { sessionFolder } from "../../storage/session-folder.ts";
import { type Clock, isoTime } from "../../time.ts";
import type { ArchiveFiles, ErasedFiles, StoredContent, StoredFile } from "../archive.ts";
import { collectContent } from "../content.ts";
import { nameOf, s3Failure } from "./s3-failure.ts";
import { createS3Requests, type S3Requests, type S3Sender } from "./s3-requests.ts";
import {
  checkTags,
  createS3Place,
  DEFAULT_TIMEOUT_MS,
  decodeIdentity,
  encodeIdentity,
  IDENTITY,
  isNamedByItself,
  type S3Place,
  tagsOf,
} from "./s3-settings.ts";
import { HASH_METADATA, writeObject } from "./write-object.ts";

export interface S3FilesOptions {
  readonly bucket: string;
  /** Default `agent-compact`; an empty one is the bucket itself. */
  readonly prefix?: string;
  /** Every object is encrypted with this key: its id, ARN or alias. */
  readonly kmsKeyId?: string;
  /** Default: as the AWS chain finds it. */
  readonly region?: string;
  /** Of a store that is not AWS; default as AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL say. */
  readonly endpoint?: string;
  /** On every object, besides `agent-compact-kind`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Longest that one request may take, its retries included, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** An `S3Client` of the host's own, instead of one that is made at the first use. */
  readonly client?: S3Sender;
  readonly now?: Clock;
}

/** Objects that are read at a time. */
const READ_AT_ONCE = 8;

/** Asks the store nothing before the first use. Throws `InvalidConfig` for a bucket, a prefix or tags that cannot be. */
export function createS3Files(options: S3FilesOptions): ArchiveFiles {
  return new S3Files(options);
}

interface ToSave {
  readonly name: string;
  readonly content: StoredContent;
  readonly what: string;
  readonly isExclusive: boolean;
}

class S3Files implements ArchiveFiles {
  readonly adapter = "s3";
  readonly #place: S3Place;
  readonly #requests: S3Requests;
  readonly #options: S3FilesOptions;
  /** Folders whose identity is known to be in the bucket, with the id. */
  readonly #identities = new Map<string, string>();
  /** Some stores know no tags at all. */
  #takesTags = true;

  constructor(options: S3FilesOptions) {
    const { bucket, prefix, tags = {}, region, endpoint, client, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    checkTags(tags);
    this.#place = createS3Place(bucket, prefix);
    this.#requests = createS3Requests(bucket, { region, endpoint, client, timeoutMs });
    this.#options = options;
  }

  locate(sessionId: string, name: string): string {
    return this.#place.urlOf(this.#place.keyOf(sessionId, name));
  }

  async create(sessionId: string, name: string, content: StoredContent, what: string): Promise<string> {
    await this.#save(sessionId, { name, content, what, isExclusive: true });
    return this.locate(sessionId, name);
  }

  async replace(sessionId: string, name: string, content: StoredContent, what: string): Promise<void> {
    await this.#save(sessionId, { name, content, what, isExclusive: false });
  }

  async read(sessionId: string, name: string): Promise<Uint8Array | undefined> {
    const key = this.#place.keyOf(sessionId, name);
    return attempt("read the archive", this.#place.urlOf(key), () => this.#requests.get(key));
  }

  async find(sessionId: string, name: string): Promise<StoredFile | undefined> {
    const key = this.#place.keyOf(sessionId, name);
    const found = await attempt("look into the archive", this.#place.urlOf(key), () => this.#requests.head(key));
    if (found === undefined) return undefined;
    const sha256 = found.Metadata?.[HASH_METADATA];
    return {
      session_id: sessionId,
      name,
      bytes: found.ContentLength ?? 0,
      at: isoTime(found.LastModified?.getTime() ?? 0),
      ...(sha256 === undefined ? {} : { sha256 }),
    };
  }

  async list(sessionId: string): Promise<readonly StoredFile[]> {
    const folder = this.#place.keyOf(sessionId, "");
    return attempt("list the archive", this.#place.urlOf(folder), async () => {
      const found = await this.#listed(folder);
      return found.map(({ folder: _, ...file }) => ({ session_id: sessionId, ...file }));
    });
  }

  listAll(): Promise<readonly StoredFile[]> {
    return attempt("list the archive", this.#place.url, async () => {
      const found = await this.#listed(this.#place.root);
      const owners = await this.#ownersOf(found);
      return found.flatMap(({ folder, ...file }) => {
        const owner = owners.get(folder);
        return owner === undefined ? [] : [{ session_id: owner, ...file }];
      });
    });
  }

  async remove(sessionId: string, name: string): Promise<void> {
    const Key = this.#place.keyOf(sessionId, name);
    await attempt("remove from the archive", this.#place.urlOf(Key), () =>
      this.#requests.send("DeleteObject", { Key }),
    );
  }

  async *readEach(sessionId: string, names: readonly string[]): AsyncGenerator<Uint8Array | undefined> {
    for (let start = 0; start < names.length; start += READ_AT_ONCE)
      yield* await Promise.all(names.slice(start, start + READ_AT_ONCE).map((name) => this.read(sessionId, name)));
  }

  async eraseSession(sessionId: string, isDryRun: boolean): Promise<ErasedFiles> {
    const folder = this.#place.keyOf(sessionId, "");
    return attempt("erase from the archive", this.#place.urlOf(folder), async () => {
      let [files, bytes] = [0, 0];
      for await (const { Key = "", Size = 0 } of this.#requests.list(folder)) {
        files++;
        bytes += Size;
        if (!isDryRun) await this.#requests.send("DeleteObject", { Key });
      }
      if (!isDryRun) this.#identities.delete(sessionFolder(sessionId));
      return { files, bytes };
    });
  }

  async #save(sessionId: string, file: ToSave): Promise<void> {
    await attempt(`save the ${file.what}`, this.locate(sessionId, file.name), async () => {
      // The hash stands in the object's head, so the content is read to its end before a byte of it leaves.
      const bytes = await collectContent(file.content);
      await this.#identify(sessionId);
      await this.#write(sessionId, file, bytes);
    });
  }

  async #identify(sessionId: string): Promise<void> {
    const folder = sessionFolder(sessionId);
    if (isNamedByItself(sessionId) || this.#identities.has(folder)) return;
    const content = encodeIdentity(sessionId, isoTime((this.#options.now ?? Date.now)()));
    try {
      await this.#write(sessionId, { name: IDENTITY, what: "session's id", isExclusive: true }, content);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "STEP_TAKEN") throw error;
    }
    this.#identities.set(folder, sessionId);
  }

  /** In a store without tags the kind is left away, for good; tags that somebody asked for are not. */
  async #write(sessionId: string, file: Omit<ToSave, "content">, bytes: Uint8Array): Promise<void> {
    const { kmsKeyId, tags = {} } = this.#options;
    const { name, what, isExclusive } = file;
    const key = this.#place.keyOf(sessionId, name);
    const object = { key, url: this.#place.urlOf(key), bytes, contentType: contentTypeOf(name), kmsKeyId };
    const send = (tagging: string | undefined) =>
      writeObject(this.#requests, { ...object, what, isExclusive, tagging });
    if (!this.#takesTags) return send(undefined);
    try {
      await send(tagsOf(name, tags));
    } catch (error) {
      if (Object.keys(tags).length > 0 || nameOf(error) !== "NotImplemented") throw error;
      await send(undefined);
      this.#takesTags = false;
    }
  }

  /** What lies two folders deep is somebody else's. */
  async #listed(prefix: string): Promise<readonly Listed[]> {
    const found: Listed[] = [];
    for await (const { Key = "", Size = 0, LastModified } of this.#requests.list(prefix)) {
      const [folder = "", name = "", ...deeper] = Key.slice(this.#place.root.length).split("/");
      if (folder === "" || name === "" || deeper.length > 0) continue;
      found.push({ folder, name, bytes: Size, at: isoTime(LastModified?.getTime() ?? 0) });
    }
    return found;
  }

  /** Session ids by folder. A folder that is no session's is left out. */
  async #ownersOf(files: readonly Listed[]): Promise<ReadonlyMap<string, string>> {
    const owners = new Map<string, string>();
    const unknown: string[] = [];
    const identified = new Set(files.filter(({ name }) => name === IDENTITY).map(({ folder }) => folder));
    for (const folder of new Set(files.map((file) => file.folder))) {
      const owner = isNamedByItself(folder) ? folder : this.#identities.get(folder);
      if (owner !== undefined) owners.set(folder, owner);
      else if (identified.has(folder)) unknown.push(folder);
    }
    const look = async (folder: string) => {
      const owner = decodeIdentity(await this.#requests.get(`${this.#place.root}${folder}/${IDENTITY}`), folder);
      if (owner === undefined) return;
      owners.set(folder, owner);
      this.#identities.set(folder, owner);
    };
    for (let start = 0; start < unknown.length; start += READ_AT_ONCE)
      await Promise.all(unknown.slice(start, start + READ_AT_ONCE).map(look));
    return owners;
  }
}

interface Listed extends Omit<StoredFile, "session_id"> {
  readonly folder: string;
}

async function attempt<Value>(what: string, url: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw s3Failure(what, url, error);
  }
}

function contentTypeOf(name: string): string {
  if (name.endsWith(".json")) return "application/json";
  if (name.endsWith(".jsonl")) return "application/jsonl";
  return "application/octet-stream";
}
