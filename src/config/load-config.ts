// The configuration that holds in a working directory: the file, and over it the environment, field by field. Finding,
// reading and parsing the file are in config-file.ts. Node only.
import { CompactError } from "../errors.ts";
import { figure } from "../text/figures.ts";
import { nearest } from "../text/nearest-name.ts";
import { coerceList, coerceText } from "./coerce.ts";
import { type ConfigFault, type ConfigSource, configError, faultsOf } from "./config-errors.ts";
import {
  findConfigFile,
  type ParsedConfigFile,
  parseConfigFile,
  readConfigFile,
  shapeFileValues,
} from "./config-file.ts";
import type { ModelOverrides } from "./conversation-schema.ts";
import { type ConfigFile, configFileSchema, fieldNames, listConfigFields } from "./file-schema.ts";
import { type LimitFault, layOver, limitFaultOf, limitsOf, type PerModelConfig, resolveForModel } from "./limits.ts";
import type { ConfigField } from "./schema-fields.ts";
import { fieldPath, isOwnName, toSnakeCase } from "./schema-parts.ts";
import { type Environment, KEY_VARIABLE, MCP_TOKEN_VARIABLE } from "./variables.ts";

export interface LoadOptions {
  /** Path of the file. Without one it is searched from `cwd` upward; without either only the environment counts. */
  readonly file?: string;
  readonly cwd?: string;
  readonly env?: Environment;
}

export interface LoadedConfig {
  /** What file and environment say; defaults are not filled in. Variables are laid over the per-model parts, too. */
  readonly config: ConfigFile;
  /** The file, as messages name it. */
  readonly file: string | undefined;
  /** Folders that were searched, nearest first; empty when the file was named. */
  readonly searched: readonly string[];
  /** `policy.trigger_pct` -> where its value comes from. Fields with their default are not in it. */
  readonly sources: ReadonlyMap<string, ConfigSource>;
  readonly warnings: readonly string[];
}

/** Throws `InvalidConfig` with place and path of each field at fault, `NotFound` when a named file is missing. */
export async function loadConfig(options: LoadOptions = {}): Promise<LoadedConfig> {
  const { path, label, searched } = await chooseFile(options);
  const written = path === undefined ? undefined : await parseConfigFile(await readConfigFile(path, label), label);
  const overlay = readEnvironment(options.env);
  const { values, faults, sources } = layEnvironment(written, label, overlay);
  const parsed = await configFileSchema.safeParseAsync(values, { reportInput: true });
  /** Of the field, else of the list that it is in, else the nearest line of the file. */
  const sourceOf = (path: readonly PropertyKey[]): ConfigSource | undefined => {
    const known = sources.get(fieldPath(typeof path.at(-1) === "number" ? path.slice(0, -1) : path));
    if (known?.kind === "variable" || written === undefined) return known;
    return { kind: "file", file: label, line: written.placeOf(asWritten(path)).line };
  };
  const found = parsed.error?.issues.flatMap((issue) => faultsOf(issue, fieldNames, sourceOf)) ?? [];
  const all = [...faults, ...found];
  if (!parsed.success || all.length > 0) throw configError(all.filter(isFirstOfItsPath).toSorted(byPlace));
  return {
    config: layOver(parsed.data, fromVariables(parsed.data, overlay)),
    file: path === undefined ? undefined : label,
    searched,
    sources,
    warnings: overlay.warnings,
  };
}

async function chooseFile({ file, cwd, env = process.env }: LoadOptions) {
  const { relative, resolve } = await import("node:path");
  if (file !== undefined) return { path: resolve(cwd ?? ".", file), label: file, searched: [] };
  if (cwd === undefined) return { path: undefined, label: "", searched: [] };
  const found = await findConfigFile(cwd, env.HOME ?? env.USERPROFILE);
  const label = found.file === undefined ? "" : relative(resolve(cwd), found.file);
  return { path: found.file, label, searched: found.searched };
}

interface Layers {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly ConfigFault[];
  readonly sources: ReadonlyMap<string, ConfigSource>;
}

function layEnvironment(written: ParsedConfigFile | undefined, label: string, overlay: Overlay): Layers {
  const shaped = shapeFileValues(written?.value ?? {});
  const sources = new Map<string, ConfigSource>();
  for (const path of leafPaths(shaped.values, [])) {
    const line = written?.placeOf(asWritten(path)).line ?? 1;
    sources.set(fieldPath(path), { kind: "file", file: label, line });
  }
  const faults: ConfigFault[] = shaped.faults.map(({ path, message }) => ({
    path: path.join("."),
    message,
    source: { kind: "file", file: label, line: written?.placeOf(path).line ?? 1 },
  }));
  let values = shaped.values;
  for (const { field, variable, value, isBlank } of overlay.values) {
    const source = { kind: "variable", name: variable } as const;
    sources.set(field.name, source);
    if (isBlank && hasOff(field)) values = setField(values, field.path, undefined);
    else if (isBlank) faults.push({ path: field.name, message: `must be ${field.expected}, not empty`, source });
    else values = setField(values, field.path, value);
  }
  return { values, faults, sources };
}

/** An empty variable switches off what the file names. */
function hasOff({ kind, note }: ConfigField): boolean {
  return kind === "text" && note === "none";
}

/** Every value below, lists as one. */
function leafPaths(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value === undefined ? [] : [path];
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...path, key]));
}

function asWritten(path: readonly PropertyKey[]): readonly (string | number)[] {
  return path.map((segment, index) => {
    if (typeof segment === "number") return segment;
    return isOwnName(path, index) ? String(segment) : toSnakeCase(String(segment));
  });
}

function setField(
  values: Readonly<Record<string, unknown>>,
  [key, ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (key === undefined) return values;
  if (rest.length === 0) return { ...values, [key]: value };
  const block = values[key] ?? {};
  // What is no block is the schema's to refuse.
  if (typeof block !== "object" || Array.isArray(block)) return values;
  return { ...values, [key]: setField(block as Readonly<Record<string, unknown>>, rest, value) };
}

/** One complaint about a field is enough. */
function isFirstOfItsPath(fault: ConfigFault, index: number, all: readonly ConfigFault[]): boolean {
  return all.findIndex(({ path }) => path === fault.path) === index;
}

/** As they stand in the file; those of variables after them. */
function byPlace({ source: a }: ConfigFault, { source: b }: ConfigFault): number {
  const lineOf = (source: ConfigSource | undefined) =>
    source?.kind === "file" ? source.line : Number.MAX_SAFE_INTEGER;
  return lineOf(a) - lineOf(b);
}

/** Limits and policy as far as variables set them. */
function fromVariables(config: ConfigFile, { values }: Overlay): ModelOverrides {
  const names = new Set(values.map(({ field }) => field.name));
  const policy = Object.entries(config.policy ?? {}).filter(([key]) => names.has(fieldPath(["policy", key])));
  return {
    ...(names.has("max_context_tokens") ? { maxContextTokens: config.maxContextTokens } : {}),
    ...(names.has("reserved_output_tokens") ? { reservedOutputTokens: config.reservedOutputTokens } : {}),
    ...(policy.length === 0 ? {} : { policy: Object.fromEntries(policy) }),
  };
}

// Says where the fault of a limit stands, in the file or in a variable, and refuses a configuration that has one.

type Sources = LoadedConfig["sources"];

/** The sentence, with the place of the first of its fields that somebody wrote. */
export function placeLimitFault({ message, fields }: LimitFault, sources: Sources): string {
  const written = [...sources.entries()];
  for (const field of fields) {
    const source = sources.get(field) ?? written.find(([name]) => name.startsWith(`${field}.`))?.[1];
    if (source?.kind === "file") return `${source.file}:${source.line}: ${message}`;
    if (source !== undefined) return `${message.replace(/\.$/, "")} (from the environment variable ${source.name})`;
  }
  return message;
}

/**
 * For a session on `model`. `byFlags`: fields that a flag gives, whatever else says; they have no place.
 * @throws CompactError `InvalidConfig`, with the codes of `limitsOf`
 */
export function refuseLimits(
  config: PerModelConfig,
  model: string | undefined,
  { sources, byFlags }: { readonly sources: Sources; readonly byFlags: readonly string[] },
): void {
  const fault = limitFaultOf(config, model);
  if (fault === undefined) return;
  const isFlag = (name: string) => byFlags.some((flag) => name === flag || name.endsWith(`.${flag}`));
  const placed = new Map([...sources].filter(([name]) => !isFlag(name)));
  // A window that a flag gives is not the model's.
  const fields = fault.fields.filter((field) => field !== "model" || !byFlags.includes("max_context_tokens"));
  const hint = fault.hint === undefined ? {} : { hint: fault.hint };
  throw new CompactError("InvalidConfig", placeLimitFault({ ...fault, fields }, placed), { code: fault.code, ...hint });
}

/** What a person should know of a share that compaction never waits for; only of one that somebody chose. */
export function describeLateTrigger(config: PerModelConfig, model = config.model): string | undefined {
  const resolved = resolveForModel(config, model);
  const share = resolved.policy?.triggerPct;
  if (share === undefined || limitFaultOf(config, model) !== undefined) return undefined;
  const { maxContextTokens, budget } = limitsOf(resolved);
  const threshold = Math.floor(share * maxContextTokens);
  if (threshold <= budget) return undefined;
  const [window, start, most] = [maxContextTokens, threshold, budget].map(figure);
  return `policy.trigger_pct ${share} of a window of ${window} tokens is ${start}, above the budget of ${most}: compaction starts when the budget is exceeded.`;
}

interface VariableValue {
  readonly field: ConfigField;
  readonly variable: string;
  /** Coerced by the field's kind; not yet checked. */
  readonly value: unknown;
  readonly isBlank: boolean;
}

interface Overlay {
  readonly values: readonly VariableValue[];
  /** About variables that nothing reads, but that look like a known one. */
  readonly warnings: readonly string[];
}

function readEnvironment(environment: Environment = process.env): Overlay {
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
