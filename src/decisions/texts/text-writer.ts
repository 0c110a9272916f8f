// The contract of writing a decision shorter: what a cycle asks for, and what the log keeps until the record changes.
import type { StoredDecision } from "../decision.ts";
import type { DecisionText } from "../decision-log.ts";

export const DEFAULT_TEXT_STRATEGY = "brief";

export interface TextWriter {
  /** Of the texts it writes: what they are kept under. */
  readonly strategy: string;
  /** Name of the model; `extractive` for code. */
  readonly model: string;
  /**
   * The text of a decision at a level. Never throws but for an abort: a model that fails, or whose answer is no use, leaves
   * the text that code writes, with `source: "extractive"` and `hasFailed`; `hasFailedCall` besides where there was no answer
   * at all, so that the next text would fare no better.
   */
  write(
    decision: StoredDecision,
    level: DecisionText["level"],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<
    Pick<DecisionText, "text" | "source"> & { readonly hasFailed?: boolean; readonly hasFailedCall?: boolean }
  >;
}
