// How full the window is: our estimate, held against what the provider reported for the last call. A report covers the
// list up to the answer it came with; what was added since is estimated. Reports from before a compaction are void.
import type { MessageView } from "../../formats/format.ts";
import type { MeasuredConversation } from "../stages/measure-conversation.ts";
import { type OccupiedTokens, readUsage } from "./read-usage.ts";

export interface Report extends OccupiedTokens {
  /** Messages of the list that it covers, the answer it came with included. */
  readonly covers: number;
}

export interface Occupancy {
  /** Tokens of everything that would be sent next. */
  readonly total: number;
  /** Tokens beside what we can see (a system prompt or tools we were not given): what compaction cannot win. */
  readonly unseen: number;
  readonly isReported: boolean;
}

/**
 * The newest report that speaks of this list: what the caller passed for its last call, else the `usage` field of an
 * answer in the list. Messages before `freshFrom` were there before the last compaction: what they report is void.
 */
export function findReport(
  { messages, views }: Pick<MeasuredConversation, "messages" | "views">,
  freshFrom: number,
  passed: unknown,
): Report | undefined {
  for (let index = views.length - 1; index >= freshFrom; index--) {
    if (views[index]?.role !== "assistant") continue;
    const usage = readUsage(passed) ?? readUsage((messages[index] as { readonly usage?: unknown }).usage);
    if (usage !== undefined) return { ...usage, covers: endOfAnswer(views, index) };
    if (passed !== undefined) return undefined;
  }
  return undefined;
}

/** An answer may be several items in a row. */
function endOfAnswer(views: readonly MessageView[], index: number): number {
  let end = index + 1;
  while (views[end]?.role === "assistant") end++;
  return end;
}

/** A report above the window is a sum over calls or a bill, never one prompt. */
export function isPlausible({ input, output }: OccupiedTokens, maxContextTokens: number): boolean {
  return input > 0 && input + output <= maxContextTokens;
}

export function occupy({ total, tokens }: MeasuredConversation, report: Report | undefined): Occupancy {
  if (report === undefined) return { total, unseen: 0, isReported: false };
  const later = tokens.slice(report.covers).reduce((sum, size) => sum + size, 0);
  const occupied = report.input + report.output + later;
  return { total: occupied, unseen: Math.max(0, occupied - total), isReported: true };
}
