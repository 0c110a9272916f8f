// Reads what a function or a client library threw: by HTTP status, then by system code, then by wording. What nothing
// is known about is MODEL_REJECTED: a bug in a user's function is not worth three calls.
import type { CompactError } from "../../errors.ts";
import { retryAfterOf } from "../http/retry-after.ts";
import { asObject } from "../json-object.ts";
import type { ModelFailureCode } from "../model.ts";
import { modelFailure } from "./model-failure.ts";
import { chainOf, findNetworkFailure } from "./network-failure.ts";
import { isAboutFilter, isAboutLength, readProviderWords } from "./provider-words.ts";
import { codeOfStatus, hintForFailure } from "./status-failure.ts";

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

export interface ThrownOptions {
  /** The thrown value becomes the `cause`. Not for libraries whose errors hold the request. */
  readonly keepsCause: boolean;
}

/** `what` opens the message: `The model "x"`. */
export function readThrown(what: string, error: unknown, options: ThrownOptions): CompactError {
  const words = wordsOf(error);
  const reading = readStatus(error, words) ?? readNetwork(error) ?? readName(error) ?? readWording(words);
  const { code, status, reason } = reading;
  const seen = [status === undefined ? undefined : String(status), reason].filter((part) => part !== undefined);
  return modelFailure(code, `${what} failed${seen.length === 0 ? "" : ` (${seen.join(", ")})`}`, {
    hint: hintFor(reading, words, options),
    status,
    reason,
    retryAfterMs: retryAfterIn(error, Date.now),
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
  for (const link of chainOf(error)) {
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

const readNetwork = (error: unknown): Reading | undefined => findNetworkFailure(error);

function readName(error: unknown): Reading | undefined {
  for (const { name } of chainOf(error)) {
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
  const said = chainOf(error).map((link) => {
    const body = typeof link.responseBody === "string" ? link.responseBody.slice(0, LONGEST_MESSAGE) : "";
    return `${readProviderWords(link, "").words}\n${body}`;
  });
  return said.join("\n").toLowerCase();
}

function retryAfterIn(error: unknown, now: () => number): number | undefined {
  for (const { retryAfterMs, headers, responseHeaders, response } of chainOf(error)) {
    if (typeof retryAfterMs === "number" && retryAfterMs >= 0) return retryAfterMs;
    for (const candidate of [headers, responseHeaders, asObject(response).headers]) {
      const found = retryAfterOf(candidate, now);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
