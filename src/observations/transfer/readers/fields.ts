// Reads single fields of unknown objects into column values: texts mended, times in the store's shape, numbers in
// their range. What is not what it should be is absent; `typedFields` says so, the others leave that to the caller.

import type { JsonObject } from "../../../formats/json-shape.ts";
import { toWellFormed } from "../../../text/well-formed.ts";
import { readTime } from "../../../time.ts";
import { storedTime } from "../../observation.ts";
import type { ImportLog } from "../import-log.ts";

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

/** Fields of one object; one that is there, but of another type, is noted by name and read as absent. */
export interface TypedFields {
  text(field: string): string | undefined;
  /** The first that is a text with more than white space in it. */
  filled(fields: readonly string[]): string | undefined;
  /** At least 1. */
  counter(field: string): number;
}

export function typedFields(item: JsonObject, position: string, log: ImportLog): TypedFields {
  const check = (field: string, type: "string" | "number") => {
    const written = own(item, field);
    if (written !== undefined && written !== null && typeof written !== type) noteWrongType(field, position, log);
    return written;
  };
  return {
    text: (field) => textOf(check(field, "string")),
    filled(fields) {
      for (const field of fields) {
        const text = textOf(check(field, "string"));
        if (text !== undefined && text.trim() !== "") return text;
      }
      return undefined;
    },
    counter: (field) => counterOf(check(field, "number")),
  };
}

export function noteWrongType(field: string, position: string, log: ImportLog): void {
  log.note(`field of a wrong type: ${field}`, position);
}

/** The id that the store can keep. What else stands there only names the row inside of the file, which is said. */
export function keptId(item: JsonObject, position: string, log: ImportLog): number | undefined {
  const written = own(item, "id");
  const id = idOf(written);
  if (id !== undefined || written === undefined || written === null || written === "") return id;
  if (keyOf(written) === undefined) noteWrongType("id", position, log);
  else log.drop("id (not a number that the store can keep)");
  return undefined;
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
