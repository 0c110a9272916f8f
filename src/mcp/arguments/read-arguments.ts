// From whatever a client sent as arguments to the input of a tool, or to one error that names everything wrong at once:
// the parameter, what arrived, what to send, with a call to copy. Unknown keys do not fail a call; they are reported.
import type * as z from "zod";
import { CompactError } from "../../errors.ts";
import { nearest } from "../../text/nearest-name.ts";
import { isRecord, NO_OBJECT } from "../loosen-message.ts";
import type { Tool } from "../tool.ts";
import { bareSchema, coerceArgument } from "./coerce-argument.ts";
import { describeFault, describeValue, shorten } from "./describe-fault.ts";
import { exampleArguments, exampleCall, isRequired } from "./example-call.ts";
import { underOwnNames } from "./own-names.ts";

export interface ReadArguments {
  readonly input: Readonly<Record<string, unknown>>;
  /** About keys that no parameter has; a line each, at most `MOST_NAMED`. */
  readonly notes: readonly string[];
}

const MOST_NAMED = 5;
const MOST_FAULTS = 10;
const LONGEST_NAME = 60;

/** Throws `InvalidInput` (`INVALID_ARGUMENTS`). */
export function readArguments(tool: Tool, given: unknown): ReadArguments {
  const { shape } = tool.input;
  if (isRecord(given) && Object.hasOwn(given, NO_OBJECT)) throw refuseForm(tool, given[NO_OBJECT]);
  const sent = underOwnNames(tool, Object.entries(given ?? {}));
  const known = sent.filter(([key]) => Object.hasOwn(shape, key));
  const unknown = sent.filter(([key]) => !Object.hasOwn(shape, key)).map(([key]) => key);
  refuseTrial(tool, sent);
  const coerced = Object.fromEntries(
    known.flatMap(([key, value]) => (isAbsent(tool, key, value) ? [] : [[key, coerceIn(tool, key, value)]])),
  );
  const parsed = tool.input.safeParse(coerced);
  if (!parsed.success) throw refuse(tool, parsed.error.issues, { sent: Object.fromEntries(known), coerced, unknown });
  return { input: parsed.data, notes: unknown.length === 0 ? [] : describeUnknown(tool, unknown) };
}

function refuseForm(tool: Tool, given: unknown): CompactError {
  return new CompactError(
    "InvalidInput",
    `${tool.name} was not carried out, nothing has changed: "arguments" must be an object, not ${describeValue(given)}.`,
    {
      code: "INVALID_ARGUMENTS",
      hint: `Example: {"name": "${tool.name}", "arguments": ${exampleArguments(tool)}}`,
      data: { parameters: [] },
    },
  );
}

/**
 * The exception: whoever asks a tool that changes something only to try it, and the tool knows no trials, must not find
 * it done.
 */
function refuseTrial({ name, input, hints }: Tool, sent: readonly (readonly [string, unknown])[]): void {
  if (hints.isReadOnly) return;
  const [asked] = sent.find(([key, value]) => TRIAL.test(key) && !Object.hasOwn(input.shape, key) && isOn(value)) ?? [];
  if (asked === undefined) return;
  throw new CompactError("InvalidInput", `${name} has no ${asked}: it was not carried out, nothing has changed.`, {
    code: "INVALID_ARGUMENTS",
    hint: `Leave ${asked} out to carry it out.`,
    data: { parameters: [asked] },
  });
}

const TRIAL = /^(?:dry_?run|preview|simulate|what_?if)$/i;

function isOn(value: unknown): boolean {
  return !["", "0", "false", "null"].includes(String(value).trim().toLowerCase());
}

function coerceIn({ input }: Tool, key: string, value: unknown): unknown {
  const schema = input.shape[key];
  return schema === undefined ? value : coerceArgument(value, schema);
}

/**
 * Clients fill what they have no value for with null or an empty text. A text parameter may be meant to be empty, and
 * null may be a parameter's own value. A blank cursor is no place in an answer, so it is none.
 */
function isAbsent(tool: Tool, key: string, value: unknown): boolean {
  const schema = tool.input.shape[key];
  if (schema === undefined || isRequired(tool, key)) return false;
  const { schema: bare, takesNull } = bareSchema(schema);
  if (value === null) return !takesNull;
  if (key === "cursor" && typeof value === "string") return value.trim() === "";
  return value === "" && ["number", "boolean", "array", "object", "record", "enum"].includes(bare._zod.def.type);
}

interface Arrived {
  /** As they came, of known parameters. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly coerced: Readonly<Record<string, unknown>>;
  readonly unknown: readonly string[];
}

function refuse(tool: Tool, issues: readonly z.core.$ZodIssue[], { sent, coerced, unknown }: Arrived): CompactError {
  const lines = issues.slice(0, MOST_FAULTS).map((issue) => {
    const [key] = issue.path;
    if (typeof key !== "string") return describeFault(issue, undefined);
    // What is wrong inside a list that came as text is found in the list.
    const value = issue.path.length > 1 ? coerced[key] : sent[key];
    return describeMissing(tool, key, value, unknown) ?? describeFault(issue, value);
  });
  const wrong = issues.flatMap(({ path: [key] }) => (typeof key === "string" ? [key] : []));
  const meant = new Set(wrong.map((key) => misspelt(key, unknown)));
  const others = unknown.filter((key) => !meant.has(key));
  const left = issues.length - lines.length;
  return new CompactError(
    "InvalidInput",
    [
      `${tool.name} was not carried out, nothing has changed:`,
      ...lines.map((line) => `- ${line}`),
      ...(left > 0 ? [`- and ${left} more.`] : []),
      ...(others.length > 0 ? describeUnknown(tool, others).map((line) => `- ${line}`) : []),
    ].join("\n"),
    { code: "INVALID_ARGUMENTS", hint: `Example: ${exampleCall(tool, wrong)}`, data: { parameters: wrong } },
  );
}

/** Undefined unless a required parameter is what is missing. */
function describeMissing(tool: Tool, key: string, value: unknown, unknown: readonly string[]): string | undefined {
  if ((value !== undefined && value !== null) || !isRequired(tool, key)) return undefined;
  const meant = misspelt(key, unknown);
  const arrived = value === null ? " (null arrived)" : "";
  return meant === undefined
    ? `${key}: is required and missing${arrived}.`
    : `${key}: is required and missing; ${JSON.stringify(meant)} arrived, did you mean ${key}?`;
}

function misspelt(key: string, unknown: readonly string[]): string | undefined {
  return unknown.find((name) => near(name, [key]) !== undefined);
}

function describeUnknown({ name, input }: Tool, unknown: readonly string[]): readonly string[] {
  const known = Object.keys(input.shape);
  const lines = unknown.slice(0, MOST_NAMED).map((key) => {
    const meant = near(key, known);
    const question = meant === undefined ? "" : ` Did you mean ${meant}?`;
    return `${JSON.stringify(shorten(key))} is not a parameter of ${name} and was ignored.${question}`;
  });
  const left = unknown.length - lines.length;
  return left === 0 ? lines : [...lines, `${left} more unknown parameters were ignored.`];
}

/** A very long name is near everything. */
function near(name: string, known: readonly string[]): string | undefined {
  return name.length > LONGEST_NAME ? undefined : nearest(name, known);
}
