// Token counts as a provider reports them: usable only when both are there.
import type { ModelUsage } from "../model.ts";

/** To be spread into an answer: empty where either count is missing. */
export function readUsage(inputTokens: unknown, outputTokens: unknown): { readonly usage?: ModelUsage } {
  return isCount(inputTokens) && isCount(outputTokens) ? { usage: { inputTokens, outputTokens } } : {};
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
