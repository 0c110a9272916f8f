// The archive over any place that keeps named files: the one that knows what a step is, how its files are named and
// compressed, and what reading makes of damage. Where the files lie is left to each implementation of ArchiveFiles.
import { CompactError } from "../errors.ts";
import type {
  Archive,
  ArchiveFiles,
  ChangedFile,
  ErasedFiles,
  ReadTranscriptOptions,
  StepSize,
  StoredFile,
  SummaryRecord,
} from "./archive.ts";
import { type Compression, pack, packBytes, unpack } from "./compression.ts";
import { encodeLines, type KnownLines, type WrittenLine } from "./encode-lines.ts";
import { highestStep, removeStep, type SessionFiles } from "./remove-step.ts";
import { SessionIndex, StepReader, transcriptsIn } from "./session-lines.ts";
import { decodeLines, type Place, StoredLines } from "./shared-lines.ts";
import { readState, writeState } from "./state-files.ts";
import {
  checkStep,
  encodeRecord,
  isSummary,
  stepNotFound,
  stepOf,
  stepsOf,
  stepTaken,
  summaryFile,
  summaryFiles,
  type TextEntry,
  transcriptFile,
  transcriptFiles,
  unreadableLines,
} from "./step-files.ts";

export interface FileArchiveOptions {
  /** How transcripts and summaries are compressed from now on; older ones are read as they are. Default `none`. */
  readonly compression?: Compression;
}

/** Lines of all sessions that are known at a time: some 15 MB. */
const MOST_KNOWN_LINES = 100_000;

/**
 * An archive over files of your own: anything that keeps bytes by session and name, see archive.ts. Transcripts are
 * `transcript-pre-compact-{step}.jsonl`, summaries `summary-{step}.json`, with `.gz` or `.zst` when packed. What steps of a
 * session have in common is stored once. Throws what the files throw; `MissingDependency` where the runtime cannot pack or
 * unpack.
 */
export function createFileArchive(files: ArchiveFiles, { compression = "none" }: FileArchiveOptions = {}): Archive {
  const { sessionOf, readerOf, forget } = openSessions(files, compression);
  const archive: Archive = {
    adapter: files.adapter,
    nextStep: async (sessionId) => (await highestStep(files, sessionId)) + 1,
    async saveTranscript(sessionId, step, messages) {
      checkStep(step);
      return saveTranscript(sessionOf(sessionId), step, messages, compression);
    },
    async saveSummary(sessionId, step, record) {
      checkStep(step);
      return saveSummary(sessionOf(sessionId), step, record, compression);
    },
    readState: (sessionId, options) => readState(files, sessionId, options?.strict),
    async writeState(sessionId, state) {
      const { index } = sessionOf(sessionId);
      index.state = await writeState(files, sessionId, state, index.state);
    },
    findSummary: async (summaryHash) =>
      findNewestSummary(summariesIn(await files.listAll()), summaryHash, async ({ sessionId, step }) =>
        (await readerOf(sessionId)).record(step, false),
      ),
    sessions: async () => sessionsIn(await files.listAll()),
    async steps(sessionId) {
      const names = (await files.list(sessionId)).map(({ name }) => name);
      return stepsOf(names, (name) => files.locate(sessionId, name));
    },
    async readTranscript(sessionId, step, options = {}) {
      const reader = await readerOf(sessionId, options);
      const found = await reader.transcript(step);
      if (found === undefined) throw stepNotFound(sessionId, step);
      const lines = new StoredLines(await unpack(found.location, found.bytes));
      const { values, damaged, damagedIn } = await decodeLines(lines, step, reader);
      if (options.strict !== true || damaged.length === 0) return values;
      const elsewhere = Array.from(damagedIn, (file) => files.locate(sessionId, transcriptFile(file)));
      throw unreadableLines(found.location, damaged, elsewhere);
    },
    async readSummary(sessionId, step, options) {
      const reader = await readerOf(sessionId, options);
      const record = await reader.record(step, false);
      return record && { ...record, text: (await reader.text(step)) ?? "" };
    },
    sizes: async () => sizesOf(await files.listAll()),
    changedFiles: async (sessionId, step, { compared, together } = {}) =>
      changedFiles(files, sessionId, step, await readerOf(sessionId, { together }), compared),
    stored: async (sessionId, mayHold) =>
      (await import("./stored-texts.ts")).storedTexts(files, sessionId, compression, mayHold),
    ...(files.words === undefined ? {} : { words: files.words }),
    removeStep: (sessionId, step) => removeStep(sessionOf(sessionId), step),
    async eraseSession(sessionId, isDryRun = false) {
      if (!isDryRun) forget(sessionId);
      return files.eraseSession?.(sessionId, isDryRun) ?? eraseListed(files, sessionId, isDryRun);
    },
    repackSession: async (sessionId) => (await import("./repack.ts")).repackSession(sessionOf(sessionId)),
  };
  return archive;
}

/** What is remembered of sessions between two calls. */
function openSessions(files: ArchiveFiles, compression: Compression) {
  const indexes = new Map<string, SessionIndex>();
  const openReader = (sessionId: string) => new StepReader(files, sessionId, compression);
  const sessionOf = (sessionId: string): SessionFiles => {
    const index = indexes.get(sessionId) ?? new SessionIndex();
    indexes.delete(sessionId);
    let lines = index.size;
    for (const known of indexes.values()) lines += known.size;
    // Those that were used last stay.
    for (const [id, known] of indexes) {
      if (lines <= MOST_KNOWN_LINES) break;
      lines -= known.size;
      indexes.delete(id);
    }
    indexes.set(sessionId, index);
    return { files, sessionId, index, openReader: () => openReader(sessionId) };
  };
  const readers = new WeakMap<object, Map<string, StepReader>>();
  /** Kept as long as `together`, if there is one. */
  const readerOf = async (sessionId: string, { together }: ReadTranscriptOptions = {}): Promise<StepReader> => {
    if (together === undefined) return openReader(sessionId);
    const bySession = readers.get(together) ?? new Map<string, StepReader>();
    readers.set(together, bySession);
    const reader = bySession.get(sessionId) ?? openReader(sessionId);
    bySession.set(sessionId, reader);
    await reader.preload();
    return reader;
  };
  return { sessionOf, readerOf, forget: (sessionId: string) => indexes.delete(sessionId) };
}

// Saving: what a step on record holds already is referred to. Whoever removes a step at the same time keeps what others
// hold, and looks for them after the step is gone; so a step that is still there after this one was written is safe.

async function saveTranscript(
  { files, sessionId, index, openReader }: SessionFiles,
  step: number,
  messages: readonly unknown[],
  compression: Compression,
): Promise<string> {
  const before = await files.list(sessionId);
  const reader = openReader();
  await index.follow(before, reader);
  const texts = new Set<number>();
  const text = await newestText(before, step, reader, (file) => texts.add(file));
  const wrote: WrittenLine[] = [];
  const used: Place[] = [];
  const holders = new Set<number>();
  const known = index.known(text, (place, holder) => {
    used.push(place);
    holders.add(holder);
  });
  const name = transcriptFile(step, compression);
  const lines = encodeLines(messages, step, known, { wrote: (line) => wrote.push(line) });
  const location = await files.create(sessionId, name, pack(compression, lines), "transcript");
  // Another process may pack otherwise and have taken the step under another name. Each looks after it has written, so
  // two never both stay.
  const others = transcriptFiles(step).filter((other) => other !== name);
  const after = await files.list(sessionId);
  const stays = transcriptsIn(after);
  const taken = after.find((file) => others.includes(file.name));
  const isSafe =
    [...holders].every((holder) => stays.has(holder)) && [...texts].every((text) => hasSummary(after, text));
  if (taken === undefined && isSafe) {
    index.saved(step, stays.get(step) ?? 0, wrote, used, [...texts]);
    return location;
  }
  await files.remove(sessionId, name);
  throw stepTaken("transcript", files.locate(sessionId, (taken ?? { name }).name));
}

/** The text of the newest summary before a step: it stands in the list that the step begins with. */
async function newestText(
  files: readonly StoredFile[],
  step: number,
  reader: StepReader,
  used: (file: number) => void,
): Promise<KnownLines["text"]> {
  const file = newestSummary(files, step);
  const text = file === undefined ? undefined : await reader.text(file);
  if (file === undefined || text === undefined || text.length < LEAST_TEXT) return undefined;
  return { file, text, used: () => used(file) };
}

/** Below it a reference is hardly shorter. */
const LEAST_TEXT = 200;

function newestSummary(files: readonly StoredFile[], before: number): number | undefined {
  const steps = files.flatMap(({ name }) => (isSummary(name) ? [stepOf(name) ?? 0] : []));
  const newest = Math.max(0, ...steps.filter((step) => step < before));
  return newest === 0 ? undefined : newest;
}

function hasSummary(files: readonly StoredFile[], step: number): boolean {
  return files.some(({ name }) => summaryFiles(step).includes(name));
}

async function saveSummary(
  { files, sessionId, openReader }: SessionFiles,
  step: number,
  record: SummaryRecord,
  compression: Compression,
): Promise<string> {
  const name = summaryFile(step, compression);
  const encode = (text: string | readonly TextEntry[]) => packBytes(compression, encodeRecord({ ...record, text }));
  const before = newestSummary(await files.list(sessionId), step);
  const text = before === undefined ? undefined : sharedText(record.text, await openReader().textPlaces(before));
  const location = await files.create(sessionId, name, await encode(text ?? record.text), "summary");
  // The record that it shares lines with was removed meanwhile: then it stands by itself.
  if (before !== undefined && text !== undefined && !hasSummary(await files.list(sessionId), before))
    await files.replace(sessionId, name, await encode(record.text), "summary");
  return location;
}

/** Undefined where nothing is shared. */
function sharedText(
  text: string,
  earlier: readonly (Place & { readonly text: string })[],
): readonly TextEntry[] | undefined {
  const places = new Map(earlier.map((place) => [place.text, place]));
  const entries: (string | [number, number, number])[] = [];
  for (const line of text.split("\n")) {
    const place = line.length < LEAST_LINE ? undefined : places.get(line);
    const last = entries.at(-1);
    if (place === undefined) entries.push(line);
    else if (typeof last === "object" && last[0] === place.file && last[2] + 1 === place.line) last[2] = place.line;
    else entries.push([place.file, place.line, place.line]);
  }
  return entries.some((entry) => typeof entry === "object") ? entries : undefined;
}

/** A reference takes as much. */
const LEAST_LINE = 12;

async function eraseListed(files: ArchiveFiles, sessionId: string, isDryRun: boolean): Promise<ErasedFiles> {
  const all = await files.list(sessionId);
  if (!isDryRun) for (const { name } of all) await files.remove(sessionId, name);
  return { files: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
}

// Compares a step's files with the hashes that were recorded when they were written.

/** Files without a recorded hash, or that are gone, are no changed ones. */
async function changedFiles(
  files: ArchiveFiles,
  sessionId: string,
  step: number,
  reader: StepReader,
  compared?: () => void,
): Promise<readonly ChangedFile[]> {
  const changed: ChangedFile[] = [];
  const compare = async (name: string, sharedWith?: number): Promise<void> => {
    const isSame = await reader.isAsWritten(name);
    if (isSame !== undefined && sharedWith === undefined) compared?.();
    if (isSame !== false) return;
    const what = isSummary(name) ? "summary" : "transcript";
    const location = files.locate(sessionId, name);
    changed.push(sharedWith === undefined ? { what, location } : { what, location, sharedWith });
  };
  for (const name of [...transcriptFiles(step), ...summaryFiles(step)]) await compare(name);
  const { transcripts, summaries } = await reader.sharedBy(step);
  for (const other of transcripts) for (const name of transcriptFiles(other)) await compare(name, other);
  for (const other of summaries) for (const name of summaryFiles(other)) await compare(name, other);
  return changed;
}

// What a listing of an archive's files says about its steps. Pure, and one pass: there may be many thousands.

/** Sessions with at least one step, sorted. */
function sessionsIn(files: readonly StoredFile[]): readonly string[] {
  const ids = new Set<string>();
  for (const { session_id, name } of files) if (stepOf(name) !== undefined) ids.add(session_id);
  return [...ids].sort();
}

interface SummaryPlace {
  readonly sessionId: string;
  readonly step: number;
  readonly at: string;
}

/** Every summary record, the newest first. */
function summariesIn(files: readonly StoredFile[]): readonly SummaryPlace[] {
  const places: SummaryPlace[] = [];
  for (const { session_id: sessionId, name, at } of files) {
    const step = stepOf(name);
    if (step !== undefined && isSummary(name)) places.push({ sessionId, step, at });
  }
  return places.sort((a, b) => compare(b.at, a.at) || compare(b.sessionId, a.sessionId) || b.step - a.step);
}

/**
 * Every step, oldest first; of one session, in their order where the times are the same. What a session needs besides (its
 * state, what removed steps left to others) counts with its newest step, which never leaves.
 */
function sizesOf(files: readonly StoredFile[]): readonly StepSize[] {
  const sessions = new Map<string, Map<number, StepSize>>();
  const besides = new Map<string, number>();
  for (const file of files) {
    const { session_id, name, bytes } = file;
    const step = stepOf(name);
    if (step === undefined) {
      besides.set(session_id, (besides.get(session_id) ?? 0) + bytes);
      continue;
    }
    const steps = sessions.get(session_id) ?? new Map<number, StepSize>();
    sessions.set(session_id, steps.set(step, added(steps.get(step), file, step)));
  }
  for (const [session_id, steps] of sessions) {
    const newest = steps.get(Math.max(...steps.keys()));
    if (newest !== undefined)
      steps.set(newest.step, { ...newest, bytes: newest.bytes + (besides.get(session_id) ?? 0) });
  }
  const sizes = Array.from(sessions.values(), (steps) => [...steps.values()]).flat();
  return sizes.sort((a, b) => compare(a.at, b.at) || compare(a.session_id, b.session_id) || a.step - b.step);
}

function added(before: StepSize | undefined, { session_id, name, at, bytes }: StoredFile, step: number): StepSize {
  const has_summary = isSummary(name);
  if (before === undefined) return { session_id, step, at, bytes, has_summary };
  return {
    ...before,
    at: at < before.at ? at : before.at,
    bytes: before.bytes + bytes,
    has_summary: before.has_summary || has_summary,
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

// Finds the newest summary record with a given hash, for archives without an index of hashes.

const READ_AT_ONCE = 16;

/** Damaged records are passed over: `archive verify` names them. No record is newer than its file. */
async function findNewestSummary(
  places: readonly SummaryPlace[],
  summaryHash: string,
  read: (place: SummaryPlace) => Promise<Pick<SummaryRecord, "summary_hash" | "created_at"> | undefined>,
): Promise<Omit<SummaryPlace, "at"> | undefined> {
  let newest: SummaryPlace | undefined;
  for (let start = 0; start < places.length; start += READ_AT_ONCE) {
    const some = places.slice(start, start + READ_AT_ONCE);
    if (newest !== undefined && newest.at > (some[0]?.at ?? "")) break;
    const records = await Promise.all(some.map((place) => read(place).catch(unlessDamaged)));
    for (const [index, { sessionId, step }] of some.entries()) {
      const record = records[index];
      if (record?.summary_hash !== summaryHash || (newest && record.created_at <= newest.at)) continue;
      newest = { sessionId, step, at: record.created_at };
    }
  }
  return newest && { sessionId: newest.sessionId, step: newest.step };
}

function unlessDamaged(error: unknown): undefined {
  if (!(CompactError.isInstance(error) && error.code === "DAMAGED_RECORD")) throw error;
}
