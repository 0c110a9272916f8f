// Opens a workspace: decides which of its files are memory, which are taken in and which are notes, reads the former and
// leaves the notes to be read one by one.
import { groupBy } from "../../text/words.ts";
import type { MemoryFile, Note, Root, UnreadFile, Workspace, WorkspaceRequest } from "../workspace.ts";
import { type FoundNote, findMemory, findNotes } from "./find-files.ts";
import { takeInImports } from "./imports.ts";
import { type Claims, claim, locate, prefetch, readNamed, readPlace, unreadable } from "./places.ts";
import { openRoot } from "./root.ts";

/**
 * Writes nothing, makes nothing.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`, `MEMORY_FILE_NOT_FOUND`), InvalidInput (`INVALID_ROOT`, `NOT_A_FOLDER`,
 * `OUTSIDE_WORKSPACE`, `INVALID_GLOB`, `TOO_MANY_FILES`), StoreFailed.
 */
export async function openWorkspace({ root: folder, memoryFile, notesGlob }: WorkspaceRequest): Promise<Workspace> {
  const root = await openRoot(folder);
  const claims: Claims = new Map();
  const choice = await findMemory(root, memoryFile);
  const unread = [...choice.unread];
  const memory = await readMemory(root, choice.files, claims, unread);
  const imported = await takeInImports(root, memory, claims, unread);
  const taken = new Set([...choice.files, ...imported.map(({ file }) => file)]);
  const found = await findNotes(root, notesGlob, taken, claims);
  unread.push(...found.unread);
  const names = new Set([...memory, ...imported, ...found.notes].map(({ file }) => file));
  return {
    ...root,
    memory,
    imported,
    notes: found.notes.map(({ file, date, size }) => ({ file, date, size })),
    // A file outside may be taken in at several places.
    unread: [...groupBy(unread, ({ code, file }) => `${code} ${file}`).values()].flatMap(([first]) => first ?? []),
    async read(file) {
      const read = names.has(file) ? await readNamed(root, file) : undefined;
      return read === undefined || "code" in read ? undefined : read;
    },
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
    const claimed = claim(claims, (await locate(root, file)) ?? unreadable(file, "It was removed meanwhile."));
    if (claimed === undefined) continue;
    const read = "code" in claimed ? claimed : await readPlace(root, claimed);
    if ("code" in read) unread.push(read);
    else memory.push(read);
  }
  return memory;
}

/** A few notes at a time. */
const AHEAD = { width: 8, most: 4 * 1024 * 1024, weigh: ({ size }: FoundNote) => size };

async function* readNotes(
  root: Root,
  notes: readonly FoundNote[],
  onUnread: (unread: UnreadFile) => void,
): AsyncGenerator<Note> {
  const begin = async (note: FoundNote) => ({ read: await readPlace(root, note), date: note.date });
  for await (const { read, date } of prefetch(notes, begin, AHEAD)) {
    if ("code" in read) onUnread(read);
    else yield { ...read, date };
  }
}
