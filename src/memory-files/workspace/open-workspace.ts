// Opens a workspace: decides which of its files are memory, which are taken in and which are notes, reads the former and
// leaves the notes to be read one by one.
import type { MemoryFile, Note, UnreadFile, Workspace, WorkspaceRequest } from "../workspace.ts";
import { type FoundNote, findMemory, findNotes } from "./find-files.ts";
import { takeInImports } from "./imports.ts";
import {
  type Claims,
  createClaims,
  fetchLocated,
  locate,
  prefetch,
  readFetched,
  readPlace,
  readStrictly,
  unreadable,
} from "./places.ts";
import { isUnread } from "./read-memory-file.ts";
import { openRoot, type Root } from "./root.ts";

/**
 * Writes nothing, makes nothing.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`, `MEMORY_FILE_NOT_FOUND`), InvalidInput (`INVALID_ROOT`, `NOT_A_FOLDER`,
 * `OUTSIDE_WORKSPACE`, `INVALID_GLOB`, `TOO_MANY_FILES`), StoreFailed.
 */
export async function openWorkspace({ root: folder, memoryFile, notesGlob }: WorkspaceRequest): Promise<Workspace> {
  const root = await openRoot(folder);
  const claims = createClaims();
  const choice = await findMemory(root, memoryFile);
  const unread = [...choice.unread];
  const memory = await readMemory(root, choice.files, claims, unread);
  const imported = await takeInImports(root, memory, claims, (file) => unread.push(file));
  const taken = new Set([...choice.files, ...imported.map(({ file }) => file)]);
  const found = await findNotes(root, notesGlob, taken, claims);
  unread.push(...found.unread);
  const names = new Set([...memory, ...imported, ...found.notes].map(({ file }) => file));
  return {
    root: root.real,
    memory,
    imported,
    notes: found.notes.map(({ file, date, size }) => ({ file, date, size })),
    unread: withoutRepeats(unread),
    path: (file) => root.absolute(file),
    read: async (file) => (names.has(file) ? readStrictly(root, file) : undefined),
    readNotes: (onUnread) => readNotes(root, found.notes, onUnread),
  };
}

async function readMemory(
  root: Root,
  files: readonly string[],
  claims: Claims,
  unread: UnreadFile[],
): Promise<readonly MemoryFile[]> {
  const memory: MemoryFile[] = [];
  for (const file of files) {
    const place = (await locate(root, file)) ?? unreadable(file, "It was removed meanwhile.");
    const claimed = claims.claim(place);
    if (claimed === undefined) continue;
    const read = "code" in claimed ? claimed : await readPlace(root, claimed);
    if ("code" in read) unread.push(read);
    else memory.push(read);
  }
  return memory;
}

/** Fetched a few at a time, taken apart one by one. */
const AHEAD = { width: 8, most: 4 * 1024 * 1024, weigh: ({ size }: FoundNote) => size };

async function* readNotes(
  root: Root,
  notes: readonly FoundNote[],
  onUnread: (unread: UnreadFile) => void,
): AsyncGenerator<Note> {
  const fetch = async (note: FoundNote) => ({ note, fetched: await fetchLocated(root, note) });
  for await (const { note, fetched } of prefetch(notes, fetch, AHEAD)) {
    const read = readFetched(root, note.file, fetched);
    if (isUnread(read)) onUnread(read);
    else yield { ...read, date: note.date };
  }
}

/** A file outside may be taken in at several places. */
function withoutRepeats(unread: readonly UnreadFile[]): readonly UnreadFile[] {
  const seen = new Set<string>();
  return unread.filter(({ file, code }) => {
    const key = `${code} ${file}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
