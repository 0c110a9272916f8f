// Which categories there are, for whoever asked for one that no decision has: mostly it is written otherwise.
import type { DecisionLog } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { named } from "./read-request.ts";

/** What nobody has reviewed is full; of a longer log the latest of it say enough. */
const MOST_LOOKED_AT = 2000;

/** Sorted. Empty where some decision has the category, and where none was asked for. */
export async function otherCategories(
  log: DecisionLog,
  asked: string | null | undefined,
  { policies, now }: Pick<DecisionOptions, "policies" | "now">,
): Promise<readonly string[]> {
  const category = named(asked);
  if (category === undefined) return [];
  const view = { policies, now };
  return log.read(async (reader) => {
    const { total } = await reader.survey({ filter: { category }, view });
    if (total > 0) return [];
    const reviewed = await reader.tally({ filter: {} });
    const full = await reader.page({ filter: {}, view, levels: ["full"], limit: MOST_LOOKED_AT });
    const names = [...reviewed.map((each) => each.category), ...full.map(({ decision }) => decision.category)];
    return [...new Set(names)].sort();
  });
}

/** The one that differs in capitals alone. */
export function sameButCase(asked: string, known: readonly string[]): string | undefined {
  return known.find((name) => name.toLowerCase() === asked.trim().toLowerCase());
}
