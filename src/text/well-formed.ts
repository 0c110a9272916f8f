// Finds and mends lone surrogates: strings that no provider, file or database accepts as UTF-8.
// Looks at whole JSON values too, copying only what has to change.

// With the u flag a surrogate matches only where it stands alone, so this is one linear pass.
const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Deeper than any message; a bound so that hostile nesting cannot exhaust the stack. */
const MAX_DEPTH = 500;

/** False when `text` holds half a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** `text` with every lone surrogate replaced by U+FFFD; the same length in UTF-16 units. */
export function toWellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(LONE_SURROGATES, "\uFFFD");
}

/** True when every string in a JSON value, keys included, is well-formed (down to 500 levels). */
export function isWellFormedValue(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return isWellFormed(value);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return true;
  if (Array.isArray(value)) return value.every((item) => isWellFormedValue(item, depth + 1));
  return Object.entries(value).every(([key, item]) => isWellFormed(key) && isWellFormedValue(item, depth + 1));
}

/** A JSON value with all its strings well-formed. What needs no change is the same object. */
export function toWellFormedValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return toWellFormed(value);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (isWellFormedValue(value, depth)) return value;
  if (Array.isArray(value)) return value.map((item) => toWellFormedValue(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [toWellFormed(key), toWellFormedValue(item, depth + 1)]);
  return Object.fromEntries(entries);
}
