// A change that passed every check, with all that carrying it out takes: what is written where, and what the journal says of it.
import type { NewFile } from "../journal/archive-files.ts";
import type { JournalDigest, JournalEdit, JournalRotation } from "../journal/journal.ts";
import type { PlannedChange } from "../plan.ts";

interface PreparedBase {
  readonly planned: PlannedChange;
  /** Written before anything is changed. */
  readonly archives: readonly NewFile[];
  /** What the file becomes; of a digest, what it holds. */
  readonly content: Uint8Array;
}

export interface PreparedEdit extends PreparedBase {
  readonly noted: JournalEdit | JournalRotation;
  /** Where its links end. */
  readonly real: string;
}

export interface PreparedDigest extends PreparedBase {
  readonly noted: JournalDigest;
  /** Of the digest. */
  readonly mode: number;
}

export type PreparedChange = PreparedEdit | PreparedDigest;

export function isDigest(prepared: PreparedChange): prepared is PreparedDigest {
  return prepared.noted.kind === "digest";
}
