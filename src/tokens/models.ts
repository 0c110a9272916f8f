// Which encoding, factor and window stand behind a model's name. Only OpenAI publishes its encodings; every
// other family is o200k times a factor, with the margin by which the factor may be off. Windows are the vendors'
// documented limits; where a model's input is limited below its window, the input limit stands here.
import type { GptEncoding } from "./gpt-token-counter.ts";

/** Tokens of the window where no model is named, or its own is not known. */
export const DEFAULT_WINDOW = 128_000;

export interface ModelEncoding {
  readonly encoding: GptEncoding;
  /** Tokens of the model per token of `encoding`. */
  readonly factor: number;
  /** True where `encoding` is the model's own. */
  readonly isExact: boolean;
  /** Share by which a count may be off, 0 when exact. */
  readonly margin: number;
  /** Tokens the input may take; absent when unknown. */
  readonly window?: number;
}

interface ModelRow extends ModelEncoding {
  /** Matched against the lower-case name without its provider prefix. */
  readonly pattern: RegExp;
}

function exact(pattern: RegExp, encoding: GptEncoding, window: number): ModelRow {
  return { pattern, encoding, factor: 1, isExact: true, margin: 0, window };
}

function estimated(pattern: RegExp, factor: number, margin: number, window: number): ModelRow {
  return { pattern, encoding: "o200k_base", factor, isExact: false, margin, window };
}

/** The first match wins, so the narrow names stand before the wide ones. */
function modelRows(): readonly ModelRow[] {
  return [
    // OpenAI, platform.openai.com/docs/models. The gpt-5 family: 400,000 in all, 128,000 of them for output only.
    exact(/^gpt-5(?:\.\d+)?-chat/, "o200k_base", 128_000),
    exact(/^gpt-5/, "o200k_base", 272_000),
    exact(/^gpt-4\.1/, "o200k_base", 1_047_576),
    exact(/^(?:chat)?gpt-4(?:o|\.5)/, "o200k_base", 128_000),
    exact(/^gpt-oss/, "o200k_base", 131_072),
    exact(/^o1-(?:mini|preview)/, "o200k_base", 128_000),
    exact(/^o[134](?:-|$)/, "o200k_base", 200_000),
    exact(/^codex-mini/, "o200k_base", 200_000),
    exact(/^gpt-4-(?:turbo|1106|0125|vision)/, "cl100k_base", 128_000),
    exact(/^gpt-4-32k/, "cl100k_base", 32_768),
    exact(/^gpt-4(?:-|$)/, "cl100k_base", 8_192),
    exact(/^gpt-3\.5-turbo-instruct/, "cl100k_base", 4_096),
    exact(/^gpt-(?:3\.5|35)-turbo/, "cl100k_base", 16_385),
    // Anthropic publishes no current tokenizer. 1.25 is measured: in five published agent sessions with Claude 4.5, what
    // 212 messages of 500 tokens and more added to the reported prompt was 1.25 times our o200k count (median; tenth
    // and ninetieth percentile 1.02 and 1.40), and 1.13 to 1.35 times over a whole session. From 4.7 on a newer
    // tokenizer takes up to 1.35 times as many as before by the vendor's word, not measured here, and a million tokens
    // is the documented window.
    estimated(/^claude-.*\[1m\]/, 1.25, 0.15, 1_000_000),
    estimated(/^claude-[a-z]+-(?:4[-.][7-9]|[5-9])(?:\D|$)/, 1.5, 0.2, 1_000_000),
    estimated(/^claude/, 1.25, 0.15, 200_000),
    // The other families have vocabularies of 128,000 to 262,000 like o200k; the factor leans to the cautious side.
    estimated(/^gemini/, 1.1, 0.2, 1_048_576),
    estimated(/^gemma/, 1.1, 0.2, 131_072),
    estimated(/^(?:meta-)?llama-?3(?:-\d+b|$)/, 1.1, 0.15, 8_192),
    estimated(/^(?:meta-)?llama-?[34]/, 1.1, 0.15, 131_072),
    estimated(/^(?:mistral|ministral|codestral|devstral|magistral|pixtral)/, 1.2, 0.2, 131_072),
    estimated(/^(?:qwen|qwq)/, 1.1, 0.15, 131_072),
    estimated(/^deepseek/, 1.1, 0.15, 128_000),
  ];
}

/** An unknown tokenizer: cautious, so that a trigger fires early rather than late; the window is the caller's to give. */
const UNKNOWN_MODEL: ModelEncoding = { encoding: "o200k_base", factor: 1.3, isExact: false, margin: 0.3 };

const NO_MODEL: ModelEncoding = { encoding: "o200k_base", factor: 1, isExact: true, margin: 0 };

/** Vendor and region parts of routed names: `openai/`, `us.anthropic.`, `models/`, `ft:`, `azure/eu/`. */
function bareName(name: string): string {
  const lower = name.trim().toLowerCase();
  const afterSlash = lower.slice(lower.lastIndexOf("/") + 1);
  return afterSlash.replace(
    /^(?:ft:)?(?:(?:us|eu|apac|jp|au|global)\.)?(?:(?:anthropic|meta|mistral|deepseek|qwen|openai|google)\.)?/,
    "",
  );
}

/**
 * What is known about a model by its name, dated and routed names included (`openai/gpt-4o-2024-08-06`,
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`). A name nobody knows gives o200k with a cautious factor and no
 * window; no name (or a blank one) gives o200k as it is and no window. Never throws.
 */
export function resolveModel(name: string | undefined): ModelEncoding {
  if (name === undefined || name.trim() === "") return NO_MODEL;
  const bare = bareName(name);
  const row = modelRows().find(({ pattern }) => pattern.test(bare));
  if (row === undefined) return UNKNOWN_MODEL;
  const { pattern: _, ...encoding } = row;
  return encoding;
}

/** Is the model in the table? A name that is not needs its window from the caller. */
export function isKnownModel(name: string): boolean {
  return resolveModel(name).window !== undefined;
}
