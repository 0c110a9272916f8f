// Window and budget of a configuration that is resolved for its model, in tokens. Asked again when a session switches to
// another model.
import { DEFAULT_POLICY } from "../conversation/policy.ts";
import { CompactError } from "../errors.ts";
import { withoutUndefined } from "../text/json-values.ts";
import { budgetOf } from "../tokens/budget.ts";
import { DEFAULT_WINDOW, resolveModel } from "../tokens/models.ts";
import type { ModelOverrides } from "./conversation-schema.ts";

interface Limits {
  readonly maxContextTokens: number;
  /** Window less buffer and reserved output. */
  readonly budget: number;
}

/**
 * @throws CompactError `InvalidConfig`: `UNKNOWN_MODEL` for a model whose window nobody gave, `NO_BUDGET` when buffer and
 * reserved output take the whole window.
 */
export function limitsOf(config: ModelOverrides & { readonly model?: string | undefined }): Limits {
  const { model, policy = {}, reservedOutputTokens = 0 } = config;
  const maxContextTokens = config.maxContextTokens ?? windowOf(model);
  if (maxContextTokens === undefined) throw unknownModel(model);
  const { hardCapBuffer = DEFAULT_POLICY.hardCapBuffer } = policy;
  const budget = budgetOf({ maxContextTokens, hardCapBuffer, reservedOutputTokens });
  return { maxContextTokens, budget };
}

/** Undefined for a model that is not known. */
export function windowOf(model: string | undefined): number | undefined {
  return model === undefined ? DEFAULT_WINDOW : resolveModel(model).window;
}

export interface LimitFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** Fields that together are at fault, the one to look at first in front: `policy.hard_cap_buffer`, `models.acme-*`. */
  readonly fields: readonly string[];
}

const LIMIT_FIELDS = ["max_context_tokens", "policy.hard_cap_buffer", "reserved_output_tokens", "model"] as const;

/** What `limitsOf` says against the configuration as it is for `model`: the most precise entry of `models` in front. */
export function limitFaultOf(config: PerModelConfig, model = config.model): LimitFault | undefined {
  const entries = [...matchingModels(config.models, model)].reverse();
  const fields = entries.flatMap((entry) => LIMIT_FIELDS.map((field) => `models.${entry}.${field}`));
  return limitFaults(() => limitsOf(resolveForModel(config, model)), [...fields, ...LIMIT_FIELDS])[0];
}

/** What `limitsOf` says against the configuration, and against each entry of `models` as if a session ran on it. */
export function findLimitFaults(config: PerModelConfig): readonly LimitFault[] {
  const entries = Object.keys(config.models ?? {}).filter((entry) => entry !== config.model);
  const own = limitFaultOf(config);
  return [
    ...(own === undefined ? [] : [own]),
    ...entries.flatMap((entry) => {
      const model = entry.replace(/\*$/, "");
      const resolved = resolveForModel(config, entry.endsWith("*") ? `${model}x` : model);
      // The window of whatever `acme-*` stands for is given with the model, if nobody knows it.
      if (entry.endsWith("*") && resolved.maxContextTokens === undefined && windowOf(model) === undefined) return [];
      return limitFaults(() => limitsOf({ ...resolved, model }), [`models.${entry}`]).map((fault) => ({
        ...fault,
        message: `models.${entry}: ${fault.message}`,
      }));
    }),
  ];
}

function limitFaults(check: () => unknown, fields: readonly string[]): readonly LimitFault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    const { code, message, hint } = error;
    return [{ code, message, hint, fields: code === "UNKNOWN_MODEL" ? fields.slice(-1) : fields }];
  }
}

const HOW_TO_GIVE_WINDOW =
  "Set max_context_tokens to the model's window, or name a model that is known (gpt-4o, claude-sonnet-4, gemini-2.5-pro, ...).";

export function unknownModel(model = "", hint = HOW_TO_GIVE_WINDOW): CompactError {
  const name = JSON.stringify(model.slice(0, 80));
  return new CompactError("InvalidConfig", `The context window of the model ${name} is not known.`, {
    code: "UNKNOWN_MODEL",
    hint,
  });
}

// The configuration as it is for one model: the per-model overrides laid over the rest, field by field. Pure, so that it
// can be asked again at each preflight, when a session has switched to another model.

export interface PerModelConfig extends ModelOverrides {
  readonly model?: string | undefined;
  readonly models?: Readonly<Record<string, ModelOverrides | undefined>> | undefined;
}

/**
 * `model` without a name is the configuration's own. All matching entries count, the most precise last: `*`, then
 * `gpt-4*`, then `gpt-4o`. Names are compared without regard to case, with and without a vendor's part (`openai/gpt-4o`).
 */
export function resolveForModel<Config extends PerModelConfig>(
  config: Config,
  model: string | undefined = config.model,
): Omit<Config, "models"> {
  const { models, ...base } = config;
  const named = { ...base, ...(model === undefined ? {} : { model }) };
  return matchingModels(models, model).reduce((result, pattern) => overlay(result, models?.[pattern] ?? {}), named);
}

/** The keys of `models` that apply, least precise first. */
export function matchingModels(models: PerModelConfig["models"], model: string | undefined): readonly string[] {
  if (model === undefined || models === undefined) return [];
  const whole = model.trim().toLowerCase();
  const names = [whole, whole.slice(whole.lastIndexOf("/") + 1)];
  return Object.keys(models)
    .filter((pattern) => names.some((name) => isMatch(pattern.trim().toLowerCase(), name)))
    .sort((a, b) => precision(a) - precision(b));
}

function isMatch(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function precision(pattern: string): number {
  return pattern.endsWith("*") ? pattern.length - 1 : Number.POSITIVE_INFINITY;
}

/** Lays `fields` over the configuration and over every model's part of it: what a flag or a variable says counts for all. */
export function layOver<Config extends PerModelConfig>(config: Config, fields: ModelOverrides): Config {
  const models = Object.entries(config.models ?? {}).map(([pattern, entry]) => [pattern, without(entry ?? {}, fields)]);
  return { ...overlay(config, fields), ...(models.length === 0 ? {} : { models: Object.fromEntries(models) }) };
}

function without({ policy, ...limits }: ModelOverrides, fields: ModelOverrides): ModelOverrides {
  const kept = (entry: object, taken: object) => {
    const names = new Set(Object.keys(withoutUndefined(taken)));
    return Object.fromEntries(Object.entries(entry).filter(([key]) => !names.has(key)));
  };
  const { policy: taken = {}, ...takenLimits } = fields;
  return { ...kept(limits, takenLimits), ...(policy === undefined ? {} : { policy: kept(policy, taken) }) };
}

function overlay<Config extends ModelOverrides>(config: Config, { policy, ...limits }: ModelOverrides): Config {
  return {
    ...config,
    ...withoutUndefined(limits),
    ...(policy === undefined ? {} : { policy: { ...config.policy, ...withoutUndefined(policy) } }),
  };
}
