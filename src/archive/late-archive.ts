// An archive whose code is loaded when it is first asked: making one costs nothing, and asks nothing of a disk or a store.
import { lateMethods } from "../late.ts";
import type { Archive } from "./archive.ts";

const METHODS = {
  nextStep: true,
  saveTranscript: true,
  saveSummary: true,
  readState: true,
  writeState: true,
  findSummary: true,
  sessions: true,
  steps: true,
  readTranscript: true,
  readSummary: true,
  sizes: true,
  changedFiles: true,
  removeStep: true,
} as const;

export function lateArchive(adapter: string, open: () => Promise<Archive>): Archive {
  return { adapter, ...lateMethods<Archive>(METHODS, open) };
}
