// From whatever a client sent as params to those of a method, or to one error that names what is wrong. Keys may be written
// in camelCase or snake_case, scalars as text; null and blank are as absent. What to do about keys that no parameter has is
// unknown-keys.ts.
import type * as z from "zod";
import { CompactError } from "../../../errors.ts";
import type { CstpMethod } from "../method.ts";
import { coerceScalar, takesAnything } from "./coerce-scalar.ts";
import { namesOf } from "./names.ts";
import { droppedKeys, refuseMisspelt, shown } from "./unknown-keys.ts";
import { withoutBlanks } from "./without-blanks.ts";

type Given = Readonly<Record<string, unknown>>;
type Sent = readonly (readonly [string, unknown])[];

const MOST_FAULTS = 5;
/** Names that an answer lists. */
const MOST_IGNORED = 50;

export interface ReadCall<Params extends z.ZodObject> {
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
  if (!parsed.success) throw refuse(method.name, parsed.error.issues, new Set(values.map(([name]) => name)));
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

function refuse(name: string, issues: readonly z.core.$ZodIssue[], present: ReadonlySet<string>): CompactError {
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
