// The archive over any place that keeps named files: the one that knows what a step is, how its files are named and
// packed, and what reading makes of damage. Where the files lie is left to each implementation of ArchiveFiles. Loaded by
// file-archive.ts and its like at the first use.
import type { Archive } from "../archive.ts";
import type { ArchiveFiles } from "../archive-files.ts";
import { decodeRecord, decodeSummary, decodeTranscript, encodeRecord, encodeTranscript } from "../archived-text.ts";
import type { FileArchiveOptions } from "../file-archive.ts";
import { findNewestSummary } from "../find-summary.ts";
import { pack, unpack } from "../packing/packing.ts";
import { checkStep, stepNotFound, stepsOf, summaryFile } from "../step-files.ts";
import { sessionsIn, sizesOf, summariesIn } from "../step-listing.ts";
import { highestStep, removeStep } from "../step-numbers.ts";
import { changedFiles } from "./changed-files.ts";
import { createTranscript, readTranscriptFile } from "./transcript-file.ts";

const STATE = "state.json";

/**
 * Transcripts are `transcript-pre-compact-{step}.jsonl`, with `.gz` or `.zst` when packed; summaries and the state are
 * small and stay as they are. Throws what the files throw; `MissingDependency` where the runtime cannot pack or unpack.
 */
export function createStoredArchive(files: ArchiveFiles, { compression = "none" }: FileArchiveOptions = {}): Archive {
  const archive: Archive = {
    adapter: files.adapter,
    nextStep: async (sessionId) => (await highestStep(files, sessionId)) + 1,
    async saveTranscript(sessionId, step, messages) {
      checkStep(step);
      const content = pack(compression, encodeTranscript(messages));
      return createTranscript(files, sessionId, { step, compression }, content);
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
    async findSummary(summaryHash) {
      const places = summariesIn(await files.listAll());
      return findNewestSummary(places, (place) => archive.readSummary(place.sessionId, place.step), summaryHash);
    },
    sessions: async () => sessionsIn(await files.listAll()),
    async steps(sessionId) {
      const names = (await files.list(sessionId)).map(({ name }) => name);
      return stepsOf(names, (name) => files.locate(sessionId, name));
    },
    async readTranscript(sessionId, step, reading) {
      const found = await readTranscriptFile(files, sessionId, step, compression);
      if (found === undefined) throw stepNotFound(sessionId, step);
      return decodeTranscript(await unpack(found.location, found.bytes), found.location, reading);
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
