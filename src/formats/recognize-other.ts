// Names the kinds of files that people try and that no format and no reader reads yet, so that the error can say what the
// file is. Looks at the first value only, or at the first lines of a text.
import type { JsonObject } from "./json-shape.ts";
import { isObject } from "./json-shape.ts";

interface KnownKind {
  readonly name: string;
  readonly fits: (value: JsonObject) => boolean;
}

const KINDS: readonly KnownKind[] = [
  { name: "a Gemini request", fits: (value) => Array.isArray(value.contents) },
  { name: "a request log", fits: (value) => isObject(value.request) && isObject(value.response) },
  { name: "a chat completion response", fits: (value) => Array.isArray(value.choices) },
];

/** A short name with its article ("a Gemini request") of a known kind that is not supported, or undefined. */
export function recognizeOther(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? KINDS.find((kind) => kind.fits(first))?.name : undefined;
}

const HEADING = /^#{1,6} \S/;
const ABOUT_TALK = /\b(?:chat|conversation|session|transcript)\b/i;
const SPEAKER = /^(?:#{1,6} |\*\*)(?:user|human|you|assistant|model|ai)\b/i;
const MOST_LINES = 200;
const LONGEST_LINE = 500;

/** The same for a text that is no JSON at all. */
export function recognizeText(text: string): string | undefined {
  const lines = text
    .slice(0, MOST_LINES * LONGEST_LINE)
    .trimStart()
    .split("\n", MOST_LINES);
  const first = (lines[0] ?? "").slice(0, LONGEST_LINE);
  if (!HEADING.test(first)) return undefined;
  return ABOUT_TALK.test(first) || lines.some((line) => SPEAKER.test(line)) ? "a Markdown chat log" : undefined;
}
