// From whatever a client sent as params to those of a method, or to one error that names what is wrong. Keys may be written
// in camelCase or snake_case, scalars as text; null and blank are as absent; keys that no parameter has are ignored, as
// clients of other servers send some.
import type { z } from "zod";
import { CompactError } from "../../../errors.ts";
import type { CstpMethod } from "../method.ts";
import { coerceScalar } from "./coerce-scalar.ts";
import { withoutBlanks } from "./without-blanks.ts";

type Given = Readonly<Record<string, unknown>>;

/** Other names of a parameter, asked after its own two. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  decisionId: ["id"],
  recordedBy: ["agent"],
  reviewedBy: ["agent"],
};
const MOST_FAULTS = 5;

/** Throws `InvalidInput` (`INVALID_PARAMS`). */
export function readParams<Params extends z.ZodObject>(method: CstpMethod<Params>, given: Given): z.infer<Params> {
  const { shape } = method.params;
  const sent = withFilters(shape, given);
  const values = Object.entries(shape).flatMap(([name, schema]) => {
    const value = sentValue(sent, name);
    if (value === undefined) return [];
    if (method.exact?.includes(name)) return [[name, value] as const];
    const read = coerceScalar(withoutBlanks(value), schema);
    return isBlank(read, schema) ? [] : [[name, read] as const];
  });
  const parsed = method.params.safeParse(Object.fromEntries(values));
  if (parsed.success) return parsed.data;
  throw refuse(method.name, parsed.error.issues, new Set(values.map(([name]) => name)));
}

/** Some clients put what restricts an answer into a block of its own. */
function withFilters(shape: z.core.$ZodShape, given: Given): Given {
  const { filters, ...rest } = given;
  if (Object.hasOwn(shape, "filters") || !isObject(filters)) return given;
  return { ...filters, ...rest };
}

/** Undefined for what is absent under each of its names, or null. */
function sentValue(sent: Given, name: string): unknown {
  const names = [name, snakeCase(name), ...(ALIASES[name] ?? [])];
  return names
    .map((one) => (Object.hasOwn(sent, one) ? sent[one] : undefined))
    .find((value) => value !== undefined && value !== null);
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

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
