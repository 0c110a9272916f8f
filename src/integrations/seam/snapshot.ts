// Whether a message still says what it said when it was looked at: hosts change messages in place, too. Texts are shared
// by copy and message, so that comparing long ones costs nothing as long as nobody replaced them.
import { isObject } from "../../formats/json-shape.ts";

/** Deeper in a message, and in objects of a class, only a new object is a change. */
const DEPTH = 12;

export function snapshotOf(value: unknown, depth = DEPTH): unknown {
  if (Array.isArray(value)) return depth === 0 ? value : value.map((item: unknown) => snapshotOf(item, depth - 1));
  if (!isOpen(value, depth)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, snapshotOf(field, depth - 1)]));
}

export function isAsBefore(value: unknown, snapshot: unknown, depth = DEPTH): boolean {
  if (Object.is(value, snapshot)) return true;
  if (Array.isArray(value)) {
    if (!Array.isArray(snapshot) || depth === 0 || value.length !== snapshot.length) return false;
    return value.every((item, at) => isAsBefore(item, snapshot[at], depth - 1));
  }
  if (!isOpen(value, depth) || !isObject(snapshot)) return false;
  const fields = Object.entries(value);
  if (fields.length !== Object.keys(snapshot).length) return false;
  return fields.every(([key, field]) => Object.hasOwn(snapshot, key) && isAsBefore(field, snapshot[key], depth - 1));
}

/** The message itself may be of a class. */
function isOpen(value: unknown, depth: number): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || depth === 0) return false;
  if (depth === DEPTH) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
