// One line about one wrong argument: which, what must be sent, what arrived.
import type * as z from "zod";
import { cutAt } from "../text/quote.ts";

const SHOWN_UNITS = 40;

/** `older_than_days: must be a number, not the text "30 days".` */
export function describeFault(issue: z.core.$ZodIssue, value: unknown): string {
  const place = issue.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  const found = followPath(value, issue.path.slice(1));
  const name = place === "" ? "" : `${shorten(place.slice(1))}: `;
  return `${name}${demandOf(issue)}${place === "" ? "" : `, not ${describeValue(found)}`}.`;
}

/** What a tool's author wrote himself is kept; zod's own sentences begin with these words. */
function demandOf(issue: z.core.$ZodIssue): string {
  if (!/^(?:Invalid|Too (?:small|big)|Unrecognized)/.test(issue.message)) return issue.message.replace(/\.$/, "");
  if (issue.code === "invalid_type") return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value")
    return `must be one of ${issue.values.map((one) => JSON.stringify(one)).join(", ")}`;
  if (issue.code === "invalid_union") return `must be ${unionOf(issue)}`;
  const bound = /expected .* to (?:be|have) ([<>]=?)(.*)$/.exec(cutAt(issue.message, 200));
  if (bound === null) return issue.message;
  return `must ${issue.message.includes(" to have ") ? "have " : "be "}${BOUNDS[bound[1] ?? ""]} ${bound[2]}`;
}

const TYPES: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const BOUNDS: Readonly<Record<string, string>> = {
  ">": "more than",
  ">=": "at least",
  "<": "less than",
  "<=": "at most",
};

function unionOf({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const expected = errors
    .flat()
    .flatMap((issue) => (issue.code === "invalid_type" ? [TYPES[issue.expected] ?? issue.expected] : []));
  return [...new Set(expected)].join(" or ") || "of another form";
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
