// Opens a workspace: decides which of its files are memory, which are taken in and which are notes, reads the former and
// leaves the notes to be read one by one.

import { dirname, resolve } from "node:path";
import type { Block } from "../../text/markdown/outline.ts";
import { groupBy } from "../../text/words.ts";
import {
  type MemoryFile,
  type Note,
  type Root,
  textOf,
  type UnreadFile,
  type Workspace,
  type WorkspaceRequest,
} from "../workspace.ts";
import { type FoundNote, findMemory, findNotes } from "./find-files.ts";
import {
  type Claims,
  claim,
  locate,
  outside,
  type Place,
  prefetch,
  readNamed,
  readPlace,
  unreadable,
} from "./places.ts";
import { isWithin, nameOf, openRoot } from "./root.ts";

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

// Reads the files that memory files take in, and those that these take in. Nothing outside the workspace is looked at.

/** As programs that read them follow them. */
const DEEPEST = 5;

/** In the order in which they are named, each followed by its own. What is taken in is claimed; what cannot be is in `unread`. */
async function takeInImports(
  root: Root,
  memory: readonly MemoryFile[],
  claims: Claims,
  unread: UnreadFile[],
): Promise<readonly MemoryFile[]> {
  const imported: MemoryFile[] = [];
  const follow = async (from: MemoryFile, depth: number): Promise<void> => {
    if (depth > DEEPEST) return;
    for (const written of listImports(from)) {
      const claimed = claim(claims, await locateImport(root, from.file, written));
      if (claimed === undefined) continue;
      const read = "code" in claimed ? claimed : await readPlace(root, claimed);
      if (!("code" in read)) {
        imported.push(read);
        await follow(read, depth + 1);
      }
      // What has no ending was perhaps no path: `@name`, a folder, `@/components` in code.
      else if (TEXT_NAME.test(written) || written.startsWith("~/")) unread.push(read);
    }
  };
  for (const file of memory) await follow(file, 1);
  return imported;
}

/** Its name is relative to the file that takes it in. */
async function locateImport(root: Root, from: string, written: string): Promise<Place | UnreadFile> {
  const absolute = resolve(dirname(root.absolute(from)), written);
  const file = written.startsWith("~") || !isWithin(root.real, absolute) ? "" : nameOf(root, absolute);
  if (file === "") return outside(written, `${from} takes it in from outside the workspace.`);
  return (await locate(root, file)) ?? unreadable(file, `${from} takes it in, but it is not there.`);
}

// Which files a memory file takes in: `@path` in its prose, as CLAUDE.md has them. Code, comments and what only looks like it
// (mail addresses, people, packages) are left out; whether a file is there is not asked.

const NO_PROSE = new Set<Block["kind"]>(["code", "front_matter", "rule", "definition"]);
/** Blanks in names are written `\ `. Chinese marks end a name, since no blank follows them. */
const IMPORT = /(?:^|\s)@((?:\\ |[^\s\\`，。；：、！？（）【】《》「」“”]){1,1024})/gu;
/** From a run of backticks to the next of the same length. */
const CODE = /(?<!`)(`{1,100})(?!`).{1,5000}?(?<!`)\1(?!`)/gsu;
/** They belong to the sentence. */
const ENDING = /[.,;:!?)\]}'"*_>]{1,20}$/;
const BEGINNING = /^[\p{L}\p{N}._~/-]/u;
/** Only these are missed where they are not there; `@name` alone is more often a person. */
const TEXT_NAME = /\.(?:md|markdown|mdx|mdc|txt|text)$/i;

/** As written, without marks of the sentence around them and `#` parts; each once. */
function listImports(file: MemoryFile): readonly string[] {
  const found = file.outline.blocks
    .filter(({ kind }) => !NO_PROSE.has(kind))
    .map(({ from, to }) => textOf(file, from, to))
    .filter((text) => !/^\s{0,200}<!--/.test(text))
    .flatMap((text) => [...text.replace(CODE, "``").matchAll(IMPORT)].map(([, written = ""]) => clean(written)));
  return [...new Set(found.filter((written) => BEGINNING.test(written) && mayBeText(written)))];
}

/** Its last part has no ending, or that of a text; `.env` has none. */
function mayBeText(path: string): boolean {
  return TEXT_NAME.test(path) || !/[^/\\]\.[^./\\]{1,100}$/.test(path);
}

function clean(written: string): string {
  const [path = ""] = written.split("#");
  return path.replace(ENDING, "").replaceAll("\\ ", " ");
}
