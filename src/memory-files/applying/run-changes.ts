// One run under the lock: notes in the journal what it intends, makes the changes one by one, notes what was made.
import { isoTime } from "../../time.ts";
import type { JournalEntry } from "../journal/journal.ts";
import { addEntry, replaceEntry } from "../journal/journal-files.ts";
import type { RefusedChange } from "../report.ts";
import { type CarryingOut, carryOut } from "./carry-out.ts";
import type { PreparedChange } from "./prepared-change.ts";
import { isFatal, refusedChange } from "./refusal.ts";

export interface RunRequest extends CarryingOut {
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal | undefined;
}

export interface RunOutcome {
  readonly made: readonly PreparedChange[];
  readonly refused: readonly RefusedChange[];
}

/** @throws Conflict (`LOCK_LOST`); the system's error where the journal cannot be written; then nothing was changed. */
export async function runChanges(prepared: readonly PreparedChange[], request: RunRequest): Promise<RunOutcome> {
  const { root, run, now, lock } = request;
  const entry: JournalEntry = {
    version: 1,
    run,
    at: isoTime(now),
    state: "applying",
    changes: prepared.map(({ noted }) => noted),
  };
  lock.check();
  await addEntry(root, entry);
  const outcome = await makeChanges(prepared, request);
  lock.check();
  const changes = outcome.made.map(({ noted }) => ({ ...noted, state: "applied" as const }));
  // What cannot be noted now, the next run finds out by the hashes of the files.
  await replaceEntry(root, { ...entry, state: "applied", changes }).catch(() => undefined);
  return outcome;
}

async function makeChanges(prepared: readonly PreparedChange[], request: RunRequest): Promise<RunOutcome> {
  const made: PreparedChange[] = [];
  const refused: RefusedChange[] = [];
  const failed = new Map<string, unknown>();
  for (const change of prepared) {
    if (request.signal?.aborted) break;
    const { planned, noted } = change;
    try {
      // It was worked out on what the one that failed would have left.
      if (failed.has(noted.file)) throw failed.get(noted.file);
      await carryOut(change, request);
      made.push(change);
    } catch (cause) {
      if (isFatal(cause)) throw cause;
      failed.set(noted.file, cause);
      refused.push(refusedChange(planned, cause));
    }
  }
  return { made, refused };
}
