// From whatever a client sent to the parameters of an operation: names in any of their spellings, scalars and lists as
// text, null and blanks for nothing. What is not plainly meant stays as it came, and the schema refuses it. How a refusal is
// worded is the surface's to say: a model gets a call to copy (mcp/read-arguments.ts), a program a code and a sentence
// (decisions/methods.ts).
import * as z from "zod";
import { coerceText } from "../config/coerce.ts";
import type { CompactError } from "../errors.ts";
import { figure } from "../text/figures.ts";
import { MESSAGE_LIMITS, parseJson } from "../text/parse-json.ts";
import type { Operation } from "./operation.ts";

/** Names and values in the order in which they came. A name may stand twice. */
export type Sent = readonly (readonly [string, unknown])[];

/** Why a call is refused before anything is done. */
export type Refusal =
  | {
      readonly kind: "contradiction";
      readonly parameter: string;
      /** The names under which different values came; one name that came twice stands once. */
      readonly keys: readonly string[];
    }
  | { readonly kind: "trial"; readonly key: string }
  | {
      readonly kind: "invalid";
      readonly issues: readonly z.core.$ZodIssue[];
      /** By parameter, as they came. */
      readonly sent: Readonly<Record<string, unknown>>;
      /** By parameter, as they were checked. */
      readonly read: Readonly<Record<string, unknown>>;
    };

export interface ReadOptions {
  /** Also for a text that may be empty: absent. */
  readonly blankIsAbsent?: boolean;
  /** `unknown`: names that no parameter has. */
  readonly refuse: (refusal: Refusal, unknown: readonly string[]) => CompactError;
}

interface ReadParameters<Params extends z.ZodObject> {
  readonly params: z.infer<Params>;
  /** By parameter, before the schema took what it knows of it. */
  readonly read: Readonly<Record<string, unknown>>;
  /** Names that no parameter has, as they came. */
  readonly unknown: readonly string[];
}

/** Throws what `refuse` makes. */
export function readParameters<Params extends z.ZodObject>(
  operation: Operation<Params>,
  sent: Sent,
  options: ReadOptions,
): ReadParameters<Params> {
  const { params } = operation;
  const unknown = sent.flatMap(([key]) => (ownName(operation, key) === undefined ? [key] : []));
  const refuse = (refusal: Refusal) => options.refuse(refusal, unknown);
  const trial = operation.hints.isReadOnly
    ? undefined
    : sent.find(([key, value]) => asksForTrial(operation, key, value));
  if (trial !== undefined) throw refuse({ kind: "trial", key: trial[0] });
  const values = byParameter(operation, sent, options.blankIsAbsent === true, refuse);
  const read = Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
  const parsed = params.safeParse(read, { error: demandOf });
  if (parsed.success) return { params: parsed.data, read, unknown };
  const came = Object.fromEntries([...values].map(([name, { sent }]) => [name, sent]));
  throw refuse({ kind: "invalid", issues: parsed.error.issues, sent: came, read });
}

const TYPES: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const UNITS: Readonly<Record<string, string>> = { string: " characters", array: " items" };

/** Completes the sentence that starts with the name of a parameter, unless its schema has words of its own. */
function demandOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.inst instanceof z.ZodNumberFormat ? "int" : issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_union": {
      const types = issue.errors.flat().filter(({ code }) => code === "invalid_type");
      return (
        [...new Set(types.map(({ message }) => message))].join(" or ").replaceAll(" or must be ", " or ") ||
        "must be of another form"
      );
    }
    case "too_small":
      return boundOf(issue.inclusive === false ? "more than" : "at least", Number(issue.minimum), issue.origin);
    case "too_big":
      return boundOf(issue.inclusive === false ? "less than" : "at most", Number(issue.maximum), issue.origin);
    default:
      return undefined;
  }
}

function boundOf(words: string, bound: number, origin: string): string {
  const unit = UNITS[origin];
  return `must ${unit === undefined ? "be" : "have"} ${words} ${figure(bound)}${unit ?? ""}`;
}

export function parameterPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${String(step)}`))
    .join("");
}

interface SentValue {
  readonly key: string;
  readonly sent: unknown;
  readonly value: unknown;
}

function byParameter(
  operation: Operation,
  sent: Sent,
  blankIsAbsent: boolean,
  refuse: (refusal: Refusal) => CompactError,
): ReadonlyMap<string, SentValue> {
  const values = new Map<string, SentValue>();
  for (const [key, given] of sent) {
    const name = ownName(operation, key);
    const schema = name === undefined ? undefined : operation.params.shape[name];
    if (name === undefined || schema === undefined) continue;
    const isExact = operation.exact?.includes(name) === true;
    const value = isExact ? given : coerce(given, schema);
    if (!isExact && isAbsent(value, schema, { name, blankIsAbsent })) continue;
    const other = values.get(name);
    if (other === undefined || other.value === null) values.set(name, { key, sent: given, value });
    else if (value !== null && JSON.stringify(other.value) !== JSON.stringify(value))
      throw refuse({ kind: "contradiction", parameter: name, keys: [...new Set([other.key, key])] });
  }
  return values;
}

/** The parameter that a name stands for. */
function ownName({ params, aliases = {} }: Operation, key: string): string | undefined {
  if (Object.hasOwn(params.shape, key)) return key;
  return Object.keys(aliases).find((name) => aliases[name]?.includes(key));
}

/** Whoever asks an operation that changes something only to try it, and it knows no trials, must not find it done. */
function asksForTrial(operation: Operation, key: string, value: unknown): boolean {
  if (!TRIAL.test(key) || ownName(operation, key) !== undefined) return false;
  return !["", "0", "false", "null", "undefined"].includes(String(value).trim().toLowerCase());
}

const TRIAL = /^(?:dry|dry[-_ ]?run|preview|simulate|trial|what[-_]?if)$/i;

export function isRequired({ params }: Operation, name: string): boolean {
  const schema = params.shape[name];
  return schema !== undefined && !z.safeParse(schema, undefined).success;
}

interface AbsentOptions {
  readonly name: string;
  readonly blankIsAbsent: boolean;
}

/**
 * Clients fill what they have no value for with null or an empty text. Null may be a parameter's own value, and a text may
 * be meant to be empty; a blank cursor counts as absent. A required parameter is never absent: the schema refuses its value.
 */
function isAbsent(value: unknown, schema: z.core.$ZodType, { name, blankIsAbsent }: AbsentOptions): boolean {
  if (value === undefined) return true;
  if (!z.safeParse(schema, undefined).success) return false;
  const { schema: bare, takesNull } = bareSchema(schema);
  if (value === null) return !takesNull;
  if (typeof value !== "string" || value.trim() !== "") return false;
  if (blankIsAbsent || name === "cursor") return true;
  return value === "" && ["number", "boolean", "array", "object", "record", "enum"].includes(bare._zod.def.type);
}

// Values that clients send in another form than the schema says: "30", "false", "[1,2]", a list of one in place of its
// value, nulls and blanks inside of lists. Unions are left alone: which member is meant is the operation's to say.

/** The type below `optional`, `default` and the like, and whether null has a meaning of its own. */
interface BareSchema {
  readonly schema: z.core.$ZodType;
  readonly takesNull: boolean;
}

const WRAPPER_TYPES = ["optional", "nullable", "default", "prefault", "nonoptional", "readonly", "catch"];

export function bareSchema(schema: z.core.$ZodType): BareSchema {
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

function coerce(value: unknown, schema: z.core.$ZodType): unknown {
  const { schema: bare } = bareSchema(schema);
  switch (bare._zod.def.type) {
    case "number":
      return typeof value === "string" ? coerceNumber(value) : value;
    case "boolean":
      return coerceBoolean(value);
    case "enum":
      return typeof value === "string" ? coerceChoice(value, bare) : value;
    case "string":
      return coerceString(value);
    case "array":
      return withoutBlanks(typeof value === "string" ? coerceList(value, bare) : value, bare);
    case "object":
    case "record":
      return withoutBlanks(typeof value === "string" ? coerceJson(value, "{") : value, bare);
    default:
      return value;
  }
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

/** In any case. */
function coerceChoice(text: string, schema: z.core.$ZodType): string {
  const asked = text.trim().toLowerCase();
  const choice = [...(schema._zod.values ?? [])].find((one) => String(one).toLowerCase() === asked);
  return choice === undefined ? text : String(choice);
}

function coerceString(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1) return value[0];
  return typeof value === "number" ? String(value) : value;
}

/** A choice by its name is a list of one: no other text of such a list is meant by it. */
function coerceList(text: string, schema: z.core.$ZodType): unknown {
  const { element } = schema._zod.def as z.core.$ZodArrayDef;
  const values = bareSchema(element).schema._zod.values;
  return values?.has(text.trim()) === true ? [text.trim()] : coerceJson(text, "[");
}

function coerceJson(text: string, opening: "[" | "{"): unknown {
  if (!text.trimStart().startsWith(opening)) return text;
  try {
    return parseJson(text, MESSAGE_LIMITS);
  } catch {
    return text;
  }
}

/** Deeper than any parameter with a form of its own; below it everything stays as it is. */
const DEEPEST_VALUE = 3;

function withoutBlanks(value: unknown, schema: z.core.$ZodType): unknown {
  return takesAnything(schema) ? value : withoutBlankItems(value, 0);
}

function withoutBlankItems(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST_VALUE) return value;
  if (Array.isArray(value)) return value.filter(isFilled).map((item) => withoutBlankItems(item, depth + 1));
  const filled = Object.entries(value).filter(([, item]) => isFilled(item));
  return Object.fromEntries(filled.map(([key, item]) => [key, withoutBlankItems(item, depth + 1)]));
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === "string" && value.trim() === "");
}

/** Values of any kind, kept as they came: what stands for nothing elsewhere may be meant here. */
function takesAnything(schema: z.core.$ZodType): boolean {
  const { def } = bareSchema(schema).schema._zod;
  if (def.type === "array") return takesAnything((def as z.core.$ZodArrayDef).element);
  if (def.type === "record") return takesAnything((def as z.core.$ZodRecordDef).valueType);
  return def.type === "unknown";
}
