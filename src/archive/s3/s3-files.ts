// Files of an archive as objects of a bucket: one prefix per session, created exclusively, encrypted with KMS when asked
// and only counted as saved when the store says so. Every failure is an `ArchiveFailed`, see s3-failure.ts.
import { sessionFolder } from "../../storage/session-folder.ts";
import { type Clock, isoTime } from "../../time.ts";
import type { ArchiveFiles, StoredContent, StoredFile } from "../archive.ts";
import { collectContent } from "../content.ts";
import { s3Failure } from "./s3-failure.ts";
import { createS3Requests, type S3Requests, type S3Sender } from "./s3-requests.ts";
import {
  createS3Place,
  createTagger,
  DEFAULT_TIMEOUT_MS,
  decodeIdentity,
  encodeIdentity,
  IDENTITY,
  isNamedByItself,
  type S3Place,
  type Tagger,
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

/** Sessions whose identity is read at a time. */
const READ_AT_ONCE = 8;

interface Store {
  readonly place: S3Place;
  readonly requests: S3Requests;
  readonly options: S3FilesOptions;
  readonly tagger: Tagger;
  /** Folders whose identity is known to be in the bucket, with the id. */
  readonly identities: Map<string, string>;
}

/** Of settings that have been checked, see archives.ts. Asks the store nothing before the first use. */
export function createS3Files(options: S3FilesOptions): ArchiveFiles {
  const { region, endpoint, client, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const store: Store = {
    place: createS3Place(options.bucket, options.prefix),
    requests: createS3Requests(options.bucket, { region, endpoint, client, timeoutMs }),
    options,
    tagger: createTagger(options.tags),
    identities: new Map(),
  };
  const { place, requests } = store;
  const locate = (sessionId: string, name: string) => place.urlOf(place.keyOf(sessionId, name));
  return {
    adapter: "s3",
    locate,
    async create(sessionId, name, content, what) {
      const url = locate(sessionId, name);
      await attempt(`save the ${what}`, url, () => save(store, sessionId, { name, content, what, isExclusive: true }));
      return url;
    },
    async replace(sessionId, name, content, what) {
      await attempt(`save the ${what}`, locate(sessionId, name), () =>
        save(store, sessionId, { name, content, what, isExclusive: false }),
      );
    },
    async read(sessionId, name) {
      const key = place.keyOf(sessionId, name);
      return attempt("read the archive", place.urlOf(key), () => requests.get(key));
    },
    async find(sessionId, name) {
      const key = place.keyOf(sessionId, name);
      const found = await attempt("look into the archive", place.urlOf(key), () => requests.head(key));
      if (found === undefined) return undefined;
      const sha256 = found.Metadata?.[HASH_METADATA];
      return {
        session_id: sessionId,
        name,
        bytes: found.ContentLength ?? 0,
        at: isoTime(found.LastModified?.getTime() ?? 0),
        ...(sha256 === undefined ? {} : { sha256 }),
      };
    },
    async list(sessionId) {
      const folder = place.keyOf(sessionId, "");
      return attempt("list the archive", place.urlOf(folder), () => listFolder(store, sessionId, folder));
    },
    listAll: () => attempt("list the archive", place.url, () => listAll(store)),
    async remove(sessionId, name) {
      const key = place.keyOf(sessionId, name);
      await attempt("remove from the archive", place.urlOf(key), () => requests.remove(key));
    },
  };
}

async function attempt<Value>(what: string, url: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw s3Failure(what, url, error);
  }
}

interface ToSave {
  readonly name: string;
  readonly content: StoredContent;
  readonly what: string;
  readonly isExclusive: boolean;
}

async function save(store: Store, sessionId: string, { name, content, what, isExclusive }: ToSave): Promise<void> {
  // The hash stands in the object's head, so the content is read to its end before a byte of it leaves.
  const bytes = await collectContent(content);
  await identify(store, sessionId);
  await write(store, sessionId, { name, content: bytes, what, isExclusive });
}

async function identify(store: Store, sessionId: string): Promise<void> {
  const folder = sessionFolder(sessionId);
  if (isNamedByItself(sessionId) || store.identities.has(folder)) return;
  const content = encodeIdentity(sessionId, isoTime((store.options.now ?? Date.now)()));
  try {
    await write(store, sessionId, { name: IDENTITY, content, what: "session's id", isExclusive: true });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "STEP_TAKEN") throw error;
  }
  store.identities.set(folder, sessionId);
}

function write(store: Store, sessionId: string, file: ToSave & { readonly content: Uint8Array }): Promise<void> {
  const { place, requests, options, tagger } = store;
  const key = place.keyOf(sessionId, file.name);
  return tagger.write(file.name, (tagging) =>
    writeObject(requests, {
      key,
      url: place.urlOf(key),
      bytes: file.content,
      contentType: contentTypeOf(file.name),
      tagging,
      kmsKeyId: options.kmsKeyId,
      what: file.what,
      isExclusive: file.isExclusive,
    }),
  );
}

function contentTypeOf(name: string): string {
  if (name.endsWith(".json")) return "application/json";
  if (name.endsWith(".jsonl")) return "application/jsonl";
  return "application/octet-stream";
}

interface Listed {
  readonly folder: string;
  readonly name: string;
  readonly bytes: number;
  readonly at: string;
}

async function listFolder(store: Store, sessionId: string, folder: string): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  for await (const { name, bytes, at } of walk(store, folder)) files.push({ session_id: sessionId, name, bytes, at });
  return files;
}

async function listAll(store: Store): Promise<readonly StoredFile[]> {
  const found: Listed[] = [];
  for await (const file of walk(store, store.place.root)) found.push(file);
  const owners = await ownersOf(store, found);
  return found.flatMap(({ folder, ...file }) => {
    const owner = owners.get(folder);
    return owner === undefined ? [] : [{ session_id: owner, ...file }];
  });
}

/** What lies two folders deep is somebody else's. */
async function* walk({ place, requests }: Store, prefix: string): AsyncIterable<Listed> {
  for await (const page of requests.list(prefix)) {
    for (const { Key = "", Size = 0, LastModified } of page) {
      const [folder = "", name = "", ...deeper] = Key.slice(place.root.length).split("/");
      if (folder === "" || name === "" || deeper.length > 0) continue;
      yield { folder, name, bytes: Size, at: isoTime(LastModified?.getTime() ?? 0) };
    }
  }
}

/** Session ids by folder. A folder that is no session's is left out. */
async function ownersOf(store: Store, files: readonly Listed[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  const unknown: string[] = [];
  const identified = new Set(files.filter(({ name }) => name === IDENTITY).map(({ folder }) => folder));
  for (const folder of new Set(files.map((file) => file.folder))) {
    const owner = isNamedByItself(folder) ? folder : store.identities.get(folder);
    if (owner !== undefined) owners.set(folder, owner);
    else if (identified.has(folder)) unknown.push(folder);
  }
  for (let start = 0; start < unknown.length; start += READ_AT_ONCE) {
    await Promise.all(
      unknown.slice(start, start + READ_AT_ONCE).map(async (folder) => {
        const owner = decodeIdentity(await store.requests.get(`${store.place.root}${folder}/${IDENTITY}`), folder);
        if (owner === undefined) return;
        owners.set(folder, owner);
        store.identities.set(folder, owner);
      }),
    );
  }
  return owners;
}
