// The configuration as it is in effect: each field with its value and where that comes from. What `config show` prints.
import type { ConfigField } from "./config-fields.ts";
import type { ModelOverrides } from "./conversation-schema.ts";
import type { ConfigSource } from "./explain-config-error.ts";
import { listConfigFields } from "./file-fields.ts";
import { fieldPath } from "./key-case.ts";
import { windowOf } from "./limits.ts";
import type { LoadedConfig } from "./load-config.ts";
import { matchingModels, resolveForModel } from "./resolve-for-model.ts";

export type EffectiveSource =
  | ConfigSource
  | { readonly kind: "default" }
  | { readonly kind: "flag"; readonly name: string }
  /** An entry of `models`; with the place where it stands. */
  | { readonly kind: "model"; readonly entry: string; readonly file: string; readonly line: number };

export interface EffectiveField {
  /** `policy.trigger_pct` */
  readonly name: string;
  /** Undefined where nothing is set and the default depends on something else: see `note`. */
  readonly value: unknown;
  readonly source: EffectiveSource;
  readonly note?: string;
}

/** @param model name given by a flag; without one the configuration's own. */
export function describeConfig(loaded: LoadedConfig, model?: string): readonly EffectiveField[] {
  const named = model ?? loaded.config.model;
  const resolved: Readonly<Record<string, unknown>> = resolveForModel(loaded.config, named);
  const entries = matchingModels(loaded.config.models, named);
  const fields = listConfigFields().map((field): EffectiveField => {
    if (field.name === "model" && model !== undefined)
      return { name: field.name, value: model, source: { kind: "flag", name: "--model" } };
    const value = valueAt(resolved, field.path);
    if (value === undefined) return describeDefault(field, named);
    const source = sourceOf(field, entries, loaded);
    return { name: field.name, value, source };
  });
  const last = fields.findLastIndex(({ name }) => name.startsWith("decisions."));
  return fields.toSpliced(last + 1, 0, ...describePolicies(loaded));
}

/** The keys that the policies of agents and categories set. */
function describePolicies({ config, sources }: LoadedConfig): readonly EffectiveField[] {
  const leaves = (value: unknown, path: readonly string[]): readonly EffectiveField[] => {
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]));
    const name = fieldPath(path);
    return value === undefined ? [] : [{ name, value, source: sources.get(name) ?? { kind: "default" } }];
  };
  return leaves(config.decisions?.policies, ["decisions", "policies"]);
}

function describeDefault({ name, note, default: value }: ConfigField, model: string | undefined): EffectiveField {
  const source = { kind: "default" } as const;
  if (name === "max_context_tokens") return { name, value: windowOf(model), source, note: noteOfWindow(model) };
  return { name, value, source, ...(note === undefined ? {} : { note }) };
}

function noteOfWindow(model: string | undefined): string {
  if (model === undefined) return "without a model";
  return windowOf(model) === undefined ? "not known: must be given" : "the model's";
}

/** The most precise entry of `models` that sets the field, else the file or a variable. */
function sourceOf({ name, path }: ConfigField, entries: readonly string[], loaded: LoadedConfig): EffectiveSource {
  const { config, sources } = loaded;
  const entry = entries.findLast((pattern) => isSetBy(config.models?.[pattern] ?? {}, path));
  if (entry === undefined) return sources.get(name) ?? { kind: "default" };
  const place = sources.get(fieldPath(["models", entry, ...path]));
  return place?.kind === "file" ? { ...place, kind: "model", entry } : { kind: "default" };
}

function isSetBy(overrides: ModelOverrides, path: readonly string[]): boolean {
  return valueAt(overrides as Readonly<Record<string, unknown>>, path) !== undefined;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
}
