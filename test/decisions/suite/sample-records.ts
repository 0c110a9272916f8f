// Records as people and agents write them, and the view that the suite asks for levels by.
import type { RawDecision, StoredDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog, DecisionReader, LevelView, PageQuery } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { DAY_MS } from "../../../src/time.ts";

export type OpenLog = () => Promise<DecisionLog>;
export type CurrentLog = () => DecisionLog;

export const NOW = Date.UTC(2031, 2, 9, 12);
export const VIEW: LevelView = { policies: decisionPolicies(), now: NOW };

/** ISO 8601, so many days (or parts of a day) before now. */
export function daysAgo(days: number): string {
  return new Date(NOW - days * DAY_MS).toISOString();
}

/** A reviewed success of yesterday, unless it says otherwise. */
export function record(changes: RawDecision = {}): RawDecision {
  return {
    id: "d-1",
    decision: "Keep the queue in memory",
    date: daysAgo(1),
    category: "architecture",
    recorded_by: "planner",
    status: "reviewed",
    confidence: 0.8,
    outcome: "success",
    ...changes,
  };
}

export function addAll(log: DecisionLog, records: readonly RawDecision[]): Promise<readonly StoredDecision[]> {
  return log.write(async (writer) => {
    const added: StoredDecision[] = [];
    for (const each of records) added.push(await writer.add(each));
    return added;
  });
}

/** Ids with levels, of all that a query admits. */
export async function pageOf(reader: DecisionReader, query: Partial<PageQuery> = {}) {
  const page = await reader.page({ filter: {}, view: VIEW, limit: 1000, ...query });
  return page.map(({ decision, level }) => [decision.id, level] as const);
}

export async function idsOf(log: DecisionLog, query: Partial<PageQuery> = {}): Promise<readonly string[]> {
  return log.read(async (reader) => (await pageOf(reader, query)).map(([id]) => id));
}

export async function decisionOf(log: DecisionLog, id: string): Promise<StoredDecision | undefined> {
  return log.read(async (reader) => (await reader.decisions([id]))[0]);
}
