// The key of the model that writes summaries, looked for when a configuration is checked: a missing one is told there.
import { isSummarizer, type SummarizerConfig } from "../config/schema/summarizer-schema.ts";
import { requireApiKey } from "../config/variables/api-key.ts";

/** Undefined where none is needed. Throws `InvalidConfig` for a provider without its key. */
export function apiKeyFor(config: SummarizerConfig | undefined): string | undefined {
  if (config === undefined || isSummarizer(config) || !("type" in config)) return undefined;
  return requireApiKey(config);
}
