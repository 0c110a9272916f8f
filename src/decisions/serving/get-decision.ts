// One decision as it was recorded, with what decides about its level.
import { DAY_MS } from "../../time.ts";
import { type Level, type RawDecision, REVIEWED, type StoredDecision } from "../decision.ts";
import type { DecisionLog } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { isKept, levelUnder } from "../levels/level.ts";
import { type DecisionPolicy, policyFor } from "../levels/policy.ts";
import { findDecision } from "./find-id.ts";

/** Why a decision has its level. */
export interface DecisionStanding {
  /** As recorded. */
  readonly status: string;
  readonly reviewed: boolean;
  /** By its mark or by its policy. */
  readonly preserved: boolean;
  readonly superseded: boolean;
  /** Where the log knows what took its place. */
  readonly supersededBy?: string;
  /** Whole days by the policy's age basis; below 0 in the future, absent without a readable time. */
  readonly ageDays?: number;
}

export interface DecisionAnswer {
  /** The whole id. */
  readonly id: string;
  /** The record, every key as it was written. */
  readonly decision: RawDecision;
  readonly compactionLevel: Level;
  readonly standing: DecisionStanding;
  /** Name of the policy that governs it. */
  readonly policy: string;
}

/**
 * `id` is whole, or a beginning of at least 4 characters that no other id has.
 * @throws NotFound (`UNKNOWN_DECISION`); InvalidInput (`AMBIGUOUS_ID`) that names candidates; StoreFailed.
 */
export function getDecision(log: DecisionLog, id: string, options: DecisionOptions): Promise<DecisionAnswer> {
  return log.read(async (reader) => {
    const decision = await findDecision(reader, id);
    const policy = policyFor(options.policies, decision);
    return {
      id: decision.id,
      decision: decision.raw,
      compactionLevel: levelUnder(policy, decision, options.now),
      standing: standingOf(policy, decision, options.now),
      policy: policy.name,
    };
  });
}

function standingOf(policy: DecisionPolicy, decision: StoredDecision, now: number): DecisionStanding {
  const { status, supersededBy } = decision;
  const at = policy.ageBasis === "review" ? decision.reviewedAt : decision.decidedAt;
  return {
    status,
    reviewed: status === REVIEWED,
    preserved: isKept(policy, decision),
    superseded: supersededBy !== undefined,
    ...(supersededBy === undefined || supersededBy === "" ? {} : { supersededBy }),
    ...(at === undefined ? {} : { ageDays: Math.floor((now - at) / DAY_MS) }),
  };
}
