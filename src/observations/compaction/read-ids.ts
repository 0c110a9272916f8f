// Reads lists of ids as clients send them: a real array or its JSON as text. Anything that is not exactly a list of
// whole positive numbers is refused as a whole, since a wrong reading would delete somebody's notes.
import { CompactError } from "../../errors.ts";

/** Most ids of one compaction. */
export const MOST_COMPACTED = 200;

/** Distinct ids in their order. Throws `InvalidInput` that names the parameter and what is wrong with it. */
export function readIds(name: string, value: unknown, most: number): readonly number[] {
  const list = typeof value === "string" ? parse(name, value) : value;
  if (!Array.isArray(list)) throw refuse(name, `it is ${kindOf(list)}`);
  if (list.length === 0) throw new CompactError("InvalidInput", `'${name}' array is empty.`, hint(name));
  const wrong = list.findIndex((id) => !Number.isSafeInteger(id) || id < 1);
  if (wrong >= 0) throw refuse(name, `element ${wrong + 1} is ${shown(list[wrong])}`);
  const ids = [...new Set(list as number[])];
  if (ids.length <= most) return ids;
  throw new CompactError("InvalidInput", `Cannot take more than ${most} observations at once, got ${ids.length}.`, {
    code: "TOO_MANY_IDS",
    hint: `Call again with at most ${most} ids in '${name}', then with the rest.`,
  });
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(name, "the text is not JSON");
  }
}

function refuse(name: string, what: string): CompactError {
  return new CompactError(
    "InvalidInput",
    `'${name}' must be a valid JSON array of integers, e.g. "[1, 2, 3]"; ${what}.`,
    hint(name),
  );
}

function hint(name: string) {
  return { code: "INVALID_IDS", hint: `Send the ids of observations as ${name}: [1, 2, 3].` };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return "a text";
  return typeof value === "number" ? `the number ${value}` : kindOf(value);
}
