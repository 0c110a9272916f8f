// What writes the texts of decisions, as objects. Loaded with the first text that is written.

import type { TextWriter } from "../decisions/texts/text-writer.ts";
import { createTextWriter } from "../decisions/texts/text-writer.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { counterFor } from "../tokens/create-token-counter.ts";
import { resolveModel } from "../tokens/models.ts";
import type { DecisionTextOptions } from "./decisions.ts";
import { readsRedacted, summarizerOf } from "./summarizer.ts";

/** @param apiKey of the model, as it was found when the options were checked. */
export function wireTextWriter(
  { summarizer, redaction, model }: DecisionTextOptions,
  apiKey: string | undefined,
): TextWriter {
  const redactor = createRedactor(redaction);
  const reads = readsRedacted(summarizer) ? redactor : createRedactor({ enabled: false });
  const counter = counterFor(resolveModel(undefined));
  return createTextWriter({
    summarizer: summarizerOf(summarizer, { redactor, apiKey }),
    count: (text) => counter.count(text),
    redact: (text) => reads.text(text),
    ...(model === undefined ? {} : { model }),
  });
}
