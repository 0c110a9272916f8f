// What reviewed decisions of wisdom's age have taught, preserved ones included. Counted by the log from its records in one
// read: neither levels of a cycle nor texts about decisions take part.
import {
  type DecisionLog,
  type DecisionOptions,
  type DecisionReader,
  joinCounts,
  type ReviewedQuery,
  type Tally,
  type Wording,
} from "../decision-log.ts";
import { type Policies, policyFor } from "../levels.ts";
import { type PageRequest, readFilter, readNumber } from "../serving/page-request.ts";
import { serveFaults } from "../serving/query-decisions.ts";
import { servePolicies } from "../serving/served.ts";
import { statisticsOf } from "../statistics.ts";
import {
  byConfirmations,
  failureModesOf,
  isPrinciple,
  keysOf,
  leadingGroups,
  MOST_PRINCIPLES,
  mergeWordings,
  principleOf,
  principlesOf,
  type WeighedCounts,
  weightOf,
} from "./principles.ts";
import type { CategoryWisdom, CrossCategoryPrinciple, Wisdom } from "./wisdom.ts";

export interface WisdomRequest extends Pick<PageRequest, "category" | "agent"> {
  /** Decisions below which a category is left out, 1 to 100: what is beyond is taken as the nearest. Default: the policy's. */
  readonly minDecisions?: number | null | undefined;
}

/** Wordings of a category that are looked at: those that say most. */
const MOST_WORDINGS = 2000;
const MINIMUMS = [1, 100] as const;

/** @throws InvalidInput (`INVALID_MIN_DECISIONS`) for what is no number; NotFound where there is no log; StoreFailed. */
export async function getWisdom(
  log: DecisionLog,
  request: WisdomRequest,
  { policies, now }: DecisionOptions,
): Promise<Wisdom> {
  const filter = readFilter(request);
  const minimumOf = readMinimum(request.minDecisions, policies, filter.agent);
  const query: ReviewedQuery = { filter, view: { policies, now } };
  return log.read(async (reader) => {
    const tallies = byCategory(await reader.tally(query));
    const wordings = (await reader.wordings(query, MOST_WORDINGS)).map(weighed);
    const ofCategory = byCategory(wordings);
    const categories: CategoryWisdom[] = [];
    for (const [category, counts] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const statistics = statisticsOf(counts);
      if (statistics.decisions < minimumOf(category)) continue;
      categories.push({
        category,
        ...statistics,
        ...(await learned(reader, query, category, ofCategory.get(category))),
      });
    }
    return {
      categories,
      crossCategory: await crossCategoryPrinciples(reader, query, wordings),
      totalDecisions: statisticsOf([...tallies.values()].flat()).decisions,
      categoriesAnalyzed: categories.length,
      ...servePolicies(policies, filter),
      ...(await serveFaults(reader)),
    };
  });
}

async function learned(
  reader: DecisionReader,
  { filter, ...query }: ReviewedQuery,
  category: string,
  wordings: readonly WeighedCounts[] = [],
): Promise<Pick<CategoryWisdom, "principles" | "failureModes">> {
  const ofCategory = { ...query, filter: { ...filter, category } };
  const counted = await leadingGroups(
    mergeWordings(wordings),
    (groups) => reader.groupWordings(ofCategory, groups.map(keysOf)),
    { withFailures: true },
  );
  const groups = [...counted.values()];
  return { principles: principlesOf(groups), failureModes: failureModesOf(groups) };
}

/** Of the shape of each, as thousands are made. */
function weighed({ category, key, confirmations, contradictions, failures, decisions }: Wording) {
  return { category, key, weight: weightOf(key), confirmations, contradictions, failures, decisions };
}

function byCategory<Item extends Tally | Wording>(items: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  const categories = new Map<string, Item[]>();
  for (const item of items) {
    const known = categories.get(item.category) ?? [];
    categories.set(item.category, known);
    known.push(item);
  }
  return categories;
}

/** What was asked for, or what the policy of each category says. */
function readMinimum(asked: number | null | undefined, policies: Policies, agent = ""): (category: string) => number {
  const minimum = readNumber(asked, { name: "minDecisions", code: "INVALID_MIN_DECISIONS", range: MINIMUMS });
  return (category) => minimum ?? nearestMinimum(policyFor(policies, { agent, category }).minDecisions);
}

/** What counts where somebody asks for `minimum`. */
export function nearestMinimum(minimum: number): number {
  return Math.min(MINIMUMS[1], Math.max(MINIMUMS[0], Math.trunc(minimum)));
}

// Principles that hold beyond one field: confirmed in two categories at least, also where each by itself has too few decisions
// to say anything.

interface SharedWording extends WeighedCounts {
  /** Where it has been confirmed. */
  readonly categories: readonly string[];
}

/** At most five; most confirmations first, equals by text. `wordings` are those of all categories. */
async function crossCategoryPrinciples(
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
    .slice(0, MOST_PRINCIPLES)
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
