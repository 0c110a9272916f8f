// The plan of a conversation compaction: plain data that names every message it will touch and why. A dry run
// prints it, apply takes it, and refuses it when the messages it was made from have changed (`STALE_PLAN`).
import type { Repair } from "../formats/format.ts";
import type { KeptCounts } from "../trace/compact-event.ts";

export interface PlannedMessage {
  /** Index in the caller's list. */
  readonly index: number;
  readonly role: string;
  readonly tokens: number;
  readonly action: "pin" | "keep" | "shorten" | "summarize" | "repair";
  readonly why: string;
}

export interface ConversationPlan {
  readonly part: "conversation";
  readonly session_id: string;
  readonly format: string;
  /** SHA-256 over the messages the plan was made from. */
  readonly fingerprint: string;
  readonly message_count: number;
  readonly step: number;
  readonly triggered: boolean;
  /** Why it acts, or why it does not: see `compact.trigger_decision`. */
  readonly reason: string;
  readonly tokens_before: number;
  readonly budget: number;
  /** Tokens aimed at. */
  readonly target: number;
  readonly summary_max_tokens: number;
  readonly kept: KeptCounts;
  readonly pruned_count: number;
  readonly messages: readonly PlannedMessage[];
  readonly repairs: readonly Repair[];
}
