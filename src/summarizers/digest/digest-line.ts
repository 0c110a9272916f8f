// A line of an extractive summary: where it stands and how much it is worth. As the cap shrinks, lines leave in
// the order of their rank; the ranks are the one stated order for all strategies.
import type { Source } from "../../facts/ledger.ts";

export type Section =
  | "requests"
  | "rules"
  | "decisions"
  | "plan"
  | "progress"
  | "errors"
  | "commands"
  | "written"
  | "read"
  | "values"
  | "identifiers";

/** 0 stays longest. */
export const RANK = {
  /** What users demanded and forbade for good, the request that began it all, what they corrected. */
  demands: 0,
  /** What else users said. */
  words: 1,
  /** Files written, moved, deleted. */
  changes: 2,
  /** Named by at least three messages. */
  recurring: 3,
  /** URLs, paths and hashes that two messages name. */
  repeated: 4,
  /** What is not finished: the plan, open errors, the values in force. */
  state: 5,
  /** Decisions; facts that somebody said and that cannot be guessed. */
  decisions: 6,
  /** Said once, letter by letter: a line of a file, a hash, a setting, an address. As many as a share of the room holds. */
  said: 7,
  /** The assistant's latest reports; long texts of a host. */
  reports: 8,
  /** Commands with their outcome, errors that were fixed. */
  outcomes: 9,
  olderReports: 10,
  /** Files that were only read. */
  looks: 11,
  /** Named once. */
  rare: 12,
} as const;

export interface DigestLine {
  readonly section: Section;
  /** One of `RANK`, or right before one. */
  readonly rank: number;
  /** Place within the section; among equals in rank, the higher order is newer and stays longer. */
  readonly order: number;
  readonly text: string;
}

/** Facts of several rounds in the order in which they were seen. */
export function orderOf({ step, message }: Source): number {
  return step * 1_000_000 + message;
}
