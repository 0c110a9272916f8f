// Sizes up a list before anything is decided: our count, corrected for the model's family by what was reported before,
// and anchored at the provider's report for the last call where there is one.
import { type Calibration, UNCALIBRATED } from "../../tokens/calibrate.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import type { SessionState } from "../session-state.ts";
import { type MeasuredConversation, measureConversation } from "../stages/measure-conversation.ts";
import { SUMMARY_PREFIX } from "../summary/summary-frame.ts";
import { type CallSize, learn, scaleCounter, scaleMeasured } from "./calibrated-counter.ts";
import { findReport, isPlausible, occupy, type Report } from "./occupancy.ts";

/** What earlier looks at a session's list found. */
export interface EarlierSizes {
  /** As counted, uncorrected. */
  readonly counted?: MeasuredConversation | undefined;
  readonly calibration?: Calibration;
  readonly lastCall?: CallSize | undefined;
  /** Length of the list that the last compaction of this process gave. */
  readonly compactedLength?: number;
}

export interface SizedUp {
  /** Corrected and anchored; its total is what the next call takes. */
  readonly measured: MeasuredConversation;
  /** With a counter that is corrected likewise. */
  readonly parts: ConversationParts;
  readonly isReported: boolean;
  readonly isImplausible: boolean;
  readonly next: Required<Pick<EarlierSizes, "counted" | "calibration">> & Pick<EarlierSizes, "lastCall">;
}

/** Unseen tokens count as immovable up to this share of the budget; beyond it the report is doubted, not the list. */
const MOST_UNSEEN = 0.5;
/** Share of our own count below which a report is doubted: no two tokenizers lie so far apart. */
const LEAST_REPORTED = 0.4;

export async function sizeUp(
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
  earlier: EarlierSizes,
): Promise<SizedUp> {
  const counted = await measureConversation(input, parts, earlier.counted);
  const found =
    counted.repairs.length > 0 ? undefined : findReport(counted, freshFrom(counted, state, earlier), input.usage);
  const before = earlier.calibration ?? UNCALIBRATED;
  const foundCall = found === undefined ? undefined : callSize(counted, found);
  const isImplausible =
    found !== undefined &&
    foundCall !== undefined &&
    !(isPlausible(found, parts.maxContextTokens) && isWholePrompt(foundCall, before));
  const report = isImplausible ? undefined : found;
  const call = isImplausible ? undefined : foundCall;
  const calibration = call === undefined || parts.counter.isExact ? before : learn(before, earlier.lastCall, call);
  const ratio = parts.counter.isExact ? 1 : calibration.ratio;
  const scaled = scaleMeasured(counted, ratio);
  const { total, unseen, isReported } = occupy(scaled, report);
  return {
    measured: anchorAt(scaled, total, unseen, Math.floor(parts.budget * MOST_UNSEEN)),
    parts: ratio === 1 ? parts : { ...parts, counter: scaleCounter(parts.counter, ratio) },
    isReported,
    isImplausible,
    next: { counted, calibration, ...(call === undefined ? { lastCall: earlier.lastCall } : { lastCall: call }) },
  };
}

/** A report far below what we count is that of another list, or leaves cached tokens out: trusted, the window would overflow. */
function isWholePrompt({ estimated, reported }: CallSize, { ratio }: Calibration): boolean {
  return reported >= LEAST_REPORTED * Math.min(1, ratio) * estimated;
}

/** Messages before this index stood in the list when it was last compacted. */
function freshFrom({ messages, format }: MeasuredConversation, state: SessionState, earlier: EarlierSizes): number {
  const inProcess = earlier.compactedLength ?? 0;
  const stored = state.list_length ?? 0;
  const isOurs = (message: unknown) => format.summaryText(message)?.startsWith(SUMMARY_PREFIX) === true;
  return messages.slice(0, stored).some(isOurs) ? Math.max(stored, inProcess) : inProcess;
}

/** The prompt of the call that was reported: everything before its answer. */
function callSize({ tokens, views, fixedTokens }: MeasuredConversation, report: Report): CallSize {
  let end = report.covers;
  while (end > 0 && views[end - 1]?.role === "assistant") end--;
  const estimated = tokens.slice(0, end).reduce((sum, size) => sum + size, fixedTokens);
  return { estimated, reported: report.input };
}

function anchorAt(
  measured: MeasuredConversation,
  total: number,
  unseen: number,
  mostUnseen: number,
): MeasuredConversation {
  const difference = total - measured.total;
  if (difference === 0) return measured;
  const { breakdown } = measured;
  const adjusted =
    difference > 0
      ? { ...breakdown, tools_schema: breakdown.tools_schema + difference }
      : { ...breakdown, messages: Math.max(0, breakdown.messages + difference) };
  const sum = adjusted.system + adjusted.developer + adjusted.tools_schema + adjusted.messages;
  const believed = Math.min(unseen, mostUnseen);
  const fixedTokens = measured.fixedTokens + believed;
  return { ...measured, breakdown: adjusted, total: sum, fixedTokens, doubted: unseen - believed };
}
