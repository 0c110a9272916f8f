// Principles that hold beyond one field: confirmed in two categories at least, also where each by itself has too few decisions
// to say anything.
import type { DecisionReader, ReviewedQuery, Wording } from "../decision-log.ts";
import { joinCounts, leadingGroups } from "./candidates.ts";
import { byConfirmations, isPrinciple, MOST_TOLD, principleOf } from "./choose.ts";
import { keysOf, mergeWordings, type WeighedCounts } from "./merge-wordings.ts";
import type { CrossCategoryPrinciple } from "./wisdom.ts";

interface SharedWording extends WeighedCounts {
  /** Where it has been confirmed. */
  readonly categories: readonly string[];
}

/** At most five; most confirmations first, equals by text. `wordings` are those of all categories. */
export async function crossCategoryPrinciples(
  reader: DecisionReader,
  query: ReviewedQuery,
  wordings: readonly (Wording & WeighedCounts)[],
): Promise<readonly CrossCategoryPrinciple[]> {
  if (query.filter.category !== undefined) return [];
  const shared = mergeWordings(joinKeys(ofSeveralCategories(wordings))).filter(
    (group) => confirmedIn(group).length > 1,
  );
  const counted = await leadingGroups(shared, (groups) => reader.groupWordings(query, groups.map(keysOf)), {
    withFailures: false,
  });
  return [...counted]
    .flatMap(([wordings, group]) => (isPrinciple(group) ? [{ group, categories: confirmedIn(wordings) }] : []))
    .sort((a, b) => byConfirmations(a.group, b.group))
    .slice(0, MOST_TOLD)
    .map(({ group, categories }) => ({ ...principleOf(group), categories }));
}

/** Most wordings are of one category alone, and are seen to be so at little cost. */
function ofSeveralCategories<Item extends Wording & WeighedCounts>(wordings: readonly Item[]): readonly Item[] {
  const first = new Map<string, string>();
  const several = new Set<string>();
  for (const { weight, category, confirmations } of wordings) {
    if (confirmations === 0) continue;
    const known = first.get(weight);
    if (known === undefined) first.set(weight, category);
    else if (known !== category) several.add(weight);
  }
  return wordings.filter(({ weight }) => several.has(weight));
}

/** A decision has one category, so counts of several add up. */
function joinKeys(wordings: readonly (Wording & WeighedCounts)[]): readonly SharedWording[] {
  const byKey = new Map<string, SharedWording>();
  for (const wording of wordings) {
    const { key, weight, category } = wording;
    const known = byKey.get(key);
    const categories = [...(known?.categories ?? []), ...(wording.confirmations > 0 ? [category] : [])];
    const counts = known === undefined ? wording : joinCounts(known, wording, (a, b) => a + b);
    byKey.set(key, { ...counts, key, weight, categories });
  }
  return [...byKey.values()];
}

function confirmedIn(group: readonly SharedWording[]): readonly string[] {
  return [...new Set(group.flatMap(({ categories }) => categories))].sort();
}
