// What reviewed decisions of wisdom's age have taught, preserved ones included. Counted by the log from its records in one
// read: neither levels of a cycle nor texts about decisions take part.
import { CompactError } from "../../errors.ts";
import { statisticsOf } from "../calibration/statistics.ts";
import type { DecisionLog, DecisionReader, ReviewedQuery, Tally, Wording } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { type Policies, policyFor } from "../levels/policy.ts";
import { type PageRequest, readFilter } from "../serving/read-request.ts";
import { serveFaults } from "../serving/serve-page.ts";
import { servePolicies } from "../serving/serve-policy.ts";
import { leadingGroups } from "./candidates.ts";
import { failureModesOf, principlesOf } from "./choose.ts";
import { crossCategoryPrinciples } from "./cross-category.ts";
import { keysOf, mergeWordings, type WeighedCounts, weightOf } from "./merge-wordings.ts";
import type { CategoryWisdom, Wisdom } from "./wisdom.ts";

export interface WisdomRequest extends Pick<PageRequest, "category" | "agent"> {
  /** Decisions below which a category is left out, 1 to 100: what is beyond is taken as the nearest. Default: the policy's. */
  readonly minDecisions?: number | null | undefined;
}

/** Wordings of a category that are looked at: those that say most. */
const MOST_WORDINGS = 2000;
const [LEAST_MINIMUM, GREATEST_MINIMUM] = [1, 100];

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
    const known = categories.get(item.category);
    if (known === undefined) categories.set(item.category, [item]);
    else known.push(item);
  }
  return categories;
}

/** What was asked for, or what the policy of each category says. */
function readMinimum(asked: number | null | undefined, policies: Policies, agent = ""): (category: string) => number {
  if (asked === undefined || asked === null) {
    return (category) => nearestMinimum(policyFor(policies, { agent, category }).minDecisions);
  }
  if (typeof asked !== "number" || Number.isNaN(asked)) {
    throw new CompactError("InvalidInput", "minDecisions is not a number.", {
      code: "INVALID_MIN_DECISIONS",
      hint: `Give a whole number from ${LEAST_MINIMUM} to ${GREATEST_MINIMUM}.`,
    });
  }
  const minimum = nearestMinimum(asked);
  return () => minimum;
}

/** What counts where somebody asks for `minimum`. */
export function nearestMinimum(minimum: number): number {
  return Math.min(GREATEST_MINIMUM, Math.max(LEAST_MINIMUM, Math.trunc(minimum)));
}
