// Decides which entries of a pi session belong to the conversation: the parents of the last entry, across the host's
// own compactions. Sessions that were joined into one file follow each other; what a fork copied counts once.
import { toJson } from "../json-shape.ts";
import type { PiEntry, PiSession } from "./pi-entry.ts";

export interface PiBranch {
  /** In order. */
  readonly entries: readonly PiEntry[];
  /** Prompts of branches that were left. */
  readonly rewoundPrompts: number;
  /** Places where the entry before was not in the file and the one physically before was taken. */
  readonly gaps: number;
  /** Sessions that said something. */
  readonly sessions: number;
  /** Entries that a fork copied from the session before it in the file. */
  readonly repeatedEntries: number;
  readonly compactions: number;
}

export function findPiBranch(sessions: readonly PiSession[]): PiBranch {
  const paths = sessions.map(({ entries }) => walkBack(entries));
  const entries = paths.flatMap(({ path }) => path);
  const once = sessions.length < 2 ? entries : firstCopies(entries);
  return {
    entries: once,
    rewoundPrompts: sum(paths.map(({ rewoundPrompts }) => rewoundPrompts)),
    gaps: sum(paths.map(({ gaps }) => gaps)),
    sessions: paths.filter(({ path }) => path.some(({ message }) => message !== undefined)).length,
    repeatedEntries: entries.length - once.length,
    compactions: once.filter(({ isCompaction }) => isCompaction).length,
  };
}

interface Walk {
  readonly path: readonly PiEntry[];
  readonly rewoundPrompts: number;
  readonly gaps: number;
}

/** Whatever its kind, the last entry is where the session stands. */
function walkBack(entries: readonly PiEntry[]): Walk {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const before = new Map(entries.map((entry, at) => [entry, entries[at - 1]]));
  const taken = new Set<PiEntry>();
  let gaps = 0;
  let current = entries.at(-1);
  while (current !== undefined && !taken.has(current)) {
    taken.add(current);
    const parent = byId.get(current.parent);
    const nearest = parent === undefined && current.parent !== "" ? before.get(current) : undefined;
    if (nearest !== undefined) gaps += 1;
    current = parent ?? nearest;
  }
  const left = entries.filter((entry) => !taken.has(entry));
  return { path: [...taken].reverse(), rewoundPrompts: left.filter(isPrompt).length, gaps };
}

function firstCopies(entries: readonly PiEntry[]): readonly PiEntry[] {
  const known = new Set<string>();
  return entries.filter(({ value }) => {
    const key = toJson(value);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

/** Something a person asked, as opposed to results and what the host put in. */
function isPrompt({ message }: PiEntry): boolean {
  if (message?.role !== "user" || message.isHostWritten || message.blocks.length === 0) return false;
  return message.blocks.every(({ type }) => type !== "tool_result");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
