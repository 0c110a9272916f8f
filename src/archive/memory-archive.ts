// The archive in memory, for browsers, workers and tests: same contract, gone with the process. Keeps the encoded text,
// so nothing it holds is shared with the caller's objects.
import { sessionFolder } from "../storage/session-folder.ts";
import type { Archive } from "./archive.ts";
import { decodeRecord, decodeSummary, decodeTranscript, encodeRecord, encodeTranscript } from "./archived-text.ts";
import { findNewestSummary } from "./find-summary.ts";
import { checkStep, stepNotFound, stepsOf, stepTaken, summaryFile, transcriptFile } from "./step-files.ts";

const STATE = "state.json";

/** Throws what the file archive throws, but for the failures of a disk. */
export function createMemoryArchive(): Archive {
  const sessions = new Map<string, Map<string, string>>();
  const locate = (sessionId: string, name: string) => `memory:${sessionFolder(sessionId)}/${name}`;
  const read = (sessionId: string, name: string) => sessions.get(sessionId)?.get(name);

  const write = (sessionId: string, name: string, text: string): string => {
    const location = locate(sessionId, name);
    const files = sessions.get(sessionId) ?? new Map<string, string>();
    sessions.set(sessionId, files.set(name, text));
    return location;
  };
  const create = (sessionId: string, name: string, text: string, what: string): string => {
    if (read(sessionId, name) !== undefined) throw stepTaken(what, locate(sessionId, name));
    return write(sessionId, name, text);
  };
  const stepsIn = (sessionId: string) =>
    stepsOf(sessions.get(sessionId)?.keys() ?? [], (name) => locate(sessionId, name));

  const archive: Archive = {
    adapter: "memory",
    async nextStep(sessionId) {
      sessionFolder(sessionId);
      return (stepsIn(sessionId).at(-1)?.step ?? 0) + 1;
    },
    async saveTranscript(sessionId, step, messages) {
      checkStep(step);
      return create(sessionId, transcriptFile(step), [...encodeTranscript(messages)].join(""), "transcript");
    },
    async saveSummary(sessionId, step, record) {
      checkStep(step);
      return create(sessionId, summaryFile(step), encodeRecord(record), "summary");
    },
    async readState(sessionId) {
      const text = read(sessionId, STATE);
      return text === undefined ? undefined : decodeRecord(text, locate(sessionId, STATE));
    },
    async writeState(sessionId, state) {
      write(sessionId, STATE, encodeRecord(state));
    },
    findSummary: (summaryHash) => findNewestSummary(archive, summaryHash),
    async sessions() {
      return [...sessions.keys()].filter((sessionId) => stepsIn(sessionId).length > 0).sort();
    },
    async steps(sessionId) {
      return stepsIn(sessionId);
    },
    async readTranscript(sessionId, step, reading) {
      const text = read(sessionId, transcriptFile(step));
      if (text === undefined) throw stepNotFound(sessionId, step);
      return decodeTranscript(text, locate(sessionId, transcriptFile(step)), reading);
    },
    async readSummary(sessionId, step) {
      const text = read(sessionId, summaryFile(step));
      return text === undefined ? undefined : decodeSummary(text, locate(sessionId, summaryFile(step)));
    },
  };
  return archive;
}
