// Turns a failed check into one error that names the field as the documentation does, and for a misspelt key the
// one that was probably meant.
import type { z } from "zod";
import { CompactError } from "../errors.ts";
import { conversationConfigSchema, policySchema } from "./conversation-schema.ts";
import { toSnakeCase } from "./key-case.ts";

export interface ErrorOrigin {
  /** A file's name, or that the value came from an environment variable, by field path. */
  readonly source?: string | undefined;
  readonly variables?: ReadonlyMap<string, string>;
}

/** One `InvalidConfig` for all faults, first one first: `policy.trigger_pct must be 0.0-1.0`. */
export function explainConfigError(error: z.ZodError, origin: ErrorOrigin = {}): CompactError {
  const faults = error.issues.flatMap((issue) => describeIssue(issue, origin));
  const where = origin.source === undefined ? "" : ` (${origin.source})`;
  return new CompactError("InvalidConfig", `${faults.join("; ")}${where}`, {
    hint: "Correct the field; the documentation lists every key with its default.",
    data: { faults },
  });
}

function describeIssue(issue: z.core.$ZodIssue, { variables }: ErrorOrigin): readonly string[] {
  const path = issue.path.map((key) => toSnakeCase(String(key)));
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => describeUnknownKey([...path, toSnakeCase(key)]));
  const field = path.join(".") || "the configuration";
  const variable = variables?.get(field);
  return [`${field} ${issue.message}${variable === undefined ? "" : ` (from the environment variable ${variable})`}`];
}

function describeUnknownKey(path: readonly string[]): string {
  const key = path.at(-1) ?? "";
  const known =
    path[0] === "policy" && path.length > 1
      ? Object.keys(policySchema.shape)
      : Object.keys(conversationConfigSchema.shape);
  const [nearest] = known
    .map(toSnakeCase)
    .map((name) => ({ name, distance: editDistance(key, name) }))
    .sort((a, b) => a.distance - b.distance);
  const suggestion =
    nearest !== undefined && nearest.distance <= Math.max(2, key.length / 3) ? `, did you mean ${nearest.name}?` : "";
  return `${path.join(".")} is not a known key${suggestion}`;
}

/** Levenshtein distance of two short names. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
