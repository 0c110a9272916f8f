// A record as every store gives it back: plain JSON, whole characters, no NUL. A log that stored anything else would find
// another record at the next import of the same file.

import { toWellFormed } from "../../text/cut.ts";
import { isNestedDeeper } from "../../text/nesting.ts";

const MOST_LEVELS = 100;
const NUL = "\u0000";
const REPLACEMENT = "\ufffd";

/** Undefined where it is nested deeper than any record means to be. */
export function cleanRecord(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  return isNestedDeeper(raw, MOST_LEVELS) ? undefined : (clean(raw) as Readonly<Record<string, unknown>>);
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : clean(item)));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  // By definition, so that `__proto__` is a key like others.
  return Object.fromEntries(entries.map(([key, item]) => [cleanText(key), clean(item)]));
}

export function cleanText(text: string): string {
  const whole = toWellFormed(text);
  return whole.includes(NUL) ? whole.replaceAll(NUL, REPLACEMENT) : whole;
}
