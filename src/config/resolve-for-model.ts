// The configuration as it is for one model: the per-model overrides laid over the rest, field by field. Pure, so that it
// can be asked again at each preflight, when a session has switched to another model.
import type { ModelOverrides } from "./conversation-schema.ts";

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
    const names = new Set(Object.keys(given(taken)));
    return Object.fromEntries(Object.entries(entry).filter(([key]) => !names.has(key)));
  };
  const { policy: taken = {}, ...takenLimits } = fields;
  return { ...kept(limits, takenLimits), ...(policy === undefined ? {} : { policy: kept(policy, taken) }) };
}

function overlay<Config extends ModelOverrides>(config: Config, { policy, ...limits }: ModelOverrides): Config {
  return {
    ...config,
    ...given(limits),
    ...(policy === undefined ? {} : { policy: { ...config.policy, ...given(policy) } }),
  };
}

function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
