// Marks on message objects that live beside them, in weak sets: providers reject unknown fields, and kept
// messages stay as they came. A mark is lost when a list is written to a file; `meta.protected` is not.
import type { JsonObject } from "./json-shape.ts";
import { isObject } from "./json-shape.ts";

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

/** A copy of `message` without `field`, its marks carried over. */
export function withoutField(message: JsonObject, field: string): JsonObject {
  const { [field]: _gone, ...rest } = message;
  return carryMarks(message, rest);
}

export function carryMarks<T extends object>(from: object, to: T): T {
  if (protectedMessages.has(from)) protectedMessages.add(to);
  if (hostWrittenMessages.has(from)) hostWrittenMessages.add(to);
  return to;
}
