// `COMPACT_*` variables: each overrides one field and nothing around it. The only reader of the environment.
import { policySchema } from "./conversation-schema.ts";
import { toSnakeCase } from "./key-case.ts";

const TOP_LEVEL = ["model", "maxContextTokens", "reservedOutputTokens", "enabled"];

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Overlay {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly policy: Readonly<Record<string, unknown>>;
  /** Field path -> variable, so that an error can name its source. */
  readonly variables: ReadonlyMap<string, string>;
}

export function readEnvironment(environment: Environment = process.env): Overlay {
  const variables = new Map<string, string>();
  const take = (key: string, prefix: string): readonly [string, unknown][] => {
    const variable = `COMPACT_${toSnakeCase(key).toUpperCase()}`;
    const value = environment[variable];
    if (value === undefined) return [];
    variables.set(`${prefix}${toSnakeCase(key)}`, variable);
    return [[key, coerce(value.trim(), key)]];
  };
  const fields = Object.fromEntries(TOP_LEVEL.flatMap((key) => take(key, "")));
  const policy = Object.fromEntries(Object.keys(policySchema.shape).flatMap((key) => take(key, "policy.")));
  return { fields, policy, variables };
}

/** Text to what the field takes; text that is neither stays text, and the schema refuses it by name. */
function coerce(value: string, key: string): unknown {
  if (key === "rolesNeverPrune" || key === "stateTools") return value.split(",").map((role) => role.trim());
  if (key === "model") return value;
  if (value === "true" || value === "false") return value === "true";
  return value !== "" && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
}
