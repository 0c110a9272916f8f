// What a client is served of decisions: flat items in the wire's camelCase, less of each the older it is. Which fields a
// level has is decided in shape-decision.ts.
import type { Level, Outcome, Reason, RecordFault } from "../decision.ts";
import type { LevelCounts } from "../decision-log.ts";
import type { AgeBasis, Thresholds } from "../levels/policy.ts";

/** Keys without a value are left out. */
export interface ServedDecision {
  readonly id: string;
  readonly level: Level;
  /** Full and summary only: a digest does not repeat it, wisdom has none. */
  readonly decision?: string;
  readonly category: string;
  /** `YYYY-MM-DD`, UTC; as the record spells it where it cannot be read. */
  readonly date?: string;
  readonly preserved?: true;
  /** Not in force any more; `supersededBy` names what is, where the log knows it. */
  readonly superseded?: true;
  readonly supersededBy?: string;
  readonly outcome?: Outcome;
  readonly confidence?: number;
  readonly actualConfidence?: number;
  /** Structure and function at every level, the rest at full only. */
  readonly bridge?: ServedBridge;
  /** Summary and full. */
  readonly pattern?: string;
  readonly stakes?: string;
  /** Summary only: why, what came of it, what was learned. */
  readonly summary?: string;
  readonly summarySource?: "llm" | "extractive";
  /** Digest only: at most 80 code points, whole words. */
  readonly oneLine?: string;
  /** From here on full only. */
  readonly status?: string;
  readonly agent?: string;
  readonly context?: string;
  readonly reasons?: readonly Reason[];
  readonly tags?: readonly string[];
  readonly deliberation?: unknown;
  readonly trace?: unknown;
  readonly actualResult?: string;
  readonly lessons?: string;
  readonly supersedes?: readonly string[];
}

export interface ServedBridge {
  readonly structure: string;
  readonly function: string;
  readonly tolerance?: readonly string[];
  readonly enforcement?: readonly string[];
  readonly prevention?: readonly string[];
}

/** Decisions of one category among those served, where they are digests. */
export interface ServedDigest {
  readonly category: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/** A policy as an answer names it. */
export interface ServedPolicy {
  readonly name: string;
  readonly agent?: string;
  readonly category?: string;
  readonly enabled: boolean;
  readonly thresholds: Thresholds;
  readonly ageBasis: AgeBasis;
  readonly preserveRules: { readonly stakes: readonly string[]; readonly tags: readonly string[] };
  readonly minDecisions: number;
}

export interface ServedDecisions {
  readonly decisions: readonly ServedDecision[];
  readonly digests: readonly ServedDigest[];
  /** Decisions in this answer. */
  readonly total: number;
  /** All that the filter admits, by level, whatever the limit. */
  readonly levels: LevelCounts;
  /** What the filter admits and this answer does not hold; its sum and `total` are the sum of `levels`. */
  readonly leftOut: {
    /** Served by the next page. */
    readonly byLimit: number;
    /** On earlier pages. */
    readonly before: number;
    /** Counted in wisdom, served by `level: "wisdom"`. */
    readonly wisdom: number;
    /** Of other levels than the one asked for. */
    readonly otherLevels: number;
  };
  /** Give it as `cursor` for the next page. Absent on the last. */
  readonly nextCursor?: string;
  /** The policy that governs what was asked for. */
  readonly policy: ServedPolicy;
  /** Policies of an agent or category that may govern some of it instead. */
  readonly otherPolicies?: readonly ServedPolicy[];
  /** Records that are not served as they should be; absent when there are none. */
  readonly errors?: readonly RecordFault[];
  /** How many there are, where `errors` does not list all. */
  readonly errorsTotal?: number;
}
