// What a decision log holds: one decision with its reasons, its outcome and what it was about, as every store gives it.
// read-decision.ts makes one of a stored record; what a client is sent is in serving/served.ts.

export const OUTCOMES = ["success", "partial", "failure", "abandoned"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const LEVELS = ["full", "summary", "digest", "wisdom"] as const;
export type Level = (typeof LEVELS)[number];

/** The one status under which a decision may be compacted: it has been reviewed. */
export const REVIEWED = "reviewed";

/** Keys of a record that a review sets besides its status. */
export const REVIEW_KEYS = [
  "outcome",
  "reviewed_at",
  "actual_result",
  "lessons",
  "review_notes",
  "affected_kpis",
  "reviewed_by",
] as const;

export interface Reason {
  /** `analysis`, `pattern`, `empirical`, ...: free text. */
  readonly type: string;
  readonly text: string;
  /** 0 to 1; how much this reason carries. Absent where the record says nothing. */
  readonly strength?: number;
  /** 0 to 1; a confidence of its own, where the record breaks its confidence down. */
  readonly confidence?: number;
}

/** What a decision is and what it is for; survives every level. */
export interface Bridge {
  readonly structure: string;
  readonly function: string;
  readonly tolerance: readonly string[];
  readonly enforcement: readonly string[];
  readonly prevention: readonly string[];
}

export interface Decision {
  readonly id: string;
  /** What was decided. Never empty. */
  readonly text: string;
  /** When, in milliseconds since the epoch. Absent where no date is given or it cannot be read: such a decision stays full. */
  readonly decidedAt?: number;
  /** The date as the record spells it; empty without one. */
  readonly date: string;
  /** `uncategorized` where the record names none. */
  readonly category: string;
  /** Who recorded it; empty where the record does not say. */
  readonly agent: string;
  /** As spelt: `pending`, `reviewed`, `superseded`, ... */
  readonly status: string;
  /** Never compacted, at any age. */
  readonly isPreserved: boolean;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly stakes?: string;
  readonly context?: string;
  readonly reasons: readonly Reason[];
  readonly tags: readonly string[];
  /** The rule it followed or showed, in a few words. */
  readonly pattern?: string;
  readonly bridge?: Bridge;
  /** As the record has it. */
  readonly deliberation?: unknown;
  readonly outcome?: Outcome;
  readonly actualResult?: string;
  readonly lessons?: string;
  readonly reviewedAt?: number;
  /** Ids of decisions that this one takes the place of. */
  readonly supersedes: readonly string[];
  /**
   * The decision that took its place: what this record names, else what another record of the log claims. Empty text where
   * only the status says that it is superseded.
   */
  readonly supersededBy?: string;
}

export type RawDecision = Readonly<Record<string, unknown>>;

/** A decision and what it was read from. */
export interface StoredDecision extends Decision {
  /** The record, every key as it was written. */
  readonly raw: RawDecision;
  /** SHA-256 of all of it but `preserve`, in hex: changes with whatever a text about it is made from. */
  readonly hash: string;
}

/** A record that cannot be served as it should be. It is left alone, and everything else is served. */
export interface RecordFault {
  /** The record's id; of one that has none, the file's name. */
  readonly id: string;
  /**
   * `UNREADABLE_DATE`, `UNREADABLE_PRESERVE`: served in full. `UNREADABLE_RECORD`, `DUPLICATE_ID`: not served.
   */
  readonly code: "UNREADABLE_DATE" | "UNREADABLE_PRESERVE" | "UNREADABLE_RECORD" | "DUPLICATE_ID";
  /** One sentence; never quotes the decision. */
  readonly message: string;
}

/** Success counts whole, partial half, all else nothing: what confidence is held against. */
export function actualConfidence(outcome: Outcome): number {
  return outcome === "success" ? 1 : outcome === "partial" ? 0.5 : 0;
}
