// From whatever a client sent as arguments to the input of a tool, or to one error that names everything wrong at once:
// the parameter, what arrived, what to send, with a call to copy. Unknown keys do not fail a call; they are reported.
import * as z from "zod";
import { CompactError } from "../errors.ts";
import { bareSchema, isRequired, parameterPath, type Refusal, readParameters } from "../operations/read-parameters.ts";
import { nearest } from "../text/nearest-name.ts";
import { MESSAGE_LIMITS, parseJson } from "../text/parse-json.ts";
import { cutAt } from "../text/quote.ts";
import type { Tool } from "./tool.ts";

interface ReadArguments {
  readonly input: Readonly<Record<string, unknown>>;
  /** About keys that no parameter has; a line each, at most `MOST_NAMED`. */
  readonly notes: readonly string[];
}

const MOST_NAMED = 5;
const MOST_FAULTS = 10;
const LONGEST_NAME = 60;
const SHOWN_UNITS = 40;

/** Throws `InvalidInput` (`INVALID_ARGUMENTS`). */
export function readArguments(tool: Tool, given: unknown): ReadArguments {
  if (isRecord(given) && Object.hasOwn(given, NO_OBJECT)) throw refuseForm(tool, given[NO_OBJECT]);
  const { params, unknown } = readParameters(tool, Object.entries(given ?? {}), {
    refuse: (refusal, others) => refuse(tool, refusal, others),
  });
  return { input: params, notes: unknown.length === 0 ? [] : describeUnknown(tool, unknown) };
}

function refuseForm(tool: Tool, given: unknown): CompactError {
  const example = `{"name": "${tool.name}", "arguments": ${exampleArguments(tool)}}`;
  return refused(`${undone(tool)}: "arguments" must be an object, not ${describeValue(given)}.`, [], example);
}

function refuse(tool: Tool, refusal: Refusal, unknown: readonly string[]): CompactError {
  switch (refusal.kind) {
    case "trial":
      return new CompactError(
        "InvalidInput",
        `${tool.name} has no ${refusal.key}: it was not carried out, nothing has changed.`,
        {
          code: "INVALID_ARGUMENTS",
          hint: `Leave ${refusal.key} out to carry it out.`,
          data: { parameters: [refusal.key] },
        },
      );
    case "contradiction": {
      const { keys } = refusal;
      const message = `${undone(tool)}: ${keys.join(" and ")} are one parameter and say different things.`;
      return refused(message, keys, exampleCall(tool, []));
    }
    case "invalid":
      return refuseValues(tool, refusal, unknown);
  }
}

function undone({ name }: Tool): string {
  return `${name} was not carried out, nothing has changed`;
}

function refused(message: string, parameters: readonly string[], example: string): CompactError {
  return new CompactError("InvalidInput", message, {
    code: "INVALID_ARGUMENTS",
    hint: `Example: ${example}`,
    data: { parameters },
  });
}

function refuseValues(
  tool: Tool,
  { issues, sent, read }: Extract<Refusal, { readonly kind: "invalid" }>,
  unknown: readonly string[],
): CompactError {
  const lines = issues.slice(0, MOST_FAULTS).map((issue) => {
    const [key] = issue.path;
    if (typeof key !== "string") return describeFault(issue, undefined);
    // What is wrong inside a list that came as text is found in the list.
    const value = issue.path.length > 1 ? read[key] : sent[key];
    return describeMissing(tool, key, value, unknown) ?? describeFault(issue, value);
  });
  const wrong = issues.flatMap(({ path: [key] }) => (typeof key === "string" ? [key] : []));
  const meant = new Set(wrong.map((key) => misspelt(key, unknown)));
  const others = unknown.filter((key) => !meant.has(key));
  const left = issues.length - lines.length;
  const message = [
    `${undone(tool)}:`,
    ...lines.map((line) => `- ${line}`),
    ...(left > 0 ? [`- and ${left} more.`] : []),
    ...(others.length > 0 ? describeUnknown(tool, others).map((line) => `- ${line}`) : []),
  ].join("\n");
  return refused(message, wrong, exampleCall(tool, wrong));
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

function describeUnknown({ name, params }: Tool, unknown: readonly string[]): readonly string[] {
  const known = Object.keys(params.shape);
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

/** `mem_compact {"older_than_days": 30}`: the required parameters, and the others that are asked for. */
function exampleCall(tool: Tool, also: readonly string[]): string {
  return `${tool.name} ${exampleArguments(tool, also)}`;
}

export function exampleArguments(tool: Tool, also: readonly string[] = []): string {
  const keys = Object.keys(tool.params.shape).filter((key) => isRequired(tool, key) || also.includes(key));
  const pairs = keys.map(
    (key) => `${JSON.stringify(key)}: ${JSON.stringify(exampleValue(tool.params.shape[key], key))}`,
  );
  return `{${pairs.join(", ")}}`;
}

/** The first example that the schema names, else a value of the type. */
function exampleValue(schema: z.core.$ZodType | undefined, key: string): unknown {
  if (schema === undefined) return null;
  const bare = bareSchema(schema).schema;
  const named = (z.globalRegistry.get(schema) ?? z.globalRegistry.get(bare))?.examples;
  if (Array.isArray(named) && named.length > 0) return named[0];
  return typicalValue(bare, key);
}

function typicalValue(schema: z.core.$ZodType, key: string): unknown {
  const { def } = schema._zod;
  switch (def.type) {
    case "number":
      return key.endsWith("days") ? 30 : key.startsWith("max_tokens") ? 4000 : 1;
    case "boolean":
      return true;
    case "enum":
      return Object.values((def as z.core.$ZodEnumDef).entries)[0];
    case "literal":
      return (def as z.core.$ZodLiteralDef<z.core.util.Literal>).values[0];
    case "array":
      return [exampleValue((def as z.core.$ZodArrayDef).element, key)];
    case "object":
    case "record":
      return {};
    case "string":
      return "text";
    default:
      return key.endsWith("ids") ? [1, 2, 3] : "text";
  }
}

// One line about one wrong argument: which, what must be sent, what arrived.

/** `older_than_days: must be a number, not the text "30 days".` */
function describeFault(issue: z.core.$ZodIssue, value: unknown): string {
  const place = parameterPath(issue.path);
  const [name, arrived] =
    place === "" ? ["", ""] : [`${shorten(place)}: `, `, not ${describeValue(followPath(value, issue.path.slice(1)))}`];
  return `${name}${issue.message.replace(/\.$/, "")}${arrived}.`;
}

function followPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

/** Type and short value. Looks no deeper than one level: an argument may be megabytes. */
function describeValue(value: unknown): string {
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

// Forms of a call that clients send and the SDK refuses as protocol errors, which a model never sees: arguments that are
// null, an object written as text, or no object at all; no name, no parameters. What cannot be meant is passed on in a
// form that ours refuse, in words that a model can act on.

/** The key under which arguments arrive that are no object. */
const NO_OBJECT = "agent-compact/no-object";

export function loosenMessage(message: unknown): unknown {
  if (!isRecord(message) || message.method !== "tools/call") return message;
  const params = isRecord(message.params) ? message.params : {};
  const { arguments: given, ...others } = params;
  const name = typeof params.name === "string" ? params.name : "";
  return { ...message, params: { ...others, name, ...readGiven(given) } };
}

function readGiven(given: unknown): { readonly arguments?: unknown } {
  if (given === undefined || given === null) return {};
  if (isRecord(given)) return { arguments: given };
  return { arguments: (typeof given === "string" ? parseObject(given) : undefined) ?? { [NO_OBJECT]: given } };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const parsed: unknown = parseJson(text, MESSAGE_LIMITS);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
