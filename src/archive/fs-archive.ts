// The archive on a file system: one folder per session with the spec's file names. Decides where things lie and that
// nothing is overwritten; safe names and whole writes are storage's.
import type { Clock } from "../time.ts";
import type { Archive } from "./archive.ts";
import { decodeRecord, decodeSummary, decodeTranscript, encodeRecord, encodeTranscript } from "./archived-text.ts";
import { findNewestSummary } from "./find-summary.ts";
import { createSessionFiles, type SessionFiles } from "./session-files.ts";
import { checkStep, stepNotFound, stepsOf, summaryFile, transcriptFile } from "./step-files.ts";

const STATE = "state.json";

export interface FsArchiveOptions {
  /** The folder that holds all sessions; made when first written to. */
  readonly path: string;
  readonly now?: Clock;
}

/**
 * Archives to `{path}/{session folder}/`. Files are readable by their owner only. Every method throws `ArchiveFailed`
 * with the path and what to do, `Conflict` when a step is taken, `InvalidInput` for an empty session id.
 */
export function createFsArchive(options: FsArchiveOptions): Archive {
  const files = createSessionFiles(options.path, options.now ?? Date.now);
  const archive: Archive = {
    adapter: "fs",
    nextStep: async (sessionId) => ((await archive.steps(sessionId)).at(-1)?.step ?? 0) + 1,
    async saveTranscript(sessionId, step, messages) {
      checkStep(step);
      return files.create(sessionId, transcriptFile(step), encodeTranscript(messages), "transcript");
    },
    async saveSummary(sessionId, step, record) {
      checkStep(step);
      return files.create(sessionId, summaryFile(step), encodeRecord(record), "summary");
    },
    async readState(sessionId) {
      const found = await files.read(sessionId, STATE);
      return found === undefined ? undefined : decodeRecord(found.text, found.path);
    },
    async writeState(sessionId, state) {
      await files.replace(sessionId, STATE, encodeRecord(state), "state");
    },
    findSummary: (summaryHash) => findNewestSummary(archive, summaryHash),
    sessions: () => sessionsWithSteps(files),
    steps: (sessionId) => stepsIn(files, sessionId),
    async readTranscript(sessionId, step, reading) {
      const found = await files.read(sessionId, transcriptFile(step));
      if (found === undefined) throw stepNotFound(sessionId, step);
      return decodeTranscript(found.text, found.path, reading);
    },
    async readSummary(sessionId, step) {
      const found = await files.read(sessionId, summaryFile(step));
      return found === undefined ? undefined : decodeSummary(found.text, found.path);
    },
  };
  return archive;
}

async function stepsIn(files: SessionFiles, sessionId: string) {
  const paths = await files.list(sessionId);
  return stepsOf(paths.keys(), (name) => paths.get(name) ?? name);
}

/** Leaves out sessions of which only events were written. */
async function sessionsWithSteps(files: SessionFiles): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const sessionId of await files.sessions()) {
    if ((await stepsIn(files, sessionId)).length > 0) ids.push(sessionId);
  }
  return ids;
}
