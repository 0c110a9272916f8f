// Reads what a function or a client library threw: by HTTP status, then by system code, then by wording. What nothing
// is known about is MODEL_REJECTED: a bug in a user's function is not worth three calls.
import { CompactError } from "../errors.ts";
import { causesOf, retryAfterOf } from "../http-client.ts";
import { asArray, asText, type JsonObject, withoutUndefined } from "../text/json-values.ts";
import { asObject, type FinishReason, MODEL_FAILURE_CODES, type ModelFailureCode } from "./model.ts";

const LONGEST_MESSAGE = 2_048;

const STATUS_IN_FRONT = /^\s{0,8}(?:error[:\s]\s{0,4})?([45]\d\d)\b/im;
const STATUS_NAMED =
  /\b(?:status(?: code)?|https?(?:\/\d(?:\.\d)?)?|code|error|with|got|returned)[\s:=(]{1,3}([45]\d\d)\b/i;
const TIMEOUT_WORDS = /\btime[ -]?d?[ -]?out\b|\betimedout\b|\bdeadline exceeded\b/i;
const BREAK_WORDS =
  /\bnetwork\b|\bfetch failed\b|\bfailed to fetch\b|\bload failed\b|\bsocket\b|\bconnection (?:error|reset|refused|closed|lost|aborted|terminated)\b|\bcannot connect\b|\bECONN[A-Z]{3,12}\b|\bterminated\b|\boverloaded\b|\brate.?limit|\btoo many requests\b|\btry again\b|\bunavailable\b|\bbad gateway\b|\binternal server error\b/i;

/** Errors of the `ai` package that tell by their name what went wrong; their messages may hold answers. */
const NAMED: Readonly<Record<string, ModelFailureCode>> = {
  AI_JSONParseError: "MODEL_UNAVAILABLE",
  AI_EmptyResponseBodyError: "MODEL_UNAVAILABLE",
  TimeoutError: "MODEL_TIMEOUT",
  // Whoever aborted, it was not the caller: the function has a time-out of its own.
  AbortError: "MODEL_TIMEOUT",
};

interface Reading {
  readonly code: ModelFailureCode;
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
}

interface ThrownOptions {
  /** Tokens that the answer was allowed to take. */
  readonly maxTokens: number;
  /** The thrown value becomes the `cause`. Not for libraries whose errors hold the request. */
  readonly keepsCause: boolean;
}

/** `what` opens the message: `The model "x"`. */
export function readThrown(what: string, error: unknown, options: ThrownOptions): CompactError {
  const words = wordsOf(error);
  const reading = readStatus(error, words) ?? findNetworkFailure(error) ?? readName(error) ?? readWording(words);
  const { code, status, reason }: Reading = reading;
  const seen = [status === undefined ? undefined : String(status), reason].filter((part) => part !== undefined);
  return modelFailure(code, `${what} failed${seen.length === 0 ? "" : ` (${seen.join(", ")})`}`, {
    hint: hintFor(reading, words, options),
    status,
    reason,
    retryAfterMs: retryAfterIn(error, Date.now),
    maxOutputTokens: statedMost(words, options.maxTokens),
    cause: options.keepsCause ? error : undefined,
  });
}

function hintFor({ code, status }: Reading, words: string, options: ThrownOptions): string {
  if (code === "MODEL_REJECTED" && status === undefined) {
    return options.keepsCause
      ? "The error's `cause` is what was thrown; throw one with a `status` to say what it means."
      : "Check the model's name and settings, and that its API key is set.";
  }
  return hintForFailure(code, { status: status ?? 0, words });
}

function readStatus(error: unknown, words: string): Reading | undefined {
  for (const link of causesOf(error)) {
    const { status, statusCode, response, $metadata } = link;
    const found = [status, statusCode, asObject(response).status, asObject($metadata).httpStatusCode]
      .map((value) => (typeof value === "string" || typeof value === "number" ? Number(value) : 0))
      .find((number) => Number.isInteger(number) && number >= 400 && number <= 599);
    const code = found === undefined ? undefined : codeOfStatus(found, words);
    if (code !== undefined) return { code, status: found, reason: reasonOf(link) };
  }
  return undefined;
}

/** A provider's code, as the client libraries carry it. */
function reasonOf(link: Readonly<Record<string, unknown>>): string | undefined {
  return readProviderWords(link, "").reason ?? readProviderWords(link.data, "").reason;
}

function readName(error: unknown): Reading | undefined {
  for (const { name } of causesOf(error)) {
    const code = typeof name === "string" && Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    if (code !== undefined) return { code, reason: name as string };
  }
  return undefined;
}

function readWording(words: string): Reading {
  const named = STATUS_IN_FRONT.exec(words)?.[1] ?? STATUS_NAMED.exec(words)?.[1];
  const code = named === undefined ? undefined : codeOfStatus(Number(named), words);
  if (code !== undefined) return { code, status: Number(named) };
  if (isAboutLength(words)) return { code: "MODEL_INPUT_TOO_LONG" };
  if (isAboutFilter(words)) return { code: "MODEL_REFUSED" };
  if (TIMEOUT_WORDS.test(words)) return { code: "MODEL_TIMEOUT" };
  return { code: BREAK_WORDS.test(words) ? "MODEL_UNAVAILABLE" : "MODEL_REJECTED" };
}

/** Everything said in the chain, lower case, bounded. Decides only; never shown. */
function wordsOf(error: unknown): string {
  if (typeof error === "string") return error.slice(0, LONGEST_MESSAGE).toLowerCase();
  const said = causesOf(error).map((link) => {
    const body = typeof link.responseBody === "string" ? link.responseBody.slice(0, LONGEST_MESSAGE) : "";
    return `${readProviderWords(link, "").words}\n${body}`;
  });
  return said.join("\n").toLowerCase();
}

function retryAfterIn(error: unknown, now: () => number): number | undefined {
  for (const { retryAfterMs, headers, responseHeaders, response } of causesOf(error)) {
    if (typeof retryAfterMs === "number" && retryAfterMs >= 0) return retryAfterMs;
    for (const candidate of [headers, responseHeaders, asObject(response).headers]) {
      const found = retryAfterOf(candidate, now);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

// Which failure an HTTP status is, given what was said with it. Statuses alone mislead: a request that is too large
// comes as 400, 413, 429 or 500, and an account without money as 429.

const TRANSIENT = new Set([408, 409, 425, 429]);
const NEVER_ABOUT_LENGTH = new Set([401, 402, 403, 404, 407]);
const FILTERED = new Set([400, 403, 422, 451]);

/** `words` in lower case. Undefined for a status that is no failure. */
export function codeOfStatus(status: number, words: string): ModelFailureCode | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 413 || (!NEVER_ABOUT_LENGTH.has(status) && isAboutLength(words))) return "MODEL_INPUT_TOO_LONG";
  if (FILTERED.has(status) && isAboutFilter(words)) return "MODEL_REFUSED";
  if (isAboutMoney(words)) return "MODEL_REJECTED";
  return TRANSIENT.has(status) || status >= 500 ? "MODEL_UNAVAILABLE" : "MODEL_REJECTED";
}

export const WRONG_PLACE_HINT = "Check the base URL: this is not where the model answers.";

interface HintFacts {
  readonly status: number;
  readonly words: string;
  /** What names the key to the user: an environment variable. Absent where we hold none. */
  readonly keyName?: string;
}

/** What to do about it, one sentence. */
export function hintForFailure(code: ModelFailureCode, { status, words, keyName }: HintFacts): string {
  if (code === "MODEL_INPUT_TOO_LONG")
    return "Give the model's real window as maxContextTokens, or use a model with a larger one.";
  if (code === "MODEL_REFUSED") return "The provider's content filter stopped it; the same text will be stopped again.";
  if (code === "MODEL_UNAVAILABLE" || code === "MODEL_TIMEOUT")
    return "Try again later; see the provider's status page.";
  return hintForRejection(status, words, keyName === undefined ? "the API key" : `the API key (${keyName})`);
}

function hintForRejection(status: number, words: string, key: string): string {
  if (status === 402 || isAboutMoney(words))
    return "The account has no credit or quota left: see the provider's billing page.";
  if (status === 401 || status === 407) return `Check ${key}: it is missing, wrong or expired.`;
  if (status === 403) return `Check ${key} and whether it may use this model.`;
  if (status === 404) {
    return "Check the model's name (is it pulled, deployed, loaded?) and the base URL (most end in /v1).";
  }
  if (status === 405 || (status >= 300 && status < 400)) return WRONG_PLACE_HINT;
  return "Check the model's name, its limits (maxOutputTokens) and the base URL.";
}

// Recognises failures of the network in what was thrown, by system code: of Node and of its fetch, which hides the
// code in `cause`, and of other runtimes, which give a message only.

const TIMEOUTS = new Set([
  "ETIMEDOUT",
  "ESOCKETTIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

const BREAKS = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "ENETUNREACH",
  "ENETDOWN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_NETWORK",
  "ConnectionRefused",
  "ConnectionClosed",
]);

interface NetworkFailure {
  readonly code: ModelFailureCode;
  /** The system code found. */
  readonly reason: string;
}

/** Undefined when no system code of the network stands anywhere in the chain. */
export function findNetworkFailure(error: unknown): NetworkFailure | undefined {
  for (const link of causesOf(error)) {
    const reason = link.code;
    if (typeof reason !== "string") continue;
    if (TIMEOUTS.has(reason)) return { code: "MODEL_TIMEOUT", reason };
    // Broken compressed bodies (Z_) and broken HTTP (HPE_) come from peers that died half-way.
    if (BREAKS.has(reason) || /^(?:UND_ERR_|HPE_|Z_|ERR_HTTP2_|ERR_SSL_)/.test(reason)) {
      return { code: "MODEL_UNAVAILABLE", reason };
    }
  }
  return undefined;
}

// What a provider's error says, reduced to what decides: the words that were said about length, filters and money, and
// an error code fit to be shown. Providers agree on nothing here, so the phrases of many are listed.

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
const isAboutFilter = (words: string): boolean => holds(words, FILTER_PHRASES);
const isAboutMoney = (words: string): boolean => holds(words, MONEY_PHRASES);

function holds(words: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => words.includes(phrase));
}

const CAP_NAMED = /max(?:imum)?[ _-]?(?:(?:output|completion|new)[ _-]?)?tokens|(?:output|completion) tokens/;
/** Whole numbers that are no part of a name, a date or a version. */
const NUMBERS = /(?<![\w.-])(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?![\w-]|[.,]\d)/g;
const BELOW = /exclusive|(?:lower|less|smaller) than \W?\d/;
/** Less is no limit of an answer, but the other end of a range. */
const LEAST_CAP = 16;

/** The most tokens of an answer that a refusal states, if it says that `asked` is too many: the greatest number under it. */
export function statedMost(words: string, asked: number): number | undefined {
  if (!CAP_NAMED.test(words)) return undefined;
  const numbers = [...words.matchAll(NUMBERS)].map(([digits]) => Number(digits.replaceAll(",", "")));
  // What is said of the whole window counts the input with it.
  if (isAboutLength(words) && new Set(numbers).size > 1) return undefined;
  const most = Math.max(...numbers.filter((number) => number >= LEAST_CAP && number < asked));
  if (!Number.isFinite(most)) return undefined;
  return BELOW.test(words) ? most - 1 : most;
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

// Makes the one error that a model call fails with. Nothing that a prompt, an answer or a key holds may be
// handed in here.

interface FailureDetails {
  readonly hint?: string | undefined;
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** How long the provider asks to wait, milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** What the provider says it gives at most, where more was asked of it. */
  readonly maxOutputTokens?: number | undefined;
  /** A name from a closed vocabulary: a system code (`ECONNRESET`) or a provider's error code. */
  readonly reason?: string | undefined;
  /** Only what belongs to the caller (his own function's error): a provider's error objects hold prompts. */
  readonly cause?: unknown;
}

export function modelFailure(code: ModelFailureCode, message: string, details: FailureDetails = {}): CompactError {
  const { hint, status, retryAfterMs, maxOutputTokens, reason, cause } = details;
  const data = withoutUndefined({ status, retryAfterMs, maxOutputTokens, reason });
  return new CompactError("SummarizationFailed", message, { code, ...withoutUndefined({ hint }), data, cause });
}

const codes: ReadonlySet<string> = new Set(MODEL_FAILURE_CODES);

/** True for what a `Model` may throw; other errors of ours (a missing package, a bad setting) are not about the call. */
export function isModelFailure(error: unknown): error is CompactError {
  return CompactError.isInstance(error) && error.kind === "SummarizationFailed" && codes.has(error.code);
}

// Why an answer ended, from the names that providers give it.

/** `unknown` for what the table lacks. */
export function finishFrom(table: Readonly<Record<string, FinishReason>>, reason: unknown): FinishReason {
  return typeof reason === "string" && Object.hasOwn(table, reason) ? (table[reason] ?? "unknown") : "unknown";
}

/** The window ended before the cap did: a larger cap would not help, less input does. */
export function windowFull(): CompactError {
  return modelFailure("MODEL_INPUT_TOO_LONG", "The model's window was full before its answer was complete", {
    hint: "Give the model's real window as maxContextTokens, or use a model with a larger one.",
  });
}
