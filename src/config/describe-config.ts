// The configuration as it is in effect: each field with its value and where that comes from. What `config show` prints.
import * as z from "zod/mini";
import type { ConfigSource } from "./config-errors.ts";
import type { ModelOverrides } from "./conversation-schema.ts";
import { configFileSchema, listConfigFields } from "./file-schema.ts";
import { matchingModels, resolveForModel, windowOf } from "./limits.ts";
import type { LoadedConfig } from "./load-config.ts";
import type { ConfigField } from "./schema-fields.ts";
import { fieldPath, toSnakeCase } from "./schema-parts.ts";

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

const HEAD = `# Configuration of agent-compact. A key that is commented out shows its default, or an example where it has none.
# Each can also be set by a variable: COMPACT_TRIGGER_PCT=0.9 wins over this file. API keys never stand here: they come
# from COMPACT_SUMMARIZER_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY.
# agent-compact config show      what is in effect, and where it comes from
# agent-compact config validate  whether it is right
`;

const MODELS = `
# What differs for one model. * may end a name; the most precise name wins, field by field.
# models:
#   gpt-4o-mini:
#     reserved_output_tokens: 4000
#   claude*:
#     max_context_tokens: 200000
#     policy:
#       trigger_pct: 0.8
`;

const POLICIES = `  # What differs for the decisions of an agent, of a category, or of both; the most precise policy governs.
  # policies:
  #   security:
  #     category: security
  #     preserve_stakes: [high, critical]
  #   scout:
  #     agent: scout
  #     thresholds:
  #       full: 3
`;

export function configTemplate(): string {
  const fields = listConfigFields();
  const blocks = [...new Set(fields.map(({ path }) => (path.length === 1 ? "" : path[0])))];
  const sections = blocks.map((block) => {
    const inside = fields.filter(({ path }) => (path.length === 1 ? "" : path[0]) === block);
    return `\n${linesOf(inside)}${block === "decisions" ? POLICIES : ""}`;
  });
  return `${HEAD}${sections.join("")}${MODELS}`;
}

/** Each field below the blocks it is in, a block's name where the block begins. */
function linesOf(fields: readonly ConfigField[]): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const field of fields) {
    const blocks = field.path.slice(0, -1);
    blocks.forEach((block, depth) => {
      if (open[depth] !== block) lines.push(`${INDENT.repeat(depth)}${toSnakeCase(block)}:\n`);
    });
    open = blocks;
    lines.push(fieldLines(field, INDENT.repeat(blocks.length)));
  }
  return lines.join("");
}

const INDENT = "  ";

function fieldLines(field: ConfigField, indent: string): string {
  const { path, meaning, note, example, default: value } = field;
  const key = toSnakeCase(path.at(-1) ?? "");
  if (key === "version") return `version: "1.0"\n`;
  const remark = note === undefined ? meaning : `${meaning} Default: ${note}.`;
  const shown = yamlValue(value ?? example ?? "");
  return `${indent}# ${remark}\n${indent}# ${key}: ${shown}\n`;
}

/** A value on one line of YAML. */
export function yamlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlValue).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  return /^(?:[a-z]|\.[a-z])[\w./-]*$/i.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

// The file's schema as JSON Schema, for editors: draft 7, which their YAML and JSON modes read, keys as in the file.

type Json = Readonly<Record<string, unknown>>;

export function configJsonSchema(): Json {
  const made = z.toJSONSchema(configFileSchema, { target: "draft-7", unrepresentable: "any" }) as Json;
  const { $schema, ...rest } = inFileSpelling(made);
  return { $schema, title: "agent-compact configuration", ...rest };
}

function inFileSpelling(schema: Json): Json {
  const { note, example, properties, additionalProperties, ...rest } = schema;
  const description = typeof note === "string" ? `${String(rest.description)} Default: ${note}.` : rest.description;
  return {
    ...rest,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(isBlock(properties) ? { properties: renamed(properties) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: isBlock(additionalProperties) ? inFileSpelling(additionalProperties) : false }),
  };
}

function renamed(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, child]) =>
      isBlock(child) && !isRefused(child) ? [[toSnakeCase(key), inFileSpelling(child)]] : [],
    ),
  );
}

/** A key of a later version: unknown to an editor, as it is to this version. */
function isRefused(schema: Json): boolean {
  return isBlock(schema.not) && Object.keys(schema.not).length === 0;
}

function isBlock(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
