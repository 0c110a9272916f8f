// From whatever a client sent as arguments to the input of a tool, or to one error that names everything wrong at once:
// the parameter, what arrived, what to send, with a call to copy. Unknown keys do not fail a call; they are reported.
import * as z from "zod";
import { coerceText } from "../config/environment.ts";
import { CompactError } from "../errors.ts";
import { nearest } from "../text/nearest-name.ts";
import { describeFault, describeValue, shorten } from "./describe-fault.ts";
import type { Tool } from "./tool.ts";

interface ReadArguments {
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

// Arguments under the names that their tool has for them: some tools take other names besides, those of the wire whose
// method they carry.

type Sent = readonly (readonly [string, unknown])[];

/** Throws `InvalidInput` (`INVALID_ARGUMENTS`) where two names of one parameter say different things. */
function underOwnNames(tool: Tool, sent: Sent): Sent {
  const { input, aliases = {} } = tool;
  const owners = new Map(Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name])));
  const values = new Map<string, { readonly key: string; readonly value: unknown }>();
  for (const [key, value] of sent) {
    const name = Object.hasOwn(input.shape, key) ? key : (owners.get(key) ?? key);
    const other = values.get(name);
    if (other === undefined || other.value === null) values.set(name, { key, value });
    else if (value !== null && JSON.stringify(other.value) !== JSON.stringify(value))
      throw refuseConflict(tool, other.key, key);
  }
  return [...values].map(([name, { value }]) => [name, value]);
}

function refuseConflict(tool: Tool, one: string, other: string): CompactError {
  return new CompactError(
    "InvalidInput",
    `${tool.name} was not carried out, nothing has changed: ${one} and ${other} are one parameter and say different things.`,
    { code: "INVALID_ARGUMENTS", hint: `Example: ${exampleCall(tool, [])}`, data: { parameters: [one, other] } },
  );
}

// Arguments that clients send as text although the schema says otherwise: "30", "false", "[1,2]". What is not plainly
// meant stays as it came, and the schema refuses it. Unions are left alone: which member is meant is the tool's to say.

/** The type below `optional`, `default` and the like, and whether null has a meaning of its own. */
interface BareSchema {
  readonly schema: z.core.$ZodType;
  readonly takesNull: boolean;
}

const WRAPPER_TYPES = ["optional", "nullable", "default", "prefault", "nonoptional", "readonly", "catch"];

function bareSchema(schema: z.core.$ZodType): BareSchema {
  let takesNull = false;
  let current = schema;
  while (WRAPPER_TYPES.includes(current._zod.def.type)) {
    takesNull ||= current._zod.def.type === "nullable";
    current = (current._zod.def as z.core.$ZodOptionalDef).innerType;
  }
  if (current._zod.def.type === "union") {
    takesNull ||= (current._zod.def as z.core.$ZodUnionDef).options.some((option) => option._zod.def.type === "null");
  }
  return { schema: current, takesNull };
}

function coerceArgument(value: unknown, schema: z.core.$ZodType): unknown {
  const { type } = bareSchema(schema).schema._zod.def;
  if (type === "number") return typeof value === "string" ? coerceNumber(value) : value;
  if (type === "boolean") return coerceBoolean(value);
  if (type === "array") return typeof value === "string" ? coerceList(value, schema) : value;
  if (type === "object" || type === "record") return typeof value === "string" ? coerceJson(value, "{") : value;
  return value;
}

/** Digits that a number cannot hold stay text: rounded, an id would be another row's. */
function coerceNumber(text: string): unknown {
  const number = coerceText(text, "number");
  return typeof number === "number" && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : text;
}

/** "false" is false: taken for true, as any text is elsewhere, a trial run would delete. */
function coerceBoolean(value: unknown): unknown {
  if (value === 0 || value === 1) return value === 1;
  if (typeof value !== "string") return value;
  return { true: true, false: false, "1": true, "0": false }[value.trim().toLowerCase()] ?? value;
}

/** A choice by its name is a list of one: no other text of such a list is meant by it. */
function coerceList(text: string, schema: z.core.$ZodType): unknown {
  const { element } = bareSchema(schema).schema._zod.def as z.core.$ZodArrayDef;
  const values = bareSchema(element).schema._zod.values;
  return values?.has(text.trim()) === true ? [text.trim()] : coerceJson(text, "[");
}

function coerceJson(text: string, opening: "[" | "{"): unknown {
  if (!text.trimStart().startsWith(opening)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// An example of a call, made from the schema: what a model can copy after its own call was refused.

/** `mem_compact {"older_than_days": 30}`: the required parameters, and the others that are asked for. */
function exampleCall(tool: Tool, also: readonly string[]): string {
  return `${tool.name} ${exampleArguments(tool, also)}`;
}

export function exampleArguments(tool: Tool, also: readonly string[] = []): string {
  const keys = Object.keys(tool.input.shape).filter((key) => isRequired(tool, key) || also.includes(key));
  const pairs = keys.map(
    (key) => `${JSON.stringify(key)}: ${JSON.stringify(exampleValue(tool.input.shape[key], key))}`,
  );
  return `{${pairs.join(", ")}}`;
}

function isRequired({ input }: Tool, key: string): boolean {
  const schema = input.shape[key];
  return schema !== undefined && !z.safeParse(schema, undefined).success;
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
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
