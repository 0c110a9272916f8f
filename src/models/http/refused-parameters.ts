// Some models refuse parameters that others need: `max_tokens` (its newer name is wanted), `temperature`, `seed`. No
// list of models stays true, so the parameter is sent, and left out from then on when the provider names it in a
// refusal.

/** Parameters that an adapter can do without or rename. */
export type Refusable = "max_tokens" | "temperature" | "seed";

const REFUSING = new Set([400, 422]);

// "max_tokens is too large" names the parameter as well, but another name for it would not help.
const UNSUPPORTED_PHRASES = [
  "max_completion_tokens",
  "unsupported",
  "not supported",
  "not support",
  "unrecognized",
  "unknown",
  "unexpected",
  "not permitted",
  "deprecated",
];

/** The parameter to leave out of a repeated request. Undefined when the refusal is about something else. `words` in lower case. */
export function refusedParameter(
  status: number,
  words: string,
  candidates: readonly Refusable[],
): Refusable | undefined {
  if (!REFUSING.has(status)) return undefined;
  return candidates.find((name) => namesWord(words, name) && (name !== "max_tokens" || isUnsupported(words)));
}

function isUnsupported(words: string): boolean {
  return !words.includes("too large") && UNSUPPORTED_PHRASES.some((phrase) => words.includes(phrase));
}

/** The name as a word of its own: "seed", not "seeded". */
function namesWord(words: string, name: string): boolean {
  const isPartOfWord = (character: string | undefined): boolean =>
    character !== undefined && /[a-z0-9_]/.test(character);
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1)) {
    if (!isPartOfWord(words[at - 1]) && !isPartOfWord(words[at + name.length])) return true;
  }
  return false;
}
