// `agent-compact config ...`: what configuration is in effect, whether it is right, and a file to begin with. Only init
// writes, and never over anything.
import { basename, dirname, resolve } from "node:path";
import { apiKeyVariables, readApiKey } from "../config/api-key.ts";
import { type ConfigFault, describeFault } from "../config/config-errors.ts";
import { CONFIG_FILE_NAMES, configFileIn } from "../config/config-file.ts";
import {
  configJsonSchema,
  configTemplate,
  describeConfig,
  type EffectiveField,
  type EffectiveSource,
  yamlValue,
} from "../config/describe-config.ts";
import { findLimitFaults, matchingModels } from "../config/limits.ts";
import { describeLateTrigger, type LoadedConfig, placeLimitFault } from "../config/load-config.ts";
import { CompactError } from "../errors.ts";
import { errorCode, fileFailure, writeFileExclusive } from "../storage/files.ts";
import { plural } from "../text/figures.ts";
import { checkOutput, shownPath } from "./files/output.ts";
import { badFlag, badInput, type CommonFlags } from "./flags.ts";
import { readConfig } from "./open-compactor.ts";
import type { ShowFlags } from "./program.ts";
import { atMost, renderTable } from "./render.ts";
import { createProgress, printResult } from "./report.ts";
import type { Colors, Terminal } from "./terminal.ts";

export async function showConfig(flags: ShowFlags, terminal: Terminal): Promise<void> {
  const loaded = await readConfig(flags, terminal);
  const fields = describeConfig(loaded, flags.model);
  const model = flags.model ?? loaded.config.model;
  const models = {
    entries: Object.keys(loaded.config.models ?? {}),
    applied: matchingModels(loaded.config.models, model),
  };
  const apiKey = describeApiKey(loaded, terminal);
  const warnings = [...loaded.warnings, ...lateTrigger(loaded, model)];
  const values = Object.fromEntries(
    fields.map(({ name, value, ...rest }) => [name, { value: value ?? null, ...rest }]),
  );
  const { file = null, searched } = loaded;
  const notes = [
    ...(models.entries.length === 0
      ? []
      : [`Entries of models: ${models.entries.join(", ")}. In effect: ${models.applied.join(", ") || "none"}.`]),
    ...(apiKey === undefined ? [] : [`API key: ${keySentence(apiKey)}.`]),
  ];
  printResult(
    { file, searched, model: model ?? null, values, models, api_key: apiKey ?? null, warnings },
    (colors) =>
      `${[describePlace(loaded, terminal), "", renderConfig(fields, colors), "", ...notes].join("\n").trimEnd()}\n`,
    flags,
    terminal,
  );
  if (flags.json !== true) warn(warnings, flags, terminal);
}

export async function validateConfig(file: string | undefined, flags: CommonFlags, terminal: Terminal): Promise<void> {
  if (file !== undefined && flags.config !== undefined)
    throw badFlag("The file is given twice: as an argument and with --config.", "Give it once.");
  const named = { ...flags, ...(file === undefined ? {} : { config: file }) };
  const { faults, loaded, error } = await findFaults(named, terminal);
  const label = loaded?.file ?? named.config ?? null;
  const warnings = [
    ...(loaded?.warnings ?? []),
    ...(loaded === undefined ? [] : [...lateTrigger(loaded), ...missingKey(loaded, terminal)]),
  ];
  const { stdout } = terminal;
  if (flags.json === true)
    stdout.write(`${JSON.stringify({ valid: faults.length === 0, file: label, faults, warnings })}\n`);
  else {
    if (faults.length > 1) stdout.write(faults.map(({ text }) => `${text}\n`).join(""));
    warn(warnings, flags, terminal);
  }
  if (faults.length > 1)
    throw new CompactError("InvalidConfig", `The configuration has ${plural(faults.length, "fault")}.`, {
      hint: "Correct the fields named above.",
    });
  if (error !== undefined) throw error;
  if (flags.json === true || flags.quiet === true || loaded === undefined) return;
  stdout.write(
    label === null ? `${describePlace(loaded, terminal)}\nThe variables are valid.\n` : `${label} is valid.\n`,
  );
}

export function printSchema(_flags: CommonFlags, { stdout }: Terminal): void {
  stdout.write(`${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
}

export async function initConfig(file: string | undefined, flags: CommonFlags, terminal: Terminal): Promise<void> {
  const { stdout, cwd } = terminal;
  const named = file ?? CONFIG_FILE_NAMES[0];
  if (named === "-" && flags.json === true)
    throw badFlag("- and --json both write to stdout.", "Write to a file, or leave --json out.");
  if (named === "-") return void stdout.write(configTemplate());
  const path = resolve(cwd, named);
  if (!/\.ya?ml$/.test(path))
    throw badInput(
      "NOT_YAML",
      `init writes YAML: ${named} must end with .yaml or .yml.`,
      "Leave the name out for compact.yaml.",
    );
  await checkOutput({ kind: "file", path, shown: named }, { flag: "init" });
  const isFound = CONFIG_FILE_NAMES.some((name) => name === basename(path));
  const other = isFound ? await configFileIn(dirname(path)) : undefined;
  if (other !== undefined && other !== path) throw alreadyThere(shownPath(other, cwd));
  await writeFileExclusive(path, configTemplate(), { mode: 0o644 }).catch((error: unknown) => {
    throw errorCode(error) === "EEXIST"
      ? alreadyThere(named)
      : fileFailure("StoreFailed", "write the file", named, error);
  });
  if (flags.json === true) stdout.write(`${JSON.stringify({ written: path })}\n`);
  else if (flags.quiet === true) stdout.write(`${named}\n`);
  else
    stdout.write(
      `Written: ${named}${isFound ? "" : `. Name it with --config ${named}: only ${CONFIG_FILE_NAMES.join(", ")} are found.`}\n`,
    );
}

function alreadyThere(file: string): CompactError {
  return new CompactError("Conflict", `${file} is there already; it is never replaced.`, {
    code: "CONFIG_EXISTS",
    hint: "Look at it with `agent-compact config show`, or print a new one with `agent-compact config init -`.",
  });
}

interface PrintedFault extends Partial<ConfigFault> {
  /** The whole sentence, with its place. */
  readonly text: string;
}

interface Findings {
  readonly faults: readonly PrintedFault[];
  readonly loaded?: LoadedConfig;
  readonly error?: CompactError;
}

async function findFaults(flags: CommonFlags, terminal: Terminal): Promise<Findings> {
  try {
    const loaded = await readConfig(flags, terminal);
    const found = findLimitFaults(loaded.config).map((fault) => ({
      ...fault,
      text: placeLimitFault(fault, loaded.sources),
    }));
    const faults = found.map(({ text }) => ({ text }));
    const [first] = found;
    if (first === undefined) return { faults, loaded };
    const hint = first.hint === undefined ? {} : { hint: first.hint };
    return { faults, loaded, error: new CompactError("InvalidConfig", first.text, hint) };
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    const known = error.data.faults as readonly ConfigFault[] | undefined;
    return {
      faults: known?.map((fault) => ({ ...fault, text: describeFault(fault) })) ?? [{ text: error.message }],
      error,
    };
  }
}

function lateTrigger({ config }: LoadedConfig, model?: string): readonly string[] {
  const found = describeLateTrigger(config, model);
  return found === undefined ? [] : [found];
}

function describePlace({ file, searched }: LoadedConfig, { cwd }: Terminal): string {
  if (file !== undefined) return `Configuration: ${file}`;
  const places = searched.map((folder) => shownPath(folder, cwd)).join(", ");
  return `No configuration file: ${CONFIG_FILE_NAMES.join(", ")} looked for in ${places}.`;
}

interface ApiKeyState {
  readonly variables: readonly string[];
  readonly is_set: boolean;
}

/** Whether there is a key, never the key. */
function describeApiKey({ config }: LoadedConfig, { env }: Terminal): ApiKeyState | undefined {
  const { type = "extractive", baseUrl } = config.summarizer ?? {};
  const variables = apiKeyVariables({ type, baseUrl });
  return variables.length === 0 ? undefined : { variables, is_set: readApiKey({ type, baseUrl }, env) !== undefined };
}

function keySentence({ variables, is_set: isSet }: ApiKeyState): string {
  return isSet ? `set (${variables.join(" or ")})` : `not set; it is read from ${variables.join(" or ")}`;
}

/** A warning: where a file is checked, the key of the place where it is used is seldom there. */
function missingKey(loaded: LoadedConfig, terminal: Terminal): readonly string[] {
  const state = describeApiKey(loaded, terminal);
  const isNeeded = state !== undefined && state.variables.length > 1 && !state.is_set;
  return isNeeded ? [`The summarizer has no API key: set ${state.variables.join(" or ")} where it runs.`] : [];
}

function warn(warnings: readonly string[], flags: CommonFlags, terminal: Terminal): void {
  const progress = createProgress(terminal, flags);
  for (const warning of warnings) progress.warn(warning);
}

const WIDEST_VALUE = 60;

function renderConfig(fields: readonly EffectiveField[], colors: Colors): string {
  const rows = fields.map(({ name, value, source, note }) =>
    value === undefined
      ? [name, note ?? "", describeSource(source)]
      : [name, yamlValue(value), describeSource(source, note)],
  );
  return renderTable(["key", atMost("value", WIDEST_VALUE), "from"], rows, colors);
}

function describeSource(source: EffectiveSource, note?: string): string {
  switch (source.kind) {
    case "file":
      return `${source.file}:${source.line}`;
    case "model":
      return `${source.file}:${source.line} (models: ${source.entry})`;
    case "variable":
    case "flag":
      return source.name;
    default:
      return note === undefined ? "default" : `default (${note})`;
  }
}
