// Records of known age and standing, at one injected time.
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionOptions } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { DAY_MS, isoTime } from "../../../src/time.ts";

export const NOW = Date.UTC(2026, 1, 15, 12);

export const options: DecisionOptions = { policies: decisionPolicies(), now: NOW };

/** Reviewed, a success, of the category `process`; `days` may be a fraction and below 0. */
export function aged(id: string, days: number, rest: RawDecision = {}): RawDecision {
  return {
    id,
    summary: `Decision ${id}`,
    decision: `Decision ${id}`,
    category: "process",
    confidence: 0.8,
    status: "reviewed",
    outcome: "success",
    date: isoTime(NOW - days * DAY_MS),
    ...rest,
  };
}
