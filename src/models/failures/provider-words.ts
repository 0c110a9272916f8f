// What a provider's error says, reduced to what decides: the words that were said about length, filters and money, and
// an error code fit to be shown. Providers agree on nothing here, so the phrases of many are listed.
import { asArray, asText, type JsonObject } from "../../formats/json-shape.ts";
import { asObject } from "../json-object.ts";

/** Said in error bodies, never shown: they may quote the prompt. Lower case, bounded. */
export interface ProviderWords {
  readonly words: string;
  /** The provider's own code or type, when it looks like an identifier. */
  readonly reason?: string;
}

const LONGEST_WORDS = 8_192;
// No digits and no hyphens: provider codes do without, keys do not.
const IDENTIFIER = /^[a-z][a-z_.]{1,63}$/i;

const LENGTH_PHRASES = [
  "context_length_exceeded",
  "maximum context length",
  "context length",
  "context size",
  "context window",
  "context_window",
  "context limit",
  "exceed_context",
  "prompt is too long",
  "prompt too long",
  "prompt_too_long",
  "input is too long",
  "input too long",
  "input tokens exceed",
  "maximum prompt length",
  "reduce the length",
  "request too large",
  "request_too_large",
  "range of input length",
  "model token limit",
  "maximum input tokens",
  "exceeds the maximum number of tokens allowed",
  "max_model_len",
  "string_above_max_length",
  "too many input tokens",
];

const FILTER_PHRASES = [
  "content_filter",
  "content filter",
  "content_policy",
  "content management policy",
  "content filtering policy",
  "responsibleaipolicy",
  "data_inspection_failed",
  "flagged as potentially violating",
  "flagged_input",
  "requires moderation",
  "prompt_blocked",
  "prohibited_content",
];

// A used-up account answers 429 like a busy one, but waiting does not help. The looser wordings ("exceeded your
// current quota") are left out: some providers use them for limits per minute.
const MONEY_PHRASES = ["insufficient_quota", "credit balance is too low", "insufficient balance", "billing_not_active"];

export const isAboutLength = (words: string): boolean => holds(words, LENGTH_PHRASES);
export const isAboutFilter = (words: string): boolean => holds(words, FILTER_PHRASES);
export const isAboutMoney = (words: string): boolean => holds(words, MONEY_PHRASES);

function holds(words: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => words.includes(phrase));
}

/** Reads the usual shapes of an error body (an object, a list of one, a plain text); `raw` stands in for unknown ones. */
export function readProviderWords(body: unknown, raw: string): ProviderWords {
  const outer = asObject(Array.isArray(body) ? body[0] : body);
  const inner = asObject(outer.error);
  const sources = [inner, asObject(inner.innererror), asObject(inner.metadata), outer];
  const said = [...sources.flatMap(fieldsOf), asText(outer.error)].filter((text) => text !== "");
  const words = (said.length > 0 ? said.join("\n") : raw).slice(0, LONGEST_WORDS).toLowerCase();
  const reason = sources.flatMap((source) => [source.code, source.type]).find(isIdentifier);
  return reason === undefined ? { words } : { words, reason };
}

function isIdentifier(value: unknown): value is string {
  // "error" is the name of an envelope; it tells nothing.
  return typeof value === "string" && IDENTIFIER.test(value) && value !== "error";
}

function fieldsOf(source: JsonObject): readonly string[] {
  const { code, type, param, message, detail, reasons } = source;
  return [code, type, param, message, detail, ...[...asArray(detail), ...asArray(reasons)].map(wordsOfItem)].map(
    asText,
  );
}

/** Validation errors come as `{loc: ["body", "seed"], msg, input}`; `input` is the prompt, so it is left out. */
function wordsOfItem(item: unknown): string {
  if (typeof item === "string") return item;
  const { loc, msg, type } = asObject(item);
  return [...asArray(loc), msg, type].filter((part) => typeof part === "string").join(" ");
}
