// Which of the texts that the log keeps is served: a model's before one of code, then by strategy and model, so that two
// calls give the same.
import type { Level } from "../decision.ts";
import type { DecisionReader, DecisionText, LeveledDecision } from "../decision-log.ts";

/** By id; decisions without a text of their level are not in it. */
export async function keptTexts(
  log: Pick<DecisionReader, "texts">,
  items: readonly LeveledDecision[],
): Promise<ReadonlyMap<string, DecisionText>> {
  const levels = new Map<string, Level>();
  for (const { decision, level } of items) {
    if (level === "summary" || level === "digest") levels.set(decision.id, level);
  }
  const best = new Map<string, DecisionText>();
  if (levels.size === 0) return best;
  for (const text of await log.texts([...levels.keys()])) {
    const other = best.get(text.id);
    if (levels.get(text.id) === text.level && (other === undefined || rank(text) < rank(other)))
      best.set(text.id, text);
  }
  return best;
}

function rank({ source, strategy, model }: DecisionText): string {
  return JSON.stringify([source === "llm" ? 0 : 1, strategy, model]);
}
