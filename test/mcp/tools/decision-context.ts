// A tool's context over a decision log in memory, with a fixed clock.

import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { createTextWriter } from "../../../src/decisions/texts/text-writer.ts";
import type { ToolContext } from "../../../src/mcp/tool.ts";
import { createMemoryObservationStore } from "../../../src/observations/memory-observation-store.ts";
import type { DecisionContext } from "../../../src/operations/decisions/context.ts";
import { createExtractiveSummarizer } from "../../../src/summaries/record.ts";
import { DAY_MS, isoTime } from "../../../src/time.ts";
import { NOW } from "../../observations/rows.ts";
import { countTokens, toolContext } from "./tool-context.ts";

export const decidedAgo = (days: number): string => isoTime(NOW - days * DAY_MS);

/** Reviewed, a success, unless said otherwise. */
export function decided(id: string, days: number, more: RawDecision = {}): RawDecision {
  const about = { id, decision: `Decide about part ${id}`, category: "architecture", confidence: 0.8 };
  return { ...about, status: "reviewed", outcome: "success", date: decidedAgo(days), ...more };
}

export interface OpenedContext {
  readonly log: DecisionLog;
  readonly context: ToolContext;
}

export async function decisionContext(
  records: readonly RawDecision[],
  changes: Partial<DecisionContext> = {},
): Promise<OpenedContext> {
  const log = createMemoryDecisionLog();
  await log.write(async (writer) => {
    for (const record of records) await writer.add(record);
  });
  const decisions: DecisionContext = {
    log: async () => log,
    policies: decisionPolicies(),
    now: () => NOW,
    agent: "",
    texts: createTextWriter({
      summarizer: createExtractiveSummarizer(),
      count: countTokens,
      redact: (text) => text,
    }),
    ...changes,
  };
  return { log, context: toolContext(createMemoryObservationStore(), { decisions }) };
}
