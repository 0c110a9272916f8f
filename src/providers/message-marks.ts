// Marks on message objects that live beside them, in weak sets: providers reject unknown fields, and kept
// messages stay as they came. A mark is lost when a list is written to a file; `meta.protected` is not.
import { isObject, type JsonObject } from "../text/json-values.ts";

const protectedMessages = new WeakSet<object>();
const hostWrittenMessages = new WeakSet<object>();

/** Marks `message` as never to be removed by a compaction. The object itself is not touched; returns it. */
export function markProtected<T extends object>(message: T): T {
  protectedMessages.add(message);
  return message;
}

/** True for objects given to `markProtected`, and for copies of them that this package made. */
export function isMarkedProtected(message: unknown): boolean {
  return typeof message === "object" && message !== null && protectedMessages.has(message);
}

/** Marks a user message that no person wrote (a host's own summary, a reminder, a note made by healing). */
export function markHostWritten<T extends object>(message: T): T {
  hostWrittenMessages.add(message);
  return message;
}

export function isHostWritten(message: unknown): boolean {
  return typeof message === "object" && message !== null && hostWrittenMessages.has(message);
}

/** True when the message says itself that it must stay (`meta.protected`), or was marked so. */
export function isProtectedMessage(message: unknown): boolean {
  if (isMarkedProtected(message)) return true;
  return isObject(message) && isObject(message.meta) && message.meta.protected === true;
}

/** A copy of `message` with `fields` set, its marks carried over. Key order stays. */
export function copyWith(message: JsonObject, fields: JsonObject): JsonObject {
  return carryMarks(message, { ...message, ...fields });
}

/** The same object where the field has this value already. */
export function withField(message: JsonObject, field: string, value: unknown): JsonObject {
  return value === message[field] ? message : copyWith(message, { [field]: value });
}

/** A copy of `message` without `field`, its marks carried over. */
export function withoutField(message: JsonObject, field: string): JsonObject {
  const { [field]: _gone, ...rest } = message;
  return carryMarks(message, rest);
}

/**
 * A copy in which no list and no object is one of `message`'s, its marks carried over. What stands under a symbol, or is
 * no plain object, stays the same.
 */
export function detach(message: unknown): unknown {
  const copies = new Map<unknown, unknown>();
  const waiting: Record<string, unknown>[] = [];
  const copyOf = (value: unknown): unknown => {
    if (!isPlain(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const copy = carryMarks(value, Array.isArray(value) ? [...value] : { ...value });
    copies.set(value, copy);
    waiting.push(copy as Record<string, unknown>);
    return copy;
  };
  const copied = copyOf(message);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const key of Object.keys(next)) next[key] = copyOf(next[key]);
  }
  return copied;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

export function carryMarks<T extends object>(from: object, to: T): T {
  if (protectedMessages.has(from)) protectedMessages.add(to);
  if (hostWrittenMessages.has(from)) hostWrittenMessages.add(to);
  return to;
}

// Marks for the provider's cache are no content: a caller moves them along its list from call to call.

const CACHE_MARKS: readonly string[] = ["cache_control", "prompt_cache_breakpoint"];

/** The message without marks for the cache on its blocks, or on those of the results in it; the same object if it has none. */
export function withoutMarks(message: JsonObject): JsonObject {
  let bare = message;
  for (const mark of CACHE_MARKS) {
    if (!(mark in bare)) continue;
    const { [mark]: _, ...rest } = bare;
    bare = carryMarks(message, rest);
  }
  for (const field of ["content", "output"]) {
    const blocks = bare[field];
    if (!Array.isArray(blocks)) continue;
    const without = blocks.map((block: unknown) => (isObject(block) ? withoutMarks(block) : block));
    if (without.some((block, at) => block !== blocks[at])) bare = copyWith(bare, { [field]: without });
  }
  return bare;
}
