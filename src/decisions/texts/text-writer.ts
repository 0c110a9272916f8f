// Writing a decision shorter: what a cycle asks for, and a writer over the shared summarizers. Code writes at once and for
// nothing; what a model is asked, and when its answer stands, is in model-texts.ts, loaded only where there is one.
import { CompactError } from "../../errors.ts";
import type { Summarizer } from "../../summaries/summarizer.ts";
import type { StoredDecision } from "../decision.ts";
import type { DecisionText } from "../decision-log.ts";
import { extractiveSummary, oneLine, TEXT_STRATEGY } from "./extractive-texts.ts";

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
  /**
   * Whether two wordings are one principle. Undefined where the answer is of no use; absent where there is no model.
   * @throws what the call of the model throws.
   */
  isSame?(
    texts: readonly [string, string],
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<boolean | undefined>;
}

export interface TextWriterOptions {
  readonly summarizer: Summarizer;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  /** Everything that a model sees goes through it. */
  readonly redact: (text: string) => string;
  /** Name of the model. Default: `extractive` for code, else `model`. */
  readonly model?: string | undefined;
}

/** Of calls that came to nothing; all other failures are about one text. */
const DEAD_CODES = ["MODEL_UNAVAILABLE", "MODEL_TIMEOUT", "MODEL_REJECTED"];

export function createTextWriter(options: TextWriterOptions): TextWriter {
  const { summarizer } = options;
  const isCode = summarizer.kind === "extractive";
  const model = options.model ?? (isCode ? "extractive" : "model");
  return {
    strategy: TEXT_STRATEGY,
    model,
    ...(isCode
      ? {}
      : {
          isSame: async (texts, { signal }) => (await import("./model-texts.ts")).askSame(texts, options, signal),
        }),
    async write(decision, level, { signal } = {}) {
      const byCode = level === "digest" ? oneLine(decision.text) : extractiveSummary(decision);
      const own = { text: byCode, source: "extractive" } as const;
      if (isCode) return own;
      const { ask, isWorthwhile } = await import("./model-texts.ts");
      if (!isWorthwhile(decision, level, own.text)) return own;
      try {
        const text = await ask(decision, level, options, signal);
        return text === undefined ? { ...own, hasFailed: true } : { text, source: "llm" };
      } catch (error) {
        if (signal?.aborted) throw error;
        return { ...own, hasFailed: true, ...(isAnswered(error) ? {} : { hasFailedCall: true }) };
      }
    },
  };
}

/** The model was there: it gave an answer of no use, or declined this one text. Of anything else the next call dies, too. */
function isAnswered(error: unknown): boolean {
  if (!CompactError.isInstance(error)) return false;
  return error.kind === "SummarizationFailed" && !DEAD_CODES.includes(error.code);
}
