// The `COMPACT_*` variables of the environment: each overrides one field and nothing around it. Keys, tokens and headers are read
// in api-key.ts, server-tokens.ts and otlp-headers.ts.
import { nearest } from "../text/nearest-name.ts";
import { coerceList, coerceText } from "./coerce.ts";
import { listConfigFields } from "./file-schema.ts";
import type { ConfigField } from "./schema-fields.ts";
import { type Environment, KEY_VARIABLE, MCP_TOKEN_VARIABLE } from "./variables.ts";

export interface VariableValue {
  readonly field: ConfigField;
  readonly variable: string;
  /** Coerced by the field's kind; not yet checked. */
  readonly value: unknown;
  readonly isBlank: boolean;
}

export interface Overlay {
  readonly values: readonly VariableValue[];
  /** About variables that nothing reads, but that look like a known one. */
  readonly warnings: readonly string[];
}

export function readEnvironment(environment: Environment = process.env): Overlay {
  const fields = listConfigFields();
  const values = fields.flatMap((field) => readField(field, environment));
  const known = [...fields.flatMap(({ variable }) => variable ?? []), KEY_VARIABLE, MCP_TOKEN_VARIABLE];
  const unknown = Object.keys(environment).filter((name) => name.startsWith("COMPACT_") && !known.includes(name));
  return { values, warnings: unknown.sort().flatMap((name) => warnOf(name, known)) };
}

function readField(field: ConfigField, environment: Environment): readonly VariableValue[] {
  const { variable, kind } = field;
  const text = variable === undefined ? undefined : environment[variable];
  if (variable === undefined || text === undefined) return [];
  const value = kind === "list" ? coerceList(text) : coerceText(text, kind);
  return [{ field, variable, value, isBlank: text.trim() === "" }];
}

/** `COMPACT_TRIGER_PCT`, `COMPACT_POLICY_TRIGGER_PCT`, `COMPACT_BASE_URL`. Others may be another program's. */
function warnOf(name: string, known: readonly string[]): readonly string[] {
  const words = name.slice("COMPACT_".length);
  const moved = known.find((candidate) =>
    words.startsWith("POLICY_") ? candidate === `COMPACT_${words.slice(7)}` : candidate.endsWith(`_${words}`),
  );
  const meant = moved ?? nearest(name, known);
  return meant === undefined ? [] : [`The variable ${name} is not read: did you mean ${meant}?`];
}
