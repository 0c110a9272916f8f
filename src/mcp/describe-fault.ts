// One line about one wrong argument: which, what must be sent, what arrived.
import type * as z from "zod";
import { cutAt } from "../text/quote.ts";

const SHOWN_UNITS = 40;

/** `older_than_days: must be a number, not the text "30 days".` */
export function describeFault(issue: z.core.$ZodIssue, value: unknown): string {
  const place = issue.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  const found = followPath(value, issue.path.slice(1));
  const name = place === "" ? "" : `${shorten(place.slice(1))}: `;
  return `${name}${issue.message.replace(/\.$/, "")}${place === "" ? "" : `, not ${describeValue(found)}`}.`;
}

function followPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

/** Type and short value. Looks no deeper than one level: an argument may be megabytes. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (typeof value === "string") return value === "" ? "an empty text" : `the text ${JSON.stringify(shorten(value))}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  return `${typeof value === "boolean" ? "" : "the number "}${String(value)}`;
}

export function shorten(text: string): string {
  return text.length <= SHOWN_UNITS ? text : `${cutAt(text, SHOWN_UNITS)}...`;
}
