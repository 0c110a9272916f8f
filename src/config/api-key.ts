// The key that a summarizing model is called with. It comes from the environment alone, and a provider's own key goes to
// that provider and nowhere else.
import { CompactError } from "../errors.ts";
import { PROVIDER_ADDRESSES } from "./schema-parts.ts";
import { isSummarizer, type SummarizerConfig, type SummarizerType } from "./summarizer-schema.ts";
import { type Environment, invalidVariable, KEY_VARIABLE } from "./variables.ts";

export interface KeyedSummarizer {
  readonly type: SummarizerType;
  readonly baseUrl?: string | undefined;
}

const PROVIDER_VARIABLES = { "openai-compatible": "OPENAI_API_KEY", anthropic: "ANTHROPIC_API_KEY" } as const;

/** The variables that are asked for the key, first one first. None for the extractive summarizer. */
export function apiKeyVariables({ type, baseUrl }: KeyedSummarizer): readonly string[] {
  if (type === "extractive") return [];
  return isProvidersOwn(type, baseUrl) ? [KEY_VARIABLE, PROVIDER_VARIABLES[type]] : [KEY_VARIABLE];
}

/**
 * Undefined when no variable holds a key, which servers on one's own machine often need none of.
 * @throws CompactError `InvalidConfig` when the key could not be sent in a header. The key is never quoted.
 */
export function readApiKey(
  summarizer: KeyedSummarizer,
  environment: Environment = globalThis.process?.env ?? {},
): string | undefined {
  for (const variable of apiKeyVariables(summarizer)) {
    const key = environment[variable]?.trim();
    if (key === undefined || (key === "" && variable !== KEY_VARIABLE)) continue;
    if (/^[\x21-\x7e]+$/.test(key)) return key;
    const fault = key === "" ? "is empty" : "holds a space or a character that no key has";
    throw invalidVariable(
      variable,
      fault,
      "INVALID_API_KEY",
      "Set it to the key as the provider gave it, or unset it.",
    );
  }
  return undefined;
}

/** As `readApiKey`, but throws `InvalidConfig` (`NO_API_KEY`) where the provider's own address would refuse every call. */
export function requireApiKey(summarizer: KeyedSummarizer, environment?: Environment): string | undefined {
  const key = readApiKey(summarizer, environment);
  const variables = apiKeyVariables(summarizer);
  if (key !== undefined || variables.length < 2) return key;
  throw new CompactError("InvalidConfig", `The summarizer ${summarizer.type} has no API key.`, {
    code: "NO_API_KEY",
    hint: `Set ${variables.join(" or ")}, give summarizer.base_url for a server that needs none, or use type extractive.`,
  });
}

/** Of what was configured: undefined where none is needed. Throws `InvalidConfig` for a provider without its key. */
export function apiKeyFor(config: SummarizerConfig | undefined): string | undefined {
  if (config === undefined || isSummarizer(config) || !("type" in config)) return undefined;
  return requireApiKey(config);
}

/** Told by the host and https, so that another path or a trailing slash changes nothing. */
function isProvidersOwn(type: Exclude<SummarizerType, "extractive">, baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return true;
  return URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(PROVIDER_ADDRESSES[type]).origin;
}
