// Records that are old enough for wisdom, and logs made of them.
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog, DecisionOptions } from "../../../src/decisions/decision-log.ts";

import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { DAY_MS, isoTime } from "../../../src/time.ts";

export const NOW = Date.UTC(2030, 5, 15, 12);
export const OPTIONS: DecisionOptions = { policies: decisionPolicies(), now: NOW };

/** Reviewed, 100 days old unless `days` says otherwise. */
export function old(id: string, outcome: string | null, more: RawDecision = {}, days = 100): RawDecision {
  return {
    id,
    decision: `Decision ${id}`,
    category: "process",
    status: "reviewed",
    date: isoTime(NOW - days * DAY_MS),
    ...(outcome === null ? {} : { outcome }),
    ...more,
  };
}

/** `count` records that agree in all but their id and their minute. */
export function many(count: number, prefix: string, outcome: string | null, more: RawDecision = {}): RawDecision[] {
  return Array.from({ length: count }, (_, at) => old(`${prefix}${at}`, outcome, more, 100 + at / 1440));
}

export async function fill(log: DecisionLog, records: readonly RawDecision[]): Promise<DecisionLog> {
  await log.write(async (writer) => {
    for (const record of records) await writer.add(record);
  });
  return log;
}

export function logOf(...records: readonly RawDecision[]): Promise<DecisionLog> {
  return fill(createMemoryDecisionLog(), records);
}

/** The same numbers for the same seed: 0 up to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other] as Item, list[at] as Item];
  }
  return list;
}
