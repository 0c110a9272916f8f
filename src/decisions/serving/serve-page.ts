// One page of decisions with everything an answer says about what it does not hold, read from one state of the log.
import type { Level } from "../decision.ts";
import type {
  DecisionFilter,
  DecisionLog,
  DecisionReader,
  LevelCounts,
  LeveledDecision,
  PageQuery,
} from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { keptTexts } from "./kept-texts.ts";
import { markOf, type PagePlace, writeCursor } from "./page-cursor.ts";
import { readPlace } from "./read-request.ts";
import { servePolicies } from "./serve-policy.ts";
import type { ServedDecision, ServedDecisions } from "./served.ts";
import { shapeDecision } from "./shape-decision.ts";

export interface PagePlan {
  readonly filter: DecisionFilter;
  readonly includePreserved?: boolean;
  /** Which levels the pages hold. */
  readonly levels: readonly Level[];
  /** Whether wisdom is left out because nobody asked for it, or because of another level that was asked for. */
  readonly isOneLevel: boolean;
  /** Served whole whatever their level. */
  readonly isWhole?: boolean;
  readonly limit: number;
  /** As it was sent; undefined for the first page. */
  readonly cursor: string | null | undefined;
}

/** Faults that an answer lists. */
const MOST_FAULTS = 100;

/** `level` is how each is served, `due` the level that standing and age give it. */
type Served = { readonly item: ServedDecision; readonly due: Level };

export interface Page {
  readonly served: readonly Served[];
  readonly rest: Omit<ServedDecisions, "decisions">;
}

/** @throws InvalidInput (`INVALID_CURSOR`); NotFound where there is no log; StoreFailed. */
export async function servePage(log: DecisionLog, plan: PagePlan, { policies, now }: DecisionOptions): Promise<Page> {
  const { filter, includePreserved = true, levels, limit } = plan;
  const mark = markOf({ ...filter, includePreserved, levels, isWhole: plan.isWhole === true });
  const place = readPlace(plan.cursor, mark);
  const query: Omit<PageQuery, "limit"> = { filter, view: { policies, now }, includePreserved };
  return log.read(async (reader) => {
    const { levels: counts } = await reader.survey(query);
    const after = place === undefined ? {} : { after: place.position };
    const found = await reader.page({ ...query, levels, limit: limit + 1, ...after });
    const page = found.slice(0, limit);
    const texts = plan.isWhole === true ? new Map() : await keptTexts(reader, page);
    const served = page.map(({ decision, level }) => ({
      item: shapeDecision(policies, decision, plan.isWhole === true ? "full" : level, texts.get(decision.id)),
      due: level,
    }));
    const { leftOut, before } = countLeftOut({ ...plan, place }, counts, page.length, found.length > limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      served,
      rest: {
        digests: groupDigests(served),
        total: page.length,
        levels: counts,
        leftOut,
        ...(last === undefined ? {} : { nextCursor: cursorAfter(last, before + page.length, mark) }),
        ...servePolicies(policies, filter),
        ...(await serveFaults(reader)),
      },
    };
  });
}

/**
 * What the filter admits and the page does not hold. Records may come and go between two pages; the sums hold all the same,
 * since how many came before is then corrected by what is there now.
 */
function countLeftOut(
  { levels, isOneLevel, place }: PagePlan & { readonly place: PagePlace | undefined },
  counts: LevelCounts,
  served: number,
  hasMore: boolean,
) {
  const sum = (of: readonly Level[]) => of.reduce((total, level) => total + counts[level], 0);
  const all = sum(levels);
  const others = sum((Object.keys(counts) as Level[]).filter((level) => !levels.includes(level)));
  const most = Math.max(0, all - served - (hasMore ? 1 : 0));
  const before = place === undefined ? 0 : hasMore ? Math.min(place.before, most) : most;
  const leftOut = {
    byLimit: all - served - before,
    before,
    wisdom: isOneLevel ? 0 : others,
    otherLevels: isOneLevel ? others : 0,
  };
  return { leftOut, before };
}

function cursorAfter({ decision: { decidedAt, id } }: LeveledDecision, before: number, mark: string): string {
  return writeCursor({ position: { ...(decidedAt === undefined ? {} : { decidedAt }), id }, before }, mark);
}

/** Sorted by category. */
function groupDigests(served: readonly Served[]): ServedDecisions["digests"] {
  const byCategory = new Map<string, string[]>();
  for (const { item } of served) {
    if (item.level !== "digest") continue;
    const ids = byCategory.get(item.category);
    if (ids === undefined) byCategory.set(item.category, [item.id]);
    else ids.push(item.id);
  }
  return [...byCategory]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, ids]) => ({ category, count: ids.length, ids }));
}

export async function serveFaults(log: DecisionReader): Promise<Pick<ServedDecisions, "errors" | "errorsTotal">> {
  const { count, faults } = await log.faults(MOST_FAULTS);
  if (count === 0) return {};
  return { errors: faults, ...(count > faults.length ? { errorsTotal: count } : {}) };
}
