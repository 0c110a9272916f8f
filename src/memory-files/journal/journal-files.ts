// The journal on disk: a file a run, made exclusively and replaced as a whole. One that cannot be read is named, not touched.
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import { writeFileExclusive } from "../../storage/write-file-exclusive.ts";
import { isAbsence } from "../workspace/locate.ts";
import type { Root } from "../workspace/open-root.ts";
import { makeFolder } from "./archive-files.ts";
import { JOURNAL_FOLDER, type JournalEntry, REMOVED_FOLDER } from "./journal.ts";
import { readEntry } from "./journal-schema.ts";
import { refuseWayOut } from "./names.ts";

export interface Journal {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Runs whose file cannot be read, or is none. */
  readonly unreadable: readonly number[];
}

const NAME = /^(\d{4,9})\.json$/;
const MOST_BYTES = 256 * 1024 * 1024;

export function journalFile(run: number): string {
  return `${JOURNAL_FOLDER}/${String(run).padStart(4, "0")}.json`;
}

export function removedFolder(run: number): string {
  return `${REMOVED_FOLDER}/${String(run).padStart(4, "0")}`;
}

/** Empty where there is none. @throws InvalidInput (`OUTSIDE_WORKSPACE`); the system's error. */
export async function readJournal(root: Root): Promise<Journal> {
  await refuseWayOut(root, JOURNAL_FOLDER);
  const entries: JournalEntry[] = [];
  const unreadable: number[] = [];
  for (const run of await runsIn(root, JOURNAL_FOLDER, NAME)) {
    const entry = await readRun(root, run);
    if (entry === undefined) unreadable.push(run);
    else entries.push(entry);
  }
  return { entries, unreadable };
}

async function readRun(root: Root, run: number): Promise<JournalEntry | undefined> {
  const path = root.absolute(journalFile(run));
  try {
    const stats = await root.fs.promises.lstat(path);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    return readEntry(await root.fs.promises.readFile(path, "utf8"), run);
  } catch {
    return undefined;
  }
}

/** Also above runs whose journal is gone and whose removed bytes are not. */
export async function nextRun(root: Root): Promise<number> {
  const known = [...(await runsIn(root, JOURNAL_FOLDER, NAME)), ...(await runsIn(root, REMOVED_FOLDER, /^(\d{4,9})$/))];
  return known.reduce((highest, run) => Math.max(highest, run), 0) + 1;
}

async function runsIn(root: Root, folder: string, name: RegExp): Promise<readonly number[]> {
  try {
    const names = await root.fs.promises.readdir(root.absolute(folder));
    return names
      .map((found) => Number(name.exec(found)?.[1] ?? 0))
      .filter((run) => run > 0)
      .sort((a, b) => a - b);
  } catch (cause) {
    if (isAbsence(cause)) return [];
    throw cause;
  }
}

export async function addEntry(root: Root, entry: JournalEntry): Promise<void> {
  await makeFolder(root, JOURNAL_FOLDER);
  await writeFileExclusive(root.absolute(journalFile(entry.run)), textOf(entry), { mode: await modeOf(root) });
}

/** One without changes is removed. */
export async function replaceEntry(root: Root, entry: JournalEntry): Promise<void> {
  const path = root.absolute(journalFile(entry.run));
  if (entry.changes.length > 0) await writeFileAtomic(path, textOf(entry));
  else await root.fs.promises.rm(path, { force: true });
}

function textOf(entry: JournalEntry): string {
  return `${JSON.stringify(entry, null, 1)}\n`;
}

async function modeOf(root: Root): Promise<number> {
  const { mode } = await root.fs.promises.stat(root.real);
  return 0o600 | (mode & 0o666);
}
