// Summarizers whose code is loaded when they are first asked: together with the facts it is the largest part of this
// package, and most processes import it long before anything is compacted.
import type { ModelSummarizerOptions } from "../../summarizers/model-summarizer.ts";
import type { Summarizer } from "../../summarizers/summarizer.ts";

/** Needs no model. */
export function lateExtractiveSummarizer(): Summarizer {
  return late("extractive", async () => {
    const { createExtractiveSummarizer } = await import("../../summarizers/extractive-summarizer.ts");
    return createExtractiveSummarizer();
  });
}

export function lateModelSummarizer(options: ModelSummarizerOptions): Summarizer {
  return late("model", async () => {
    const { createModelSummarizer } = await import("../../summarizers/model-summarizer.ts");
    return createModelSummarizer(options);
  });
}

function late(kind: Summarizer["kind"], load: () => Promise<Summarizer>): Summarizer {
  let loaded: Promise<Summarizer> | undefined;
  return {
    kind,
    async summarize(request) {
      loaded ??= load();
      return (await loaded).summarize(request);
    },
  };
}
