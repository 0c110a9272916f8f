// An archive of your own over any store of keys and bytes. Run it: npx unrun examples/extend/archive.ts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  type ArchiveFiles,
  CompactError,
  CompactManager,
  createFileArchive,
  type StoredContent,
} from "../../src/index.ts";

// docs:start
/** What you have: Redis, a table, a bucket. `add` must refuse a key that is taken, at once and for every process. */
interface KeyValueStore {
  add(key: string, value: Uint8Array): Promise<boolean>;
  set(key: string, value: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  delete(key: string): Promise<void>;
  entries(): Promise<readonly (readonly [key: string, bytes: number])[]>;
}

function createKeyValueFiles(store: KeyValueStore): ArchiveFiles {
  const keyOf = (sessionId: string, name: string) => JSON.stringify([sessionId, name]);
  const listAll = async () =>
    (await store.entries()).map(([key, bytes]) => {
      const [session_id, name] = JSON.parse(key) as [string, string];
      return { session_id, name, bytes, at: new Date(0).toISOString() };
    });
  return {
    adapter: "key-value",
    locate: (sessionId, name) => `store:${keyOf(sessionId, name)}`,
    async create(sessionId, name, content, what) {
      if (await store.add(keyOf(sessionId, name), await collect(content))) return this.locate(sessionId, name);
      throw new CompactError("Conflict", `${what} is there already.`, { code: "STEP_TAKEN" });
    },
    replace: async (sessionId, name, content) => store.set(keyOf(sessionId, name), await collect(content)),
    read: (sessionId, name) => store.get(keyOf(sessionId, name)),
    find: async (sessionId, name) =>
      (await listAll()).find((file) => file.session_id === sessionId && file.name === name),
    list: async (sessionId) => (await listAll()).filter((file) => file.session_id === sessionId),
    listAll,
    remove: (sessionId, name) => store.delete(keyOf(sessionId, name)),
  };
}
// docs:end

async function collect(content: StoredContent): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

const kept = new Map<string, Uint8Array>();
const archive = createFileArchive(
  createKeyValueFiles({
    async add(key, value) {
      if (kept.has(key)) return false;
      kept.set(key, value);
      return true;
    },
    async set(key, value) {
      kept.set(key, value);
    },
    get: async (key) => kept.get(key),
    async delete(key) {
      kept.delete(key);
    },
    entries: async () => [...kept].map(([key, value]) => [key, value.length] as const),
  }),
);
const { messages } = JSON.parse(readFileSync(new URL("../transcripts/coding-session.json", import.meta.url), "utf8"));
await new CompactManager({ archive }).compact("terns", messages);
const transcript = await archive.readTranscript("terns", 1);
assert.equal(transcript?.length, messages.length);
console.log(`Kept ${kept.size} files; step 1 has ${transcript?.length} messages.`);
