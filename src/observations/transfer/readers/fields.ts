// Reads single fields of unknown objects into column values: texts mended, times in the store's shape, numbers in
// their range. What is not what it should be is absent; saying so is left to the caller.

import type { JsonObject } from "../../../formats/json-shape.ts";
import { toWellFormed } from "../../../text/well-formed.ts";
import { readTime } from "../../../time.ts";
import { storedTime } from "../../observation.ts";

/** The store counts on from its highest id, so a file's id must leave it room below the last exact integer. */
const HIGHEST_ID = 2 ** 48;
const MOST_COUNTED = 2 ** 31 - 1;

/** A text, mended where it holds half a character. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? toWellFormed(value) : undefined;
}

/** The first of the fields that is a text with more than white space in it. */
export function filledText(item: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const text = ownText(item, field);
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}

/** A field of the object's own; `__proto__` and what every object inherits are none. */
export function own(item: JsonObject, field: string): unknown {
  return Object.hasOwn(item, field) ? item[field] : undefined;
}

export function ownText(item: JsonObject, field: string): string | undefined {
  return textOf(own(item, field));
}

/** A whole number from 1, also in digits, that the store can keep as an id. */
export function idOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 && number <= HIGHEST_ID
    ? number
    : undefined;
}

/** What relations may call a row by. */
export function keyOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A counter of the reference: at least 1. */
export function counterOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1 ? Math.min(value, MOST_COUNTED) : 1;
}

/** `YYYY-MM-DD HH:MM:SS`, or undefined where the time is missing or unreadable. */
export function timeOf(value: unknown): string | undefined {
  const at = readTime(value);
  return at === undefined || at < FIRST || at > LAST ? undefined : storedTime(at);
}

/** What years of four digits can say, offsets taken off. */
const FIRST = Date.UTC(100, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
