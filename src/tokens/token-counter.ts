// The contract of counting: text in, tokens out. Everything that decides about size uses one counter.
import type { MessageView } from "../formats/format.ts";

export interface TokenCounter {
  /** `o200k_base`, `cl100k_base`, or whatever a caller's own counter is called. */
  readonly name: string;
  /** False where a factor stands in for a tokenizer nobody published. */
  readonly isExact: boolean;
  /** Tokens of `text` as plain text: text that looks like a control token is text. Linear time on any input. */
  count(text: string): number;
  /** Tokens of one whole message, overhead included. Absent: the product's own rules apply to `count`. */
  countMessage?(view: MessageView, message: unknown): number;
}
