// The contract of summarizing: passages and a ledger in, a text within a cap out. Knows nothing of providers,
// so decisions and notes use the same summarizers as conversations.
import type { Ledger } from "../facts/ledger.ts";
import type { ModelName } from "../models/model.ts";

export const STRATEGIES = ["task_state", "decision_log", "code_delta", "brief"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** A quotable piece of what is to be summarized. `id` is what citations name: `1.12`. */
export interface Passage {
  readonly id: string;
  readonly source: "user" | "assistant" | "tool" | "record" | "note";
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly at?: string;
}

export interface SummaryRequest {
  readonly passages: readonly Passage[];
  /**
   * What the passages are, where that is not a conversation: the frame of the text speaks of it. A model's text about
   * `decisions` has no sections and cites nothing; its form is the `note`. Default: `conversation`.
   */
  readonly about?: "conversation" | "notes" | "decisions";
  readonly ledger: Ledger;
  /** What the messages that stay behind the text hold: where things stand is said there, if they are newer. */
  readonly staying?: Ledger;
  readonly strategy: Strategy;
  /** Hard cap of the text, in tokens of `count`. */
  readonly maxTokens: number;
  /** What a model is asked for at most, where code needs the rest to complete its text. Default: `maxTokens`. */
  readonly answerTokens?: number;
  readonly count: (text: string) => number;
  /** Text of the summary that this one replaces. */
  readonly previous?: string;
  /** Wishes of whoever asked for the compaction, in their words. */
  readonly note?: string;
  /** Told of each call of a model when it is sent, those that are sent again included. */
  readonly onCall?: () => void;
  /** Told of each step of the failure ladder before it is taken. */
  readonly onSetback?: (setback: Setback) => void;
  readonly signal?: AbortSignal;
}

/** What is done next after an answer or a call that was no use; `give-up` is the last. */
export type NextStep = "retry" | "raise-cap" | "halve-cap" | "brief" | "split-input" | "give-up";

export interface Setback {
  /** What went wrong: a model failure code, or `EMPTY_ANSWER`, `TRUNCATED_ANSWER`, `TOO_LONG_ANSWER`, `REFUSED`, `NO_SUMMARY` (acted, chatted, or lacks every section), `UNCLOSED_SCRATCH`. */
  readonly code: string;
  /** One sentence; never quotes the conversation or the answer. */
  readonly message: string;
  readonly next: NextStep;
  /** Number of the call, 1-based, over the whole request. */
  readonly attempt: number;
}

/** What writing the summary cost. */
export interface SummaryUsage {
  readonly calls: number;
  /** As reported by the provider, else counted. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The provider reports far fewer input tokens than were sent: it may have read a part only. */
  readonly isCut?: boolean;
}

/** What found no room in a text. */
export interface LeftOut {
  /** Users' messages that stand there in part, and not at all. */
  readonly shortened: number;
  readonly messages: number;
  /** Changed files that are not named. */
  readonly files: number;
}

/** What of a model's text was marked or left out, and why. */
export interface Doubt {
  /** `name`: what nobody named, a message that does not exist. `claim`: anything else. */
  readonly kind: "name" | "claim";
  /** What was marked or left out, shortened. */
  readonly text: string;
  /** What is wrong with it. */
  readonly why: string;
}

export interface Summary {
  readonly text: string;
  readonly source: "extractive" | "model" | "model+ledger";
  /** Absent when no model was asked. */
  readonly usage?: SummaryUsage;
  /** Strategy of the text when it is not the one asked for. */
  readonly strategy?: Strategy;
  /** What the model wrote and the input does not bear out. Absent where there is none. */
  readonly doubts?: readonly Doubt[];
  /** Absent where code has not completed the text yet. */
  readonly left?: LeftOut;
}

export interface Summarizer {
  readonly kind: "extractive" | "model";
  /** The model behind it: for traces. Unknown when absent. */
  readonly model?: ModelName;
  /**
   * Throws `CompactError(SummarizationFailed)`, with the number of failed calls as `data.failures`; never returns an empty
   * text, nor one longer than `maxTokens`.
   */
  summarize(request: SummaryRequest): Promise<Summary>;
}
