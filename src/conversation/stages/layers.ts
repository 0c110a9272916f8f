// What choosing the layers works from and what it gives.
import type { Ledger } from "../../facts/ledger.ts";
import type { Passage } from "../../summaries/summarizer.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import type { SessionState } from "../session-state.ts";
import type { TimedSummary } from "../summary/summary-room.ts";
import type { Fit } from "./fit.ts";
import type { ReadConversation } from "./read-conversation.ts";
import type { TriggerReason } from "./trigger.ts";

export interface Layers {
  readonly target: number;
  /** Cap of the summary message, frame included. */
  readonly summaryTokens: number;
  readonly fit: Fit;
  /** Tokens of the result, as far as they are known before the summary is written; 0 when only that can tell. */
  readonly expectedTokens: number;
  /** Indices into the read messages. */
  readonly pinned: readonly number[];
  readonly recent: readonly number[];
  readonly removed: readonly number[];
  /** Copies of messages of which something was left out (of a tool's result, of what a user said, an image), by original. */
  readonly shortened: ReadonlyMap<unknown, unknown>;
  /** Carried ledger plus the facts of what leaves: what the session remembers. */
  readonly ledger: Ledger;
  /** The same, as it stands after the messages that stay: what the summary may say. */
  readonly shown: Ledger;
  readonly passages: readonly Passage[];
  /** A summary that was already written to learn its size, and still holds. */
  readonly draft: TimedSummary | undefined;
}

export interface LayersInput {
  readonly input: ConversationInput;
  readonly read: ReadConversation;
  readonly state: SessionState;
  readonly step: number;
  readonly parts: ConversationParts;
  /** Why compaction is due. */
  readonly reason?: TriggerReason;
  /** Redacts a text; remembers it, since facts and passages ask for the same ones. */
  readonly redact: (text: string) => string;
}
