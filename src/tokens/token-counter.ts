// The contract of counting: text in, tokens out. Everything that decides about size uses one counter.
import type { MessageView } from "../providers/format.ts";

export interface TokenCounter {
  /** `o200k_base`, `cl100k_base`, or whatever a caller's own counter is called. */
  readonly name: string;
  /** False where a factor stands in for a tokenizer nobody published. */
  readonly isExact: boolean;
  /** Tokens of `text` as plain text: text that looks like a control token is text. Linear time on any input. */
  count(text: string): number;
  /** Tokens of one whole message, overhead included. Absent: the product's own rules apply to `count`. */
  countMessage?(view: MessageView, message: unknown): number;
  /** The same as `count` in steps of a few milliseconds at most, for whoever must not block. Absent: `count` is called. */
  countSteps?(text: string): Iterator<undefined, number, undefined>;
}

/** A counter that can tell early that a text is too large. */
export interface LimitedTokenCounter extends TokenCounter {
  /** The count where it is at most `limit` (0 or more); else `limit` + 1, found without counting the rest. */
  countAtMost(text: string, limit: number): number;
}
