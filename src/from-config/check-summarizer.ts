// What is told about whoever writes summaries before anything of it is loaded: its kind, and that its key is missing.
import { isSummarizer, type SummarizerConfig } from "../config/schema/summarizer-schema.ts";
import { requireApiKey } from "../config/variables/api-key.ts";
import type { Summarizer } from "../summaries/summarizer.ts";

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
