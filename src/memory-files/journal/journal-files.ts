// The journal on disk: a file a run, made exclusively and replaced as a whole. One that cannot be read is named, not touched.
import { fileFailure, writeFileAtomic, writeFileExclusive } from "../../storage/files.ts";
import { refuseWayOut } from "../workspace/guards.ts";
import { isAbsence } from "../workspace/places.ts";
import { openRoot, type Root } from "../workspace/root.ts";
import type { Workspace } from "../workspace.ts";
import { isThere, makeFolder } from "./archive-files.ts";
import {
  JOURNAL_FOLDER,
  type JournalChange,
  type JournalEdit,
  type JournalEntry,
  REMOVED_FOLDER,
  readEntry,
} from "./journal.ts";

export interface Journal {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Runs whose file cannot be read, or is none. */
  readonly unreadable: readonly number[];
}

const NAME = /^(\d{4,9})\.json$/;
const MOST_BYTES = 256 * 1024 * 1024;

function journalFile(run: number): string {
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

// Runs of the journal that nobody can restore, because their file cannot be read: a list of changes cannot name what it does
// not know.

export interface JournalFault {
  /** Number of the run. */
  readonly run: number;
  /** Its file, from the workspace. */
  readonly file: string;
  readonly code: "INVALID_JOURNAL";
  /** One sentence. */
  readonly message: string;
}

/**
 * Oldest first; empty where all of the journal can be read. `root` is the absolute path of the workspace. Reads only.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`, `INVALID_ROOT`), StoreFailed.
 */
export async function journalFaults(root: string): Promise<readonly JournalFault[]> {
  const place = await openRoot(root);
  try {
    return (await readJournal(place)).unreadable.map(faultOf);
  } catch (cause) {
    throw fileFailure("StoreFailed", "read the journal", place.real, cause);
  }
}

export function faultOf(run: number): JournalFault {
  const file = journalFile(run);
  const message = `${file} cannot be read, so nothing of that run is known.`;
  return { run, file, code: "INVALID_JOURNAL", message };
}

// Which digests of earlier runs stand in a workspace: they are no notes any more, but somebody who looks for the notes wants to
// know what became of them.

export interface DigestMade {
  readonly file: string;
  /** Notes that it was made of. */
  readonly notes: number;
}

/** Oldest first. Nothing where the journal cannot be read: whoever restores is told. */
export async function digestsMade(folder: string): Promise<readonly DigestMade[]> {
  try {
    const root = await openRoot(folder);
    const { entries } = await readJournal(root);
    const made = new Map<string, DigestMade>();
    for (const change of entries.flatMap(({ changes }) => changes)) {
      if (change.kind !== "digest" || change.state !== "applied") continue;
      if (await isThere(root, change.file)) made.set(change.file, { file: change.file, notes: change.notes.length });
    }
    return [...made.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  } catch {
    return [];
  }
}

// How much earlier runs took from each file, so that many small runs together take no more than one may. Reads the journal,
// and writes nothing.

/** Bytes by file name, 0 where nothing was taken. */
export type TakenSoFar = (file: string) => number;

/**
 * Of repeated lines and of sections that the memory holds, less what was put back. What moves is a matter of the limit of the
 * file, and what is rotated is not edited again. `hashes`: SHA-256 of the files as they are.
 * @throws StoreFailed.
 */
export async function readTaken(
  { root }: Pick<Workspace, "root">,
  hashes: ReadonlyMap<string, string>,
): Promise<TakenSoFar> {
  const taken = new Map<string, number>();
  for (const change of (await readEntries(root)).flatMap(({ changes }) => changes)) {
    if (!isLimited(change) || !isMade(change, hashes)) continue;
    const bytes = change.ranges.reduce(
      (sum, { restored, byte_from, byte_to }) => sum + (restored === true ? 0 : byte_to - byte_from),
      0,
    );
    taken.set(change.file, (taken.get(change.file) ?? 0) + bytes);
  }
  return (file) => taken.get(file) ?? 0;
}

async function readEntries(folder: string) {
  const root = await openRoot(folder);
  try {
    return (await readJournal(root)).entries;
  } catch (cause) {
    throw fileFailure("StoreFailed", "read the journal", root.real, cause);
  }
}

function isLimited(change: JournalChange): change is JournalEdit {
  return change.kind === "remove_sections" || change.kind === "tidy";
}

/** Of a run that died it is not known, unless the file is as it was before. */
function isMade({ state, file, before }: JournalEdit, hashes: ReadonlyMap<string, string>): boolean {
  if (state === "intended") return hashes.get(file) !== before.sha256;
  return state !== "restored";
}
