// What reviewed decisions of wisdom's age have taught, preserved ones included. Counted by the log from its records in one
// read: neither levels of a cycle nor texts about decisions take part.
import { flat } from "../../text/quote.ts";
import { groupBy } from "../../text/words.ts";
import type { Outcome, StoredDecision } from "../decision.ts";
import {
  type DecisionLog,
  type DecisionOptions,
  type DecisionReader,
  joinCounts,
  type ReviewedQuery,
  type Wording,
} from "../decision-log.ts";
import { evidenceOf, wordingKey } from "../evidence.ts";
import { type Policies, policyFor } from "../levels.ts";
import { type PageRequest, readFilter, readNumber } from "../serving/page-request.ts";
import { serveFaults } from "../serving/query-decisions.ts";
import { servePolicies, shapeDecision } from "../serving/served.ts";
import { statisticsOf } from "../statistics.ts";
import {
  keysOf,
  mergeWordings,
  type SameWordings,
  sameWordings,
  type WeighedCounts,
  weightOf,
} from "./merge-wordings.ts";
import { failureModeOf, leadingFailures, leadingGroups, leadingPrinciples, principleOf } from "./principles.ts";
import type { CategoryWisdom, CrossCategoryPrinciple, FailureMode, Wisdom } from "./wisdom.ts";

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
    const tallies = groupBy(await reader.tally(query), ({ category }) => category);
    const wordings = (await reader.wordings(query, MOST_WORDINGS)).map(weighed);
    const ofCategory = groupBy(wordings, ({ category }) => category);
    const categories: CategoryWisdom[] = [];
    const told = new Map<string, ReadonlySet<string>>();
    const same = await sameWordings(reader);
    for (const [category, counts] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const statistics = statisticsOf(counts);
      if (statistics.decisions < minimumOf(category)) continue;
      const { keys, ...taught } = await learned(
        reader,
        query,
        category,
        mergeWordings(ofCategory.get(category) ?? [], same),
      );
      told.set(category, keys);
      categories.push({ category, ...statistics, ...taught });
    }
    const shared = await crossCategoryPrinciples(reader, query, wordings, same);
    const isTold = (decision: StoredDecision) =>
      tells(told.get(decision.category), decision) || tells(shared.keys, decision);
    return {
      categories,
      crossCategory: shared.principles,
      lines: await untoldLines(reader, query, isTold),
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
  merged: readonly (readonly WeighedCounts[])[],
): Promise<Pick<CategoryWisdom, "principles" | "failureModes"> & { readonly keys: ReadonlySet<string> }> {
  const ofCategory = { ...query, filter: { ...filter, category } };
  const counted = await leadingGroups(merged, (groups) => reader.groupWordings(ofCategory, groups.map(keysOf)), {
    withFailures: true,
  });
  const groups = [...counted].map(([members, group]) => ({ ...group, keys: keysOf(members) }));
  const [principles, modes] = [leadingPrinciples(groups), leadingFailures(groups)];
  return {
    principles: principles.map(principleOf),
    failureModes: await withLessons(reader, modes.map(failureModeOf)),
    keys: new Set([...principles, ...modes].flatMap(({ keys }) => keys)),
  };
}

// Decisions of which nothing that is told tells: they keep a line.

const MOST_LINES = 20;
const MOST_LOOKED_AT = 200;
/** What went wrong is looked for first. */
const LINE_ORDER: readonly (Outcome | undefined)[] = ["failure", "partial", "abandoned", "success", undefined];

function tells(keys: ReadonlySet<string> = NO_KEYS, decision: StoredDecision): boolean {
  // A lesson of a failure is among the keys of a principle without that failure being told.
  const isFailure = decision.outcome === "failure";
  return evidenceOf(decision).some(
    ({ key, isFailureMode, isReason }) => keys.has(key) && (!isFailure || isFailureMode || isReason),
  );
}

const NO_KEYS: ReadonlySet<string> = new Set();

async function untoldLines(
  reader: DecisionReader,
  { filter, view }: ReviewedQuery,
  isTold: (decision: StoredDecision) => boolean,
): Promise<Wisdom["lines"]> {
  if (view === undefined) return [];
  const page = await reader.page({ filter, view, levels: ["wisdom"], limit: MOST_LOOKED_AT });
  return page
    .filter(({ decision }) => !isTold(decision))
    .sort((a, b) => LINE_ORDER.indexOf(a.decision.outcome) - LINE_ORDER.indexOf(b.decision.outcome))
    .slice(0, MOST_LINES)
    .map(({ decision, level }) => ({
      ...shapeDecision(view.policies, decision, level, { isLine: true }),
      ...(wordingKey(decision.lessons ?? "") === "" ? {} : { lessons: flat(decision.lessons ?? "") }),
    }));
}

/** Of the latest failures of each. */
async function withLessons(
  reader: DecisionReader,
  modes: readonly Omit<FailureMode, "learned">[],
): Promise<readonly FailureMode[]> {
  const failed = await reader.decisions(modes.flatMap(({ failingIds }) => failingIds));
  const lessonOf = new Map(failed.map(({ id, lessons = "" }) => [id, flat(lessons)]));
  return modes.map((mode) => {
    const lessons = mode.failingIds.map((id) => lessonOf.get(id) ?? "").filter((lesson) => wordingKey(lesson) !== "");
    return { ...mode, learned: [...new Map(lessons.map((lesson) => [wordingKey(lesson), lesson])).values()] };
  });
}

/** Of the shape of each, as thousands are made. */
function weighed({ category, key, confirmations, contradictions, failures, decisions, rank }: Wording) {
  return { category, key, weight: weightOf(key), confirmations, contradictions, failures, decisions, rank };
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

/** At most five; patterns first, then most confirmations, then by text. `wordings` are those of all categories. */
async function crossCategoryPrinciples(
  reader: DecisionReader,
  query: ReviewedQuery,
  wordings: readonly (Wording & WeighedCounts)[],
  same: SameWordings,
): Promise<{ readonly principles: readonly CrossCategoryPrinciple[]; readonly keys: ReadonlySet<string> }> {
  if (query.filter.category !== undefined) return { principles: [], keys: NO_KEYS };
  const shared = mergeWordings(joinKeys(ofSeveralCategories(wordings)), same).filter(
    (group) => confirmedIn(group).length > 1,
  );
  const counted = await leadingGroups(shared, (groups) => reader.groupWordings(query, groups.map(keysOf)), {
    withFailures: false,
  });
  const groups = [...counted].map(([members, group]) => ({
    ...group,
    categories: confirmedIn(members),
    keys: keysOf(members),
  }));
  const leading = leadingPrinciples(groups);
  return {
    principles: leading.map((group) => ({ ...principleOf(group), categories: group.categories })),
    keys: new Set(leading.flatMap(({ keys }) => keys)),
  };
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
