// What makes a principle and what a way to fail, and which of them are told: the five that count for most.
import type { WordingCounts, WordingGroup } from "../decision-log.ts";
import type { FailureMode, Principle } from "./wisdom.ts";

export const MOST_TOLD = 5;
const LEAST_CONFIRMATIONS = 2;

export function principlesOf(groups: readonly WordingGroup[]): readonly Principle[] {
  return groups.filter(isPrinciple).sort(byConfirmations).slice(0, MOST_TOLD).map(principleOf);
}

/** Only what has failed; a principle is none, however often it was there when something failed. */
export function failureModesOf(groups: readonly WordingGroup[]): readonly FailureMode[] {
  const modes = groups.filter((group) => group.failures > 0 && !isPrinciple(group));
  return modes
    .sort((a, b) => scoreOf(b) - scoreOf(a) || byText(a, b))
    .slice(0, MOST_TOLD)
    .map(({ text, failures, decisions, failingIds }) => ({ text: onOneLine(text), failures, decisions, failingIds }));
}

function scoreOf({ failures, decisions }: WordingCounts): number {
  return failureScore(failures, decisions);
}

/** More failures are more; where they are the same, the greater share of failures is. */
export function failureScore(failures: number, decisions: number): number {
  // Less than the next whole number, so the share never outweighs a failure.
  return failures + Math.min(1, failures / decisions) / 2;
}

export function principleOf({ text, ...group }: WordingGroup): Principle {
  const { confirmations, contradictions, confirmingIds, contradictingIds } = group;
  return { text: onOneLine(text), confirmations, contradictions, confirmingIds, contradictingIds };
}

export function isPrinciple({
  confirmations,
  contradictions,
}: Pick<WordingCounts, "confirmations" | "contradictions">): boolean {
  return confirmations >= LEAST_CONFIRMATIONS && contradictions <= confirmations;
}

export function byConfirmations(a: WordingGroup, b: WordingGroup): number {
  return b.confirmations - a.confirmations || byText(a, b);
}

function byText(a: { readonly text: string }, b: { readonly text: string }): number {
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

function onOneLine(text: string): string {
  return text.trim().replace(/\s+/gu, " ");
}
