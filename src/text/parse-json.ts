// The way in for JSON and YAML from outside. How deep a text is and how many values it holds is looked at before anything is
// built of it: 300 KB of gzip can hold so many brackets that their lists take 12 GB.
import { CompactError } from "../errors.ts";
import { figure } from "./figures.ts";

export interface TextLimits {
  /** Levels of lists and objects in one another. */
  readonly depth: number;
  /** Lists, objects, and what commas and line ends divide. */
  readonly values: number;
}

/** A file, and what stands as JSON in a text of its own. The longest session that one string holds has half of these values. */
export const FILE_LIMITS: TextLimits = { depth: 250_000, values: 10_000_000 };

/** What a client sends: read while all others wait. */
export const MESSAGE_LIMITS: TextLimits = { depth: 100, values: 500_000 };

/** As `JSON.parse`. Throws `InvalidInput` (`TOO_DEEP`, `TOO_MANY_VALUES`) in its place for what is beyond the limits. */
export function parseJson(text: string, limits = FILE_LIMITS): unknown {
  // No text has more of them than letters.
  if (text.length > limits.depth) refuseExcess(text, limits);
  return JSON.parse(text);
}

/** `what`: the beginning of the sentence. Throws as `parseJson`. */
export function refuseExcess(text: string, limits = FILE_LIMITS, what = "The JSON"): void {
  const excess = findExcess(text, limits);
  if (excess === "depth")
    throw new CompactError("InvalidInput", `${what} is nested more than ${figure(limits.depth)} levels deep.`, {
      code: "TOO_DEEP",
      hint: "Take the nested field out of it, or write it as a text.",
    });
  if (excess === "values")
    throw new CompactError("InvalidInput", `${what} holds more than ${figure(limits.values)} values.`, {
      code: "TOO_MANY_VALUES",
      hint: "Split it, or take the long lists out of it.",
    });
}

const [LINE_END, QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  ...[10, 34, 44, 91, 92, 93, 123, 125],
];

/**
 * Which limit a text of JSON or JSON Lines goes beyond. Linear, and stops there. A string ends with its line, so that one
 * line that was cut hides nothing of the next.
 */
export function findExcess(text: string, { depth, values }: TextLimits): keyof TextLimits | undefined {
  let open = 0;
  let found = 0;
  let lineEnd = -1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      if (lineEnd < at) lineEnd = endOf(text, text.indexOf("\n", at));
      at = Math.min(stringEnd(text, at), lineEnd - 1);
    } else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      open++;
      found++;
      if (open > depth) return "depth";
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) open--;
    else if (unit === COMMA || unit === LINE_END) found++;
    if (found > values) return "values";
  }
  return undefined;
}

/** The closing quote of the string that begins at `start`, or the text's end. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slash = quote;
    while (slash > start + 1 && text.charCodeAt(slash - 1) === BACKSLASH) slash--;
    if ((quote - slash) % 2 === 0) return quote;
  }
  return text.length;
}

function endOf(text: string, found: number): number {
  return found < 0 ? text.length : found;
}

/** Deep enough for any record that a person writes, and far from where a parser that calls itself ends. */
export const YAML_LIMITS: TextLimits = { depth: 500, values: 200_000 };

/**
 * The same of YAML, where a quote may stand in the middle of a word, and a line of dashes is as many lists: what stands in
 * strings counts, too.
 */
export function findYamlExcess(text: string, { depth, values } = YAML_LIMITS): keyof TextLimits | undefined {
  let open = 0;
  let dashes = 0;
  let found = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "[" || character === "{") open++;
    else if (character === "]" || character === "}") open--;
    if (character === "-" || character === "?") dashes++;
    else if (character !== " ") dashes = 0;
    if (character === "[" || character === "{" || character === "," || character === "\n") found++;
    if (open > depth || dashes > depth) return "depth";
    if (found > values) return "values";
  }
  return undefined;
}
