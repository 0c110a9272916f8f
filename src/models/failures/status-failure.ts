// Which failure an HTTP status is, given what was said with it. Statuses alone mislead: a request that is too large
// comes as 400, 413, 429 or 500, and an account without money as 429.
import type { ModelFailureCode } from "../model.ts";
import { isAboutFilter, isAboutLength, isAboutMoney } from "./provider-words.ts";

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

export interface HintFacts {
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
