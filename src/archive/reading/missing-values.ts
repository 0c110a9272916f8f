// Lists what an archive cannot give back: the values that redaction took out before archiving.
import { REDACTION_MARK } from "../../text/redaction-mark.ts";

export interface MissingValue {
  /** 1-based number in the restored list. */
  readonly message: number;
  /** JSON path of the string (or of the key): `$.content[0].text`. */
  readonly path: string;
  /** `redacted`: the string lacks a secret. `unreadable`: the archived line is damaged, the message is left out. */
  readonly reason: "redacted" | "unreadable";
  /** How many secrets this string lacks. */
  readonly count: number;
}

/** The redacted values of one message, in document order. */
export function missingValues(message: unknown, number: number): readonly MissingValue[] {
  const missing: MissingValue[] = [];
  const stack: Place[] = [{ value: message, path: "$" }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path, key } = next;
    const count = marksIn(value) + marksIn(key);
    if (count > 0) missing.push({ message: number, path, reason: "redacted", count });
    for (const place of placesIn(value, path).reverse()) stack.push(place);
  }
  return missing;
}

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly key?: string;
}

function marksIn(text: unknown): number {
  return typeof text === "string" ? text.split(REDACTION_MARK).length - 1 : 0;
}

function placesIn(value: unknown, path: string): Place[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => ({ value: item, path: `${path}[${index}]` }));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([key, child]) => ({ value: child, path: path + pathStep(key), key }));
}

function pathStep(key: string): string {
  return /^[A-Za-z_]\w{0,99}$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
