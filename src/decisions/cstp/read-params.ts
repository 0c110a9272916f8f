// From whatever a client sent as params to those of a method, or to one error that names what is wrong. Keys may be written
// in camelCase or snake_case, scalars as text; null and blank are as absent. Keys that no parameter has come
// after them.
import type * as z from "zod";
import { CompactError } from "../../errors.ts";
import { misspelt } from "../../text/nearest-name.ts";
import { cutAt } from "../../text/quote.ts";
import type { CstpMethod } from "./method.ts";

type Given = Readonly<Record<string, unknown>>;
type Sent = readonly (readonly [string, unknown])[];

const MOST_FAULTS = 5;
/** Names that an answer lists. */
const MOST_IGNORED = 50;

interface ReadCall<Params extends z.ZodObject> {
  readonly params: z.infer<Params>;
  /** What was sent and is no part of `params`, by its names. */
  readonly ignored: readonly string[];
}

/** Throws `InvalidInput` (`INVALID_PARAMS`). */
export function readParams<Params extends z.ZodObject>(method: CstpMethod<Params>, given: Given): z.infer<Params> {
  return readCall(method, given).params;
}

/** Throws `InvalidInput` (`INVALID_PARAMS`). */
export function readCall<Params extends z.ZodObject>(method: CstpMethod<Params>, given: Given): ReadCall<Params> {
  const { shape } = method.params;
  const sent = sentOf(shape, given);
  const known = new Set(Object.keys(shape).flatMap(namesOf));
  const unknown = sent.filter(([key]) => !known.has(key));
  refuseMisspelt(method, unknown);
  const values = Object.entries(shape).flatMap(([name, schema]) => {
    const value = sentValue(method, sent, name, schema);
    return value === undefined ? [] : [[name, value] as const];
  });
  const read = Object.fromEntries(values);
  const parsed = method.params.safeParse(read);
  if (!parsed.success) throw refusedValues(method.name, parsed.error.issues, new Set(values.map(([name]) => name)));
  const ignored = [...unknown.map(([key]) => shown(key)), ...droppedKeys(read, parsed.data)];
  return { params: parsed.data, ignored: [...new Set(ignored)].slice(0, MOST_IGNORED) };
}

/** All that is not null. Some clients put what restricts an answer into a block of its own. */
function sentOf(shape: z.core.$ZodShape, given: Given): Sent {
  const { filters, ...rest } = given;
  const hasBlock = !Object.hasOwn(shape, "filters") && isObject(filters);
  const blocks = hasBlock ? [rest, filters] : [given];
  return blocks.flatMap((block) => Object.entries(block)).filter(([, value]) => value !== undefined && value !== null);
}

/** Undefined for what is absent or blank under each of its names. */
function sentValue(
  { name: method, exact }: Pick<CstpMethod, "name" | "exact">,
  sent: Sent,
  name: string,
  schema: z.core.$ZodType,
): unknown {
  const names = namesOf(name);
  const isExact = exact?.includes(name) === true;
  const read = sent
    .filter(([key]) => names.includes(key))
    .map(([key, value]) => [key, isExact ? value : readValue(value, schema)] as const)
    .filter(([, value]) => isExact || !isBlank(value, schema));
  const [[, first] = []] = read;
  const spelt = new Set(read.map(([, value]) => JSON.stringify(value)));
  if (spelt.size <= 1) return first;
  const keys = [...new Set(read.map(([key]) => key))];
  throw new CompactError("InvalidInput", `${contradicting(keys)}.`, {
    code: "INVALID_PARAMS",
    hint: `Send ${name} once. See the parameters of ${method}.`,
    data: { parameters: keys },
  });
}

function readValue(value: unknown, schema: z.core.$ZodType): unknown {
  return takesAnything(schema) ? value : coerceScalar(withoutBlanks(value), schema);
}

function contradicting(keys: readonly string[]): string {
  if (keys.length === 1) return `${keys[0]} stands beside filters and in them, with another value`;
  return `${keys.join(" and ")} are one parameter and say different things`;
}

/** Of an optional parameter; a required one is refused as it is. */
function isBlank(value: unknown, schema: z.core.$ZodType): boolean {
  return typeof value === "string" && value.trim() === "" && schema._zod.def.type === "optional";
}

function refusedValues(name: string, issues: readonly z.core.$ZodIssue[], present: ReadonlySet<string>): CompactError {
  const faults = issues.slice(0, MOST_FAULTS).map(({ path, message }) => {
    const [parameter] = path;
    const isMissing = path.length === 1 && !present.has(String(parameter));
    return `${placeOf(path)} ${isMissing ? "is required" : message}`;
  });
  const more = issues.length > faults.length ? `; and ${issues.length - faults.length} more` : "";
  return new CompactError("InvalidInput", `${faults.join("; ")}${more}`, {
    code: "INVALID_PARAMS",
    hint: `See the parameters of ${name}.`,
    data: { parameters: [...new Set(issues.map(({ path }) => String(path[0] ?? "")))] },
  });
}

function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${String(step)}`))
    .join("");
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Keys that no parameter has. Most are ignored, since clients of other servers send some; one that is plainly a slip of the
// hand is refused, as is a trial of what knows no trials: ignored, it would run for real what was only to be looked at.

/** More keys than any client sends by mistake. */
const MOST_LOOKED_AT = 200;
const LONGEST_KEY = 60;
/** Reasons are lists of objects: no parameter with a form of its own is deeper. */
const DEEPEST_KEY = 3;
const TRIAL = /^(?:dry|dry[-_ ]?run|preview|simulate|trial|what[-_]?if)$/i;

type Called = Pick<CstpMethod, "name" | "params" | "hints">;

/** `unknown`: what was sent under names that no parameter has. Throws `InvalidInput` (`INVALID_PARAMS`). */
function refuseMisspelt(method: Called, unknown: Sent): void {
  const names = Object.keys(method.params.shape).flatMap((name) =>
    namesOf(name).map((known) => [known, name] as const),
  );
  const known = names.map(([one]) => one);
  const faults = unknown.slice(0, MOST_LOOKED_AT).flatMap(([key]) => {
    const meant = isRecordField(key) ? undefined : misspelt(key, known);
    return meant === undefined ? [] : [{ key, meant: names.find(([one]) => one === meant)?.[1] ?? meant }];
  });
  if (faults.length > 0) {
    const told = faults
      .slice(0, MOST_FAULTS)
      .map(({ key, meant }) => `${shown(key)} is not a parameter, did you mean ${meant}?`);
    throw refusedKeys(
      told.join(" "),
      `See the parameters of ${method.name}.`,
      faults.map(({ key }) => shown(key)),
    );
  }
  refuseTrial(method, unknown);
}

function refuseTrial({ name, params, hints }: Called, unknown: Sent): void {
  if (hints.isReadOnly) return;
  const [asked] = unknown.find(([key, value]) => TRIAL.test(key) && isOn(value)) ?? [];
  if (asked === undefined) return;
  const remedy = Object.hasOwn(params.shape, "dryRun") ? "Send dryRun: true to try it" : "It knows no trials";
  throw refusedKeys(
    `${asked} is not a parameter of ${name}; nothing was done.`,
    `${remedy}; leave ${asked} out to carry it out.`,
    [asked],
  );
}

function isOn(value: unknown): boolean {
  return !["", "0", "false", "null", "undefined"].includes(String(value).trim().toLowerCase());
}

function refusedKeys(message: string, hint: string, parameters: readonly string[]): CompactError {
  return new CompactError("InvalidInput", message, { code: "INVALID_PARAMS", hint, data: { parameters } });
}

/** Places of what was sent and is not in what was read, as `reasons[0].weight`. */
function droppedKeys(sent: unknown, read: unknown, place = "", depth = 0): readonly string[] {
  if (depth > DEEPEST_KEY || !isParent(sent) || !isParent(read)) return [];
  return Object.keys(sent).flatMap((key) => {
    const inner = Array.isArray(sent) ? `${place}[${key}]` : `${place === "" ? "" : `${place}.`}${shown(key)}`;
    if (!Object.hasOwn(read, key)) return [inner];
    return droppedKeys(sent[key], read[key], inner, depth + 1);
  });
}

function shown(key: string): string {
  return key.length <= LONGEST_KEY ? key : `${cutAt(key, LONGEST_KEY)}...`;
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

// Under which names a parameter may arrive: its own, the same in snake_case, and those that records and other servers have
// for it.

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  decisionId: ["id"],
  recordedBy: ["agent"],
  reviewedBy: ["agent"],
  notes: ["reviewNotes", "review_notes"],
};

/** Its own first. */
export function namesOf(parameter: string): readonly string[] {
  return [...new Set([parameter, snakeCase(parameter), ...(ALIASES[parameter] ?? [])])];
}

/** What a record of a decision holds. A client that sends a whole record has misspelt none of these. */
const RECORD_FIELDS = [
  ...["id", "summary", "decision", "category", "confidence", "stakes", "status", "date", "createdAt", "context"],
  ...["reasons", "trace", "deliberation", "bridge", "relatedTo", "kpiIndicators", "mentalState", "reviewBy", "tags"],
  ...["pattern", "preDecision", "recordedBy", "project", "feature", "pr", "file", "line", "commit", "preserve"],
  ...["outcome", "reviewedAt", "actualResult", "lessons", "reviewNotes", "affectedKpis", "reviewedBy"],
  ...["supersedes", "supersededBy"],
];

/** In either spelling. */
function isRecordField(key: string): boolean {
  return RECORD_FIELDS.some((field) => key === field || key === snakeCase(field));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// Numbers and booleans that clients send as text, and a single value in a list of its own. What is not plainly meant stays
// as it came, and the schema refuses it.

const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})$/;
const WRAPPERS = ["optional", "nullable", "default", "readonly"];

/** "30" is 30, "false" is false. */
function coerceScalar(value: unknown, schema: z.core.$ZodType): unknown {
  const type = bareType(schema);
  if (type === "number") return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
  if (type === "boolean") return coerceBoolean(value);
  if (type === "enum") return typeof value === "string" ? value.trim().toLowerCase() : value;
  if (type === "string" && Array.isArray(value) && value.length === 1) return value[0];
  return type === "string" && typeof value === "number" ? String(value) : value;
}

function coerceBoolean(value: unknown): unknown {
  if (value === 0 || value === 1) return value === 1;
  if (typeof value !== "string") return value;
  return { true: true, false: false, "1": true, "0": false }[value.trim().toLowerCase()] ?? value;
}

/** Values of any kind, kept as they came: what stands for nothing elsewhere may be meant here. */
function takesAnything(schema: z.core.$ZodType): boolean {
  const { def } = bare(schema)._zod;
  if (def.type === "array") return takesAnything((def as z.core.$ZodArrayDef).element);
  if (def.type === "record") return takesAnything((def as z.core.$ZodRecordDef).valueType);
  return def.type === "unknown";
}

function bareType(schema: z.core.$ZodType): string {
  return bare(schema)._zod.def.type;
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  return WRAPPERS.includes(def.type) ? bare((def as z.core.$ZodOptionalDef).innerType) : schema;
}

// Lists and objects without the nulls and empty texts by which some clients fill what they have no value for.

/** Deeper than any parameter with a form of its own; below it everything stays as it is. */
const DEEPEST_VALUE = 3;

/** Scalars stay as they are. */
function withoutBlanks(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST_VALUE) return value;
  if (Array.isArray(value)) return value.filter(isFilled).map((item) => withoutBlanks(item, depth + 1));
  const filled = Object.entries(value).filter(([, item]) => isFilled(item));
  return Object.fromEntries(filled.map(([key, item]) => [key, withoutBlanks(item, depth + 1)]));
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(typeof value === "string" && value.trim() === "");
}
