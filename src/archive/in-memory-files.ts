// Files of an archive in memory, for browsers, workers and tests: gone with the process. Keeps bytes of its own, so
// nothing it holds is shared with the caller.
import { sessionFolder } from "../storage/session-folder.ts";
import { type Clock, isoTime } from "../time.ts";
import type { ArchiveFiles, StoredFile } from "./archive.ts";
import { collectContent } from "./content.ts";
import { stepTaken } from "./step-files.ts";

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly at: string;
}

export function createMemoryFiles(now: Clock): ArchiveFiles {
  const sessions = new Map<string, Map<string, MemoryFile>>();
  const locate = (sessionId: string, name: string) => `memory:${sessionFolder(sessionId)}/${name}`;
  const find = (sessionId: string, name: string) => sessions.get(sessionId)?.get(name);
  const store = (sessionId: string, name: string, bytes: Uint8Array): void => {
    const files = sessions.get(sessionId) ?? new Map<string, MemoryFile>();
    sessions.set(sessionId, files.set(name, { bytes, at: isoTime(now()) }));
  };
  const stored = (session_id: string, name: string, { bytes, at }: MemoryFile): StoredFile => {
    return { session_id, name, bytes: bytes.length, at };
  };
  const list = (sessionId: string): readonly StoredFile[] =>
    Array.from(sessions.get(sessionId) ?? [], ([name, file]) => stored(sessionId, name, file));
  return {
    adapter: "memory",
    locate,
    async create(sessionId, name, content, what) {
      const location = locate(sessionId, name);
      const bytes = await collectContent(content);
      // Nothing waits from here on, so of two writers one wins.
      if (find(sessionId, name) !== undefined) throw stepTaken(what, location);
      store(sessionId, name, bytes);
      return location;
    },
    async replace(sessionId, name, content) {
      sessionFolder(sessionId);
      store(sessionId, name, await collectContent(content));
    },
    async read(sessionId, name) {
      sessionFolder(sessionId);
      return find(sessionId, name)?.bytes.slice();
    },
    async find(sessionId, name) {
      sessionFolder(sessionId);
      const file = find(sessionId, name);
      return file && stored(sessionId, name, file);
    },
    async list(sessionId) {
      sessionFolder(sessionId);
      return list(sessionId);
    },
    listAll: async () => [...sessions.keys()].flatMap(list),
    async remove(sessionId, name) {
      sessionFolder(sessionId);
      sessions.get(sessionId)?.delete(name);
    },
  };
}
