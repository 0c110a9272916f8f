// The archive over any place that keeps named files: the one that knows what a step is, how its files are named and
// compressed, and what reading makes of damage. Where the files lie is left to each implementation of ArchiveFiles.
import { sha256OfBytes } from "../storage/sha256.ts";
import type { Archive, ArchiveFiles, ChangedFile, StepSize, StoredFile } from "./archive.ts";
import { COMPRESSIONS, type Compression, pack, unpack } from "./compression.ts";
import { readSummaryOrSkip } from "./read-archive.ts";
import {
  checkStep,
  decodeRecord,
  decodeSummary,
  decodeTranscript,
  encodeRecord,
  encodeTranscript,
  stepNotFound,
  stepOf,
  stepsOf,
  stepTaken,
  summaryFile,
  transcriptFile,
  transcriptFiles,
} from "./step-files.ts";

const STATE = "state.json";

export interface FileArchiveOptions {
  /** How transcripts are compressed from now on; older ones are read as they are. Default `none`. */
  readonly compression?: Compression;
}

/**
 * An archive over files of your own: anything that keeps bytes by session and name, see archive.ts. Transcripts are
 * `transcript-pre-compact-{step}.jsonl`, with `.gz` or `.zst` when packed; summaries and the state are small and stay as
 * they are. Throws what the files throw; `MissingDependency` where the runtime cannot pack or unpack.
 */
export function createFileArchive(files: ArchiveFiles, { compression = "none" }: FileArchiveOptions = {}): Archive {
  const archive: Archive = {
    adapter: files.adapter,
    nextStep: async (sessionId) => (await highestStep(files, sessionId)) + 1,
    async saveTranscript(sessionId, step, messages) {
      checkStep(step);
      const name = transcriptFile(step, compression);
      const location = await files.create(sessionId, name, pack(compression, encodeTranscript(messages)), "transcript");
      // Another process may pack otherwise and have taken the step under another name. Each looks after it has written, so
      // two never both stay.
      const others = transcriptFiles(step).filter((other) => other !== name);
      const taken = (await files.list(sessionId)).find((file) => others.includes(file.name));
      if (taken === undefined) return location;
      await files.remove(sessionId, name);
      throw stepTaken("transcript", files.locate(sessionId, taken.name));
    },
    async saveSummary(sessionId, step, record) {
      checkStep(step);
      return files.create(sessionId, summaryFile(step), encodeRecord(record), "summary");
    },
    async readState(sessionId) {
      const bytes = await files.read(sessionId, STATE);
      return bytes === undefined ? undefined : decodeRecord(bytes, files.locate(sessionId, STATE));
    },
    async writeState(sessionId, state) {
      await files.replace(sessionId, STATE, encodeRecord(state), "state");
    },
    findSummary: async (summaryHash) => findNewestSummary(archive, summariesIn(await files.listAll()), summaryHash),
    sessions: async () => sessionsIn(await files.listAll()),
    async steps(sessionId) {
      const names = (await files.list(sessionId)).map(({ name }) => name);
      return stepsOf(names, (name) => files.locate(sessionId, name));
    },
    async readTranscript(sessionId, step, reading) {
      // First as it is most likely packed.
      for (const packing of [compression, ...COMPRESSIONS.filter((other) => other !== compression)]) {
        const name = transcriptFile(step, packing);
        const bytes = await files.read(sessionId, name);
        if (bytes === undefined) continue;
        const location = files.locate(sessionId, name);
        return decodeTranscript(await unpack(location, bytes), location, reading);
      }
      throw stepNotFound(sessionId, step);
    },
    async readSummary(sessionId, step) {
      const bytes = await files.read(sessionId, summaryFile(step));
      return bytes === undefined ? undefined : decodeSummary(bytes, files.locate(sessionId, summaryFile(step)));
    },
    sizes: async () => sizesOf(await files.listAll()),
    changedFiles: (sessionId, step, compared) => changedFiles(files, sessionId, step, compared),
    removeStep: (sessionId, step) => removeStep(files, sessionId, step),
  };
  return archive;
}

// Compares a step's files with the hashes that were recorded when they were written.

/** Files without a recorded hash, or that are gone, are no changed ones. */
async function changedFiles(
  files: ArchiveFiles,
  sessionId: string,
  step: number,
  compared?: () => void,
): Promise<readonly ChangedFile[]> {
  const changed: ChangedFile[] = [];
  for (const name of [...transcriptFiles(step), summaryFile(step)]) {
    const recorded = (await files.find(sessionId, name))?.sha256;
    if (recorded === undefined) continue;
    const bytes = await files.read(sessionId, name);
    if (bytes === undefined) continue;
    compared?.();
    if (sha256OfBytes(bytes) === recorded) continue;
    const what = name === summaryFile(step) ? "summary" : "transcript";
    changed.push({ what, location: files.locate(sessionId, name) });
  }
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
}

/** Every summary record, in the order of sessions and steps. */
function summariesIn(files: readonly StoredFile[]): readonly SummaryPlace[] {
  const places: SummaryPlace[] = [];
  for (const { session_id: sessionId, name } of files) {
    const step = stepOf(name);
    if (step !== undefined && name === summaryFile(step)) places.push({ sessionId, step });
  }
  return places.sort((a, b) => compare(a.sessionId, b.sessionId) || a.step - b.step);
}

/** Every step, oldest first; of one session, in their order where the times are the same. */
function sizesOf(files: readonly StoredFile[]): readonly StepSize[] {
  const sessions = new Map<string, Map<number, StepSize>>();
  for (const file of files) {
    const step = stepOf(file.name);
    if (step === undefined) continue;
    const steps = sessions.get(file.session_id) ?? new Map<number, StepSize>();
    sessions.set(file.session_id, steps.set(step, added(steps.get(step), file, step)));
  }
  const sizes = Array.from(sessions.values(), (steps) => [...steps.values()]).flat();
  return sizes.sort((a, b) => compare(a.at, b.at) || compare(a.session_id, b.session_id) || a.step - b.step);
}

function added(before: StepSize | undefined, { session_id, name, at, bytes }: StoredFile, step: number): StepSize {
  const isSummary = name === summaryFile(step);
  if (before === undefined) return { session_id, step, at, bytes, has_summary: isSummary };
  return {
    ...before,
    at: at < before.at ? at : before.at,
    bytes: before.bytes + bytes,
    has_summary: before.has_summary || isSummary,
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

// Which number the next step gets, and how a step is removed without its number ever being given again: a summary that
// names message 3.12 must not lead to another message because step 3 expired.

/** Written only when the highest step is removed: otherwise the files tell. */
const HIGHEST_REMOVED = "highest-removed-step.json";

/** 0 before the first step. */
async function highestStep(files: ArchiveFiles, sessionId: string): Promise<number> {
  const names = (await files.list(sessionId)).map(({ name }) => name);
  const removed = names.includes(HIGHEST_REMOVED) ? await highestRemoved(files, sessionId) : 0;
  return names.reduce((highest, name) => Math.max(highest, stepOf(name) ?? 0), removed);
}

/** Returns the bytes freed. Throws `NotFound`. */
async function removeStep(files: ArchiveFiles, sessionId: string, step: number): Promise<number> {
  const all = await files.list(sessionId);
  const own = all.filter(({ name }) => stepOf(name) === step);
  if (own.length === 0) throw stepNotFound(sessionId, step);
  if (!all.some(({ name }) => (stepOf(name) ?? 0) > step)) await keepNumber(files, sessionId, step);
  // A transcript without a summary is a compaction that never finished; the reverse would be a loss.
  const inOrder = own.sort((a, b) => Number(b.name === summaryFile(step)) - Number(a.name === summaryFile(step)));
  for (const { name } of inOrder) await files.remove(sessionId, name);
  return own.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function keepNumber(files: ArchiveFiles, sessionId: string, step: number): Promise<void> {
  const highest = Math.max(step, await highestRemoved(files, sessionId));
  const content = new TextEncoder().encode(`${JSON.stringify({ step: highest })}\n`);
  await files.replace(sessionId, HIGHEST_REMOVED, content, "number of the removed step");
}

async function highestRemoved(files: ArchiveFiles, sessionId: string): Promise<number> {
  const bytes = await files.read(sessionId, HIGHEST_REMOVED);
  try {
    const { step } = JSON.parse(new TextDecoder().decode(bytes)) as { step?: unknown };
    return typeof step === "number" && Number.isSafeInteger(step) && step > 0 ? step : 0;
  } catch {
    // Absent or damaged: the steps that are there still count.
    return 0;
  }
}

// Finds the newest summary record with a given hash, for archives without an index of hashes.

const READ_AT_ONCE = 16;

/** Of equally new ones the last of `places` is taken. Damaged records are passed over: `archive verify` names them. */
async function findNewestSummary(
  archive: Archive,
  places: readonly SummaryPlace[],
  summaryHash: string,
): Promise<SummaryPlace | undefined> {
  let newest: { readonly place: SummaryPlace; readonly at: string } | undefined;
  for (let start = 0; start < places.length; start += READ_AT_ONCE) {
    const some = places.slice(start, start + READ_AT_ONCE);
    const records = await Promise.all(some.map(({ sessionId, step }) => readSummaryOrSkip(archive, sessionId, step)));
    for (const [index, place] of some.entries()) {
      const record = records[index];
      if (record?.summary_hash !== summaryHash) continue;
      if (newest === undefined || record.created_at >= newest.at) newest = { place, at: record.created_at };
    }
  }
  return newest?.place;
}
