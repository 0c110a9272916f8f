// Whether the model behind the texts of a cycle is there at all. One that is not costs a time-out with all its retries for
// every text; after a few failures in a row the cycle asks it no more. An answer that is no use is an answer.
import type { Trace } from "../../trace/emit.ts";
import { DECISIONS_SESSION } from "./tell-failure.ts";

/** Failed calls one after another. */
const MOST_FAILURES = 3;

export interface ModelWatch {
  readonly isDown: boolean;
  /** Of one text that a model was asked for, in the order of the texts. */
  note(hasFailedCall: boolean): void;
}

/** For one cycle, however often it plans. */
export function createModelWatch(model: string, trace: Pick<Trace, "emit"> | undefined): ModelWatch {
  let failures = 0;
  let isDown = false;
  return {
    get isDown() {
      return isDown;
    },
    note(hasFailedCall) {
      failures = hasFailedCall ? failures + 1 : 0;
      if (isDown || failures < MOST_FAILURES) return;
      isDown = true;
      trace?.emit({
        event: "compact.error",
        part: "decisions",
        session_id: DECISIONS_SESSION,
        status: "error",
        error_type: "SummarizationFailed",
        code: "MODEL_GIVEN_UP",
        message: `${MOST_FAILURES} calls of the model ${model} failed in a row; this cycle asks it no more.`,
        fallback: "extractive",
      });
    },
  };
}

/** For whoever reads what the cycle did. Undefined where nothing is to be told. */
export function warningOf({ isDown }: ModelWatch, failed: number): string | undefined {
  if (!isDown) return undefined;
  const texts = failed === 1 ? "1 text is" : `${failed} texts are`;
  return `${MOST_FAILURES} calls of the model failed in a row, so it was asked no more: ${texts} written by code until a later cycle asks again.`;
}
