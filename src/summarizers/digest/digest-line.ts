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
  /** What users said and demanded. */
  words: 0,
  /** Files written, moved, deleted. */
  changes: 1,
  /** Named by at least three messages. */
  recurring: 2,
  /** What is not finished: the plan, open errors, the values in force. */
  state: 3,
  /** Named by two messages; decisions. */
  repeated: 4,
  /** The assistant's latest reports. */
  reports: 5,
  /** Commands with their outcome, errors that were fixed. */
  outcomes: 6,
  olderReports: 7,
  /** Files that were only read. */
  looks: 8,
  /** Named once. */
  rare: 9,
} as const;

export interface DigestLine {
  readonly section: Section;
  /** One of `RANK`. */
  readonly rank: number;
  /** Place within the section; among equals in rank, the higher order is newer and stays longer. */
  readonly order: number;
  readonly text: string;
}

/** Facts of several rounds in the order in which they were seen. */
export function orderOf({ step, message }: Source): number {
  return step * 1_000_000 + message;
}
