// Makes a record small enough for a post: long strings, long lists and then everything else are cut until it fits, with
// a marker where something is missing. A span that is too large arrives shorter; it is never lost.
import { cutAt, toWellFormed } from "../../text/cut.ts";

export const CUT_MARKER = "... [truncated]";

export interface Room {
  /** Of each string, in UTF-8 bytes and without the marker. */
  readonly stringBytes: number;
  /** Of each list. */
  readonly items: number;
  /** Of each object. */
  readonly keys: number;
}

/** From generous to what surely fits: no event has 32 fields that hold lists of lists. */
const ROOMS: readonly Room[] = [
  { stringBytes: 90_000, items: 20_000, keys: 1_000 },
  { stringBytes: 45_000, items: 5_000, keys: 500 },
  { stringBytes: 15_000, items: 1_000, keys: 100 },
  { stringBytes: 4_000, items: 100, keys: 64 },
  { stringBytes: 500, items: 10, keys: 32 },
  { stringBytes: 50, items: 1, keys: 16 },
];

const encoder = new TextEncoder();

export interface Encoded {
  readonly json: string;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
}

/** The first record of `recordFor` that is at most `maxBytes` as JSON. Undefined when not even the smallest is. */
export function fitRecord(recordFor: (room: Room) => unknown, maxBytes: number): Encoded | undefined {
  for (const room of ROOMS) {
    const json = JSON.stringify(recordFor(room));
    const bytes = utf8Length(json);
    if (bytes <= maxBytes) return { json, bytes };
  }
  return undefined;
}

/** A copy in that room, without what JSON and the viewer do not have: `undefined`, and `null` in an object. */
export function fitValue(value: unknown, room: Room): unknown {
  if (typeof value === "string") return cutToBytes(value, room.stringBytes);
  if (Array.isArray(value)) {
    const items = value.slice(0, room.items).map((item) => fitValue(item, room));
    return items.length < value.length ? [...items, CUT_MARKER] : items;
  }
  return typeof value === "object" && value !== null ? fitObject(value, room) : value;
}

export function fitObject(value: object, room: Room): Record<string, unknown> {
  const fitted: Record<string, unknown> = {};
  const keys = Object.keys(value);
  // Cut before anything is looked at: an object may have any number of keys.
  for (const key of keys.slice(0, room.keys)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === null || item === undefined) continue;
    Object.defineProperty(fitted, cutToBytes(key, room.stringBytes), { value: fitValue(item, room), enumerable: true });
  }
  return keys.length > room.keys ? { ...fitted, [CUT_MARKER]: keys.length - room.keys } : { ...fitted };
}

/**
 * The longest beginning of whole characters with at most `maxBytes` in UTF-8, and the marker where something is missing.
 * Well-formed, since a server may refuse a post for half a character.
 */
export function cutToBytes(text: string, maxBytes: number): string {
  // No unit takes more than three bytes.
  if (text.length * 3 <= maxBytes) return toWellFormed(text);
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return toWellFormed(read < text.length ? cutAt(text, read) + CUT_MARKER : text);
}

export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
