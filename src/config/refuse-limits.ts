// Says where the fault of a limit stands, in the file or in a variable, and refuses a configuration that has one.
import { CompactError } from "../errors.ts";
import { type LimitFault, limitFaultOf, limitsOf } from "./limits.ts";
import type { LoadedConfig } from "./load-config.ts";
import { type PerModelConfig, resolveForModel } from "./resolve-for-model.ts";

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
  const [window, start, most] = [maxContextTokens, threshold, budget].map((tokens) => tokens.toLocaleString("en-US"));
  return `policy.trigger_pct ${share} of a window of ${window} tokens is ${start}, above the budget of ${most}: compaction starts when the budget is exceeded.`;
}
