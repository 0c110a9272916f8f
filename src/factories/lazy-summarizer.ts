// Summarizers whose code is loaded when they are first asked: together with the facts it is the largest part of this
// package, and most processes import it long before anything is compacted.
import { requireApiKey } from "../config/environment.ts";
import type { ConfigFile } from "../config/file-schema.ts";
import { isSummarizer, type SummarizerConfig } from "../config/summarizer-schema.ts";
import { lazy } from "../lazy.ts";
import { modelName } from "../models/model.ts";
import type { ModelSummarizerOptions } from "../summaries/model-summarizer.ts";
import type { Summarizer } from "../summaries/summarizer.ts";
import type { ConversationConfig } from "./conversation-config.ts";

/** Needs no model. */
export function lazyExtractiveSummarizer(): Summarizer {
  return lazySummarizer({ kind: "extractive" }, async () => {
    const { createExtractiveSummarizer } = await import("../summaries/record.ts");
    return createExtractiveSummarizer();
  });
}

export function lazyModelSummarizer(options: ModelSummarizerOptions): Summarizer {
  return lazySummarizer({ kind: "model", model: modelName(options.model) }, async () => {
    const { createModelSummarizer } = await import("../summaries/model-summarizer.ts");
    return createModelSummarizer(options);
  });
}

function lazySummarizer(known: Omit<Summarizer, "summarize">, load: () => Promise<Summarizer>): Summarizer {
  const loaded = lazy(load);
  return { ...known, summarize: async (request) => (await loaded()).summarize(request) };
}

// What is known of a summarizer before it is loaded: its kind, and whether its key is missing.

/** The key that its model is called with; undefined where none is needed. Throws `InvalidConfig` for a provider without its key. */
export function apiKeyFor(config: SummarizerConfig | undefined): string | undefined {
  if (config === undefined || isSummarizer(config) || !("type" in config)) return undefined;
  return requireApiKey(config);
}

export function summarizerKind(config: SummarizerConfig | undefined): Summarizer["kind"] {
  if (config === undefined) return "extractive";
  if (isSummarizer(config)) return config.kind;
  return "type" in config && config.type === "extractive" ? "extractive" : "model";
}

// The two blocks of a configuration file that say who writes texts, in the terms of code: for every part that has some written.

/** Who writes summaries, and what they are shown: for parts that need no more of the configuration. */
export function summaryConfigOf({
  summarizer,
  redaction,
}: Pick<ConfigFile, "summarizer" | "redaction">): Pick<ConversationConfig, "summarizer" | "redaction"> {
  return {
    ...(summarizer?.type === undefined || summarizer.type === "extractive" ? {} : { summarizer }),
    ...(redaction === undefined ? {} : { redaction }),
  } as Pick<ConversationConfig, "summarizer" | "redaction">; // as above
}
