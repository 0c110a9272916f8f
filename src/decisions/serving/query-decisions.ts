// Decisions by page: as compacted as status and age make them, or those that hold certain words. Never waits for a model.
import { groupBy } from "../../text/words.ts";
import { isoTime, readTime } from "../../time.ts";
import { LEVELS, type Level } from "../decision.ts";
import {
  type DecisionFilter,
  type DecisionLog,
  type DecisionOptions,
  type DecisionReader,
  type DecisionText,
  type LeveledDecision,
  positionOf,
} from "../decision-log.ts";
import { oneLine } from "../texts/extractive-texts.ts";
import {
  markOf,
  named,
  type PageRequest,
  readFilter,
  readLevel,
  readLimit,
  readPlace,
  readWords,
  writeCursor,
} from "./page-request.ts";
import {
  type OverdueReview,
  type ServedDecision,
  type ServedDecisions,
  servePolicies,
  shapeDecision,
} from "./served.ts";

export interface CompactedRequest extends PageRequest {
  /** False leaves out what is preserved, by its mark or by its policy. Default true. */
  readonly includePreserved?: boolean | undefined;
  /** `lines`: all of them, wisdom's too, as one line each. Default `levels`. */
  readonly form?: (typeof FORMS)[number] | undefined;
}

export const FORMS = ["levels", "lines"] as const;

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
  const { includePreserved = true, form: asked } = request;
  const isLine = asked === "lines";
  const form = { includePreserved, levels: isLine ? LEVELS : SERVED_LEVELS, isWhole: false, isLine };
  const { served, rest } = await servePage(log, request, form, options);
  const overdue = request.cursor === undefined ? await overdueReviews(log, request, options) : [];
  return { decisions: served.map(({ item }) => item), ...rest, ...(overdue.length === 0 ? {} : { overdue }) };
}

const MOST_OVERDUE = 10;
/** Some are superseded, or have a date that cannot be read. */
const MOST_LATE = 100;

async function overdueReviews(
  log: DecisionLog,
  request: CompactedRequest,
  { now }: DecisionOptions,
): Promise<readonly OverdueReview[]> {
  const today = isoTime(now).slice(0, 10);
  const late = await log.read((reader) => reader.overdue(readFilter(request), today, MOST_LATE));
  return late
    .flatMap(({ id, category, text, supersededBy, raw }) => {
      const at = supersededBy === undefined ? readTime(raw.review_by) : undefined;
      return at === undefined ? [] : [{ id, category, reviewBy: isoTime(at).slice(0, 10), oneLine: oneLine(text) }];
    })
    .slice(0, MOST_OVERDUE);
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
  const [status, words] = [named(request.status), readWords(request.query)];
  const form = {
    filter: { ...(status === undefined ? {} : { status }), ...(words.length === 0 ? {} : { words }) },
    includePreserved: true,
    levels: request.compacted === true ? SERVED_LEVELS : LEVELS,
    isWhole: request.compacted !== true,
  };
  const { served, rest } = await servePage(log, request, form, options);
  return { decisions: served.map(({ item, due }) => ({ ...item, compactionLevel: due })), ...rest };
}

// One page of decisions with everything an answer says about what it does not contain, read from one state of the log.

interface PageForm {
  /** Besides category and agent. */
  readonly filter?: DecisionFilter;
  readonly includePreserved: boolean;
  /** Of a request that names none. */
  readonly levels: readonly Level[];
  /** Served in full whatever their level. */
  readonly isWhole: boolean;
  /** Served as one line whatever their level. */
  readonly isLine?: boolean;
}

/** Faults that an answer lists. */
const MOST_FAULTS = 100;

/** `level` is how each is served, `due` the level that standing and age give it. */
type Served = { readonly item: ServedDecision; readonly due: Level };

/** @throws InvalidInput (`UNKNOWN_LEVEL`, `INVALID_LIMIT`, `INVALID_CURSOR`); NotFound where there is no log; StoreFailed. */
async function servePage(
  log: DecisionLog,
  request: PageRequest,
  { filter: besides, includePreserved, levels: unlessAsked, isWhole, isLine = false }: PageForm,
  { policies, now }: DecisionOptions,
): Promise<{ readonly served: readonly Served[]; readonly rest: Omit<ServedDecisions, "decisions"> }> {
  const asked = readLevel(request.level);
  const levels = asked === undefined ? unlessAsked : [asked];
  const filter = { ...readFilter(request), ...besides };
  const limit = readLimit(request.limit);
  const mark = markOf({ ...filter, includePreserved, levels, isWhole });
  const place = readPlace(request.cursor, mark);
  const query = { filter, view: { policies, now }, includePreserved };
  return log.read(async (reader) => {
    const { levels: counts } = await reader.survey(query);
    const after = place === undefined ? {} : { after: place.position };
    const found = await reader.page({ ...query, levels, limit: limit + 1, ...after });
    const page = found.slice(0, limit);
    const hasMore = found.length > limit;
    const texts = isWhole ? new Map() : await storedTexts(reader, page);
    const served = page.map(({ decision, level }) => ({
      item: shapeDecision(policies, decision, isWhole ? "full" : level, { text: texts.get(decision.id), isLine }),
      due: level,
    }));

    // Records may come and go between two pages; the sums are right all the same, since how many came before is then
    // corrected by what is there now.
    const sum = (of: readonly Level[]) => of.reduce((total, level) => total + counts[level], 0);
    const all = sum(levels);
    const others = sum(LEVELS.filter((level) => !levels.includes(level)));
    const most = Math.max(0, all - page.length - (hasMore ? 1 : 0));
    const before = place === undefined ? 0 : hasMore ? Math.min(place.before, most) : most;
    const next = { position: positionOf(page.at(-1)), before: before + page.length };
    return {
      served,
      rest: {
        digests: groupDigests(served),
        total: page.length,
        levels: counts,
        leftOut: {
          byLimit: all - page.length - before,
          before,
          wisdom: asked === undefined ? others : 0,
          otherLevels: asked === undefined ? 0 : others,
        },
        ...(hasMore ? { nextCursor: writeCursor(next, mark) } : {}),
        ...servePolicies(policies, filter),
        ...(await serveFaults(reader)),
      },
    };
  });
}

/** Sorted by category. */
function groupDigests(served: readonly Served[]): ServedDecisions["digests"] {
  const digests = served.filter(({ item }) => item.level === "digest").map(({ item }) => item);
  return [...groupBy(digests, ({ category }) => category)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, items]) => ({ category, count: items.length, ids: items.map(({ id }) => id) }));
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
