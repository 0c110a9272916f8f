// Decisions by page: as compacted as status and age make them, or those that hold certain words. Never waits for a model.
import { LEVELS, type Level } from "../decision.ts";
import type {
  DecisionFilter,
  DecisionLog,
  DecisionOptions,
  DecisionReader,
  DecisionText,
  LevelCounts,
  LeveledDecision,
  PageQuery,
} from "../decision-log.ts";
import {
  markOf,
  named,
  type PagePlace,
  type PageRequest,
  readFilter,
  readLevel,
  readLimit,
  readPlace,
  readWords,
  writeCursor,
} from "./page-request.ts";
import { type ServedDecision, type ServedDecisions, servePolicies, shapeDecision } from "./served.ts";

export interface CompactedRequest extends PageRequest {
  /** False leaves out what is preserved, by its mark or by its policy. Default true. */
  readonly includePreserved?: boolean | undefined;
}

/** What is served unless somebody asks for wisdom itself. */
const SERVED_LEVELS: readonly Level[] = LEVELS.filter((level) => level !== "wisdom");

/**
 * Latest decided first, equals by id. Without `level`, decisions of wisdom's age are counted in `levels` and left out.
 * @throws InvalidInput (`UNKNOWN_LEVEL`, `INVALID_LIMIT`, `INVALID_CURSOR`); NotFound where there is no log; StoreFailed.
 */
export async function getCompacted(
  log: DecisionLog,
  request: CompactedRequest,
  options: DecisionOptions,
): Promise<ServedDecisions> {
  const level = readLevel(request.level);
  const { served, rest } = await servePage(
    log,
    {
      filter: readFilter(request),
      includePreserved: request.includePreserved ?? true,
      levels: level === undefined ? SERVED_LEVELS : [level],
      isOneLevel: level !== undefined,
      limit: readLimit(request.limit),
      cursor: request.cursor,
    },
    options,
  );
  return { decisions: served.map(({ item }) => item), ...rest };
}

// Decisions that hold certain words: whole, or at the level that standing and age give them; either way each says which
// level that is.

export interface DecisionQuery extends PageRequest {
  /** Words that all must occur in text, context, pattern, lessons, result, reasons or tags. Absent: every decision. */
  readonly query?: string | null | undefined;
  /** Exactly as recorded: `pending`, `reviewed`, ... */
  readonly status?: string | null | undefined;
  /** True: each at its level, those of wisdom's age counted but left out. Default false: each in full, whatever its age. */
  readonly compacted?: boolean | undefined;
}

interface QueriedDecision extends ServedDecision {
  /** By standing and age; `level` is how it is served here. */
  readonly compactionLevel: Level;
}

interface QueriedDecisions extends Omit<ServedDecisions, "decisions"> {
  readonly decisions: readonly QueriedDecision[];
}

/**
 * Latest decided first, equals by id; superseded ones are flagged where they stand.
 * @throws InvalidInput (`UNKNOWN_LEVEL`, `INVALID_LIMIT`, `INVALID_CURSOR`, `QUERY_TOO_LONG`); NotFound where there is no
 * log; StoreFailed.
 */
export async function queryDecisions(
  log: DecisionLog,
  request: DecisionQuery,
  options: DecisionOptions,
): Promise<QueriedDecisions> {
  const level = readLevel(request.level);
  const [status, words] = [named(request.status), readWords(request.query)];
  const all = request.compacted === true ? SERVED_LEVELS : LEVELS;
  const { served, rest } = await servePage(
    log,
    {
      filter: {
        ...readFilter(request),
        ...(status === undefined ? {} : { status }),
        ...(words.length === 0 ? {} : { words }),
      },
      levels: level === undefined ? all : [level],
      isOneLevel: level !== undefined,
      isWhole: request.compacted !== true,
      limit: readLimit(request.limit),
      cursor: request.cursor,
    },
    options,
  );
  return { decisions: served.map(({ item, due }) => ({ ...item, compactionLevel: due })), ...rest };
}

// One page of decisions with everything an answer says about what it does not hold, read from one state of the log.

interface PagePlan {
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

interface Page {
  readonly served: readonly Served[];
  readonly rest: Omit<ServedDecisions, "decisions">;
}

/** @throws InvalidInput (`INVALID_CURSOR`); NotFound where there is no log; StoreFailed. */
async function servePage(log: DecisionLog, plan: PagePlan, { policies, now }: DecisionOptions): Promise<Page> {
  const { filter, includePreserved = true, levels, limit } = plan;
  const mark = markOf({ ...filter, includePreserved, levels, isWhole: plan.isWhole === true });
  const place = readPlace(plan.cursor, mark);
  const query: Omit<PageQuery, "limit"> = { filter, view: { policies, now }, includePreserved };
  return log.read(async (reader) => {
    const { levels: counts } = await reader.survey(query);
    const after = place === undefined ? {} : { after: place.position };
    const found = await reader.page({ ...query, levels, limit: limit + 1, ...after });
    const page = found.slice(0, limit);
    const texts = plan.isWhole === true ? new Map() : await storedTexts(reader, page);
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

// Which of the texts that the log keeps is served: a model's before one of code, then by strategy and model, so that two
// calls give the same.

/** By id; decisions without a text of their level are not in it. */
async function storedTexts(
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

// Which categories there are, for whoever asked for one that no decision has: mostly it is written otherwise.

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
