// The lines of an archive's catalog and what they add up to. Anybody may have written them: a line counts only when
// every value is of a form that we write. No input or output.
import { sessionFolder } from "../storage/session-folder.ts";
import type { StoredFile } from "./archive.ts";

/** What tells whether a folder is still as it was, without a look at each of its files. */
export interface FolderState {
  /** When it last changed, as its file system says. */
  readonly changed: number;
  /** Files that belong into a catalog: a file that nobody noted makes this differ from what the lines add up to. */
  readonly count: number;
}

/** A session's files as the catalog has them. */
export interface RecordedSession {
  readonly session_id: string;
  /** As the last line has it. */
  readonly seen: FolderState;
  readonly files: ReadonlyMap<string, StoredFile>;
  /** Were there, and went without being removed by us. */
  readonly lost: ReadonlyMap<string, StoredFile>;
}

export interface CatalogLines {
  /** By name of the folder. */
  readonly sessions: ReadonlyMap<string, RecordedSession>;
  readonly count: number;
  /** A line in the middle cannot be read, so no session in the catalog can be trusted. */
  readonly isDamaged: boolean;
}

/** One of the three is there: a file more, a file less, or the session as a whole, which stands for all lines before. */
interface Line {
  readonly session_id: string;
  readonly seen: FolderState;
  readonly wrote?: StoredFile;
  readonly removed?: string;
  readonly files?: readonly StoredFile[];
  readonly lost?: readonly StoredFile[];
}

/** No separators, no leading dot, and nothing that a file system reads as something else. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;
const HASH = /^[0-9a-f]{64}$/;
const TIME = /^[0-9T:.-]{1,40}Z$/;

/** Temporary files, the folder's own identity and the events beside the steps are no files of the archive. */
export function isCatalogued(name: string): boolean {
  return NAME.test(name) && name !== "session.json" && !name.startsWith("events");
}

/** Nothing is missing that stood in the folder when the last line was written. */
export function isComplete({ seen, files }: RecordedSession): boolean {
  return files.size === seen.count;
}

export function wroteLine(seen: FolderState, file: StoredFile): string {
  return lineOf(file.session_id, seen, { wrote: withoutSession(file) });
}

export function removedLine(seen: FolderState, session_id: string, removed: string): string {
  return lineOf(session_id, seen, { removed });
}

export function wholeLine({ session_id, seen, files, lost }: RecordedSession): string {
  const gone = lost.size === 0 ? {} : { lost: Array.from(lost.values(), withoutSession) };
  return lineOf(session_id, seen, { files: Array.from(files.values(), withoutSession), ...gone });
}

function lineOf(session_id: string, { changed, count }: FolderState, what: object): string {
  return `${JSON.stringify({ session_id, changed, count, ...what })}\n`;
}

function withoutSession({ session_id: _, ...file }: StoredFile) {
  return file;
}

export function readLines(text: string): CatalogLines {
  const sessions = new Map<string, Recording>();
  let count = 0;
  let damaged = 0;
  const lines = text.split("\n");
  // What follows the last line break is being written, or was torn: its session's folder tells that it has changed.
  lines.pop();
  for (const text of lines) {
    if (text === "") continue;
    count++;
    const line = readLine(text);
    if (line === undefined) damaged++;
    else add(sessions, line);
  }
  const byFolder = new Map(Array.from(sessions.values(), (session) => [sessionFolder(session.session_id), session]));
  return { sessions: byFolder, count, isDamaged: damaged > 0 };
}

interface Recording extends RecordedSession {
  seen: FolderState;
  files: Map<string, StoredFile>;
  lost: Map<string, StoredFile>;
}

function add(sessions: Map<string, Recording>, { session_id, seen, wrote, removed, files, lost = [] }: Line): void {
  const before = sessions.get(session_id);
  const session = before ?? { session_id, seen, files: new Map(), lost: new Map() };
  if (before === undefined) sessions.set(session_id, session);
  session.seen = seen;
  if (files !== undefined) {
    session.files = byName(files.map((file) => withHash(file, session.files.get(file.name))));
    session.lost = byName(lost);
  } else if (wrote !== undefined) {
    session.files.set(wrote.name, wrote);
    session.lost.delete(wrote.name);
  } else if (removed !== undefined) {
    session.files.delete(removed);
    session.lost.delete(removed);
  }
}

/** Who listed the folder may not have seen yet the line that told the hash, and have written after it. */
function withHash(file: StoredFile, before: StoredFile | undefined): StoredFile {
  const isKnown = file.sha256 === undefined && before?.sha256 !== undefined && before.bytes === file.bytes;
  return isKnown ? before : file;
}

function byName(files: readonly StoredFile[]): Map<string, StoredFile> {
  return new Map(files.map((file) => [file.name, file]));
}

function readLine(text: string): Line | undefined {
  const line = parse(text);
  const { session_id, changed, count } = line ?? {};
  if (typeof session_id !== "string" || session_id === "") return undefined;
  if (typeof changed !== "number" || typeof count !== "number") return undefined;
  const seen = { changed, count };
  if (line?.wrote !== undefined) {
    const wrote = readFile(session_id, line.wrote);
    return wrote && { session_id, seen, wrote };
  }
  if (line?.removed !== undefined) {
    const removed = line.removed;
    return typeof removed === "string" && isCatalogued(removed) ? { session_id, seen, removed } : undefined;
  }
  const files = readFiles(session_id, line?.files);
  const lost = readFiles(session_id, line?.lost ?? []);
  return files && lost && { session_id, seen, files, lost };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function readFiles(sessionId: string, values: unknown): readonly StoredFile[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const files = values.map((value) => readFile(sessionId, value)).filter((file) => file !== undefined);
  return files.length === values.length ? files : undefined;
}

function readFile(session_id: string, value: unknown): StoredFile | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { name, bytes, at, sha256 } = value as Partial<StoredFile>;
  if (typeof name !== "string" || !isCatalogued(name)) return undefined;
  if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0) return undefined;
  if (typeof at !== "string" || !TIME.test(at)) return undefined;
  if (sha256 === undefined) return { session_id, name, bytes, at };
  return typeof sha256 === "string" && HASH.test(sha256) ? { session_id, name, bytes, at, sha256 } : undefined;
}
