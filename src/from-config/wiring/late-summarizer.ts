// Summarizers whose code is loaded when they are first asked: together with the facts it is the largest part of this
// package, and most processes import it long before anything is compacted.
import { late } from "../../late.ts";
import type { ModelSummarizerOptions } from "../../summaries/model-summarizer.ts";
import type { Summarizer } from "../../summaries/summarizer.ts";

/** Needs no model. */
export function lateExtractiveSummarizer(): Summarizer {
  return lateSummarizer("extractive", async () => {
    const { createExtractiveSummarizer } = await import("../../summaries/extractive-summarizer.ts");
    return createExtractiveSummarizer();
  });
}

export function lateModelSummarizer(options: ModelSummarizerOptions): Summarizer {
  return lateSummarizer("model", async () => {
    const { createModelSummarizer } = await import("../../summaries/model-summarizer.ts");
    return createModelSummarizer(options);
  });
}

function lateSummarizer(kind: Summarizer["kind"], load: () => Promise<Summarizer>): Summarizer {
  const loaded = late(load);
  return { kind, summarize: async (request) => (await loaded()).summarize(request) };
}
