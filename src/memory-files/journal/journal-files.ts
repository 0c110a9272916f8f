// The journal on disk: a file a run, made exclusively and replaced as a whole. One that cannot be read is named, not touched.
import { promises as fs } from "node:fs";
import { fileFailure, writeFileAtomic, writeFileExclusive } from "../../storage/files.ts";
import { compareTexts } from "../../text/words.ts";
import { refuseWayOut } from "../workspace/guards.ts";
import { isAbsence, isThere, openRoot } from "../workspace/root.ts";
import type { Root } from "../workspace.ts";
import { makeFolder } from "./archive-files.ts";
import { JOURNAL_FOLDER, type JournalChange, type JournalEntry, REMOVED_FOLDER, readEntry } from "./journal.ts";

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

/** Empty where there is none. @throws InvalidInput (`OUTSIDE_WORKSPACE`); StoreFailed for what the system refuses. */
export async function readJournal(root: Root): Promise<Journal> {
  const entries: JournalEntry[] = [];
  const unreadable: number[] = [];
  const runs = await refuseWayOut(root, JOURNAL_FOLDER)
    .then(() => runsIn(root, JOURNAL_FOLDER, NAME))
    .catch((cause) => {
      throw fileFailure("StoreFailed", "read the journal", root.real, cause);
    });
  for (const run of runs) {
    const entry = await readRun(root.absolute(journalFile(run)), run).catch(() => undefined);
    if (entry === undefined) unreadable.push(run);
    else entries.push(entry);
  }
  return { entries, unreadable };
}

async function readRun(path: string, run: number): Promise<JournalEntry | undefined> {
  const stats = await fs.lstat(path);
  if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
  return readEntry(await fs.readFile(path, "utf8"), run);
}

/** Also above runs whose journal is gone and whose removed bytes are not. */
export async function nextRun(root: Root): Promise<number> {
  const known = [...(await runsIn(root, JOURNAL_FOLDER, NAME)), ...(await runsIn(root, REMOVED_FOLDER, /^(\d{4,9})$/))];
  return known.reduce((highest, run) => Math.max(highest, run), 0) + 1;
}

async function runsIn(root: Root, folder: string, name: RegExp): Promise<readonly number[]> {
  try {
    const names = await fs.readdir(root.absolute(folder));
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
  const { mode } = await fs.stat(root.real);
  await writeFileExclusive(root.absolute(journalFile(entry.run)), entryText(entry), { mode: 0o600 | (mode & 0o666) });
}

/** One without changes is removed. */
export async function replaceEntry(root: Root, entry: JournalEntry): Promise<void> {
  const path = root.absolute(journalFile(entry.run));
  if (entry.changes.length > 0) await writeFileAtomic(path, entryText(entry));
  else await fs.rm(path, { force: true });
}

function entryText(entry: JournalEntry): string {
  return `${JSON.stringify(entry, null, 1)}\n`;
}

/** A run that nobody can restore, because its file cannot be read: a list of changes cannot name what it does not know. */
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
  return (await readJournal(await openRoot(root))).unreadable.map(faultOf);
}

export function faultOf(run: number): JournalFault {
  const file = journalFile(run);
  const message = `${file} cannot be read, so nothing of that run is known.`;
  return { run, file, code: "INVALID_JOURNAL", message };
}

/** A digest of an earlier run. It is not a note, but those who look for the notes must be told where they went. */
export interface DigestMade {
  readonly file: string;
  /** Notes that it was made of. */
  readonly notes: number;
}

/** Oldest first. Empty where the journal cannot be read: a restore reports that. */
export async function digestsMade(folder: string): Promise<readonly DigestMade[]> {
  try {
    const root = await openRoot(folder);
    const { entries } = await readJournal(root);
    const made = new Map<string, DigestMade>();
    for (const change of entries.flatMap(({ changes }) => changes)) {
      if (change.kind !== "digest" || change.state !== "applied") continue;
      if (await isThere(root, change.file)) made.set(change.file, { file: change.file, notes: change.notes.length });
    }
    return [...made.values()].sort((a, b) => compareTexts(a.file, b.file));
  } catch {
    return [];
  }
}

/** Bytes that earlier runs took from a file, by its name: many small runs together take no more than one may. */
export type TakenSoFar = (file: string) => number;

/**
 * Of repeated lines and of sections that the memory holds, less what was put back. What moves is a matter of the limit of the
 * file, and what is rotated is not edited again. `hashes`: SHA-256 of the files as they are.
 * @throws StoreFailed.
 */
export async function readTaken(root: Root, hashes: ReadonlyMap<string, string>): Promise<TakenSoFar> {
  const taken = new Map<string, number>();
  for (const change of (await readJournal(root)).entries.flatMap(({ changes }) => changes)) {
    if ((change.kind !== "remove_sections" && change.kind !== "tidy") || !isMade(change, hashes)) continue;
    for (const { restored, byte_from, byte_to } of change.ranges)
      if (!restored) taken.set(change.file, (taken.get(change.file) ?? 0) + byte_to - byte_from);
  }
  return (file) => taken.get(file) ?? 0;
}

/** Of a run that died it is not known, unless the file is as it was before. */
function isMade(
  { state, file, before }: Exclude<JournalChange, { kind: "digest" }>,
  hashes: ReadonlyMap<string, string>,
) {
  return state === "intended" ? hashes.get(file) !== before.sha256 : state !== "restored";
}
