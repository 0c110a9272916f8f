// The rows of a memory store in memory, with their transactions: what memory-observation-store.ts takes its turns on.
import { readTime } from "../../time.ts";
import type { Observation } from "../observation.ts";
import type {
  DuplicateQuery,
  ObservationFilter,
  ObservationReader,
  ObservationStore,
  RowStatus,
  SearchQuery,
  SearchResult,
  SearchWord,
  StaleQuery,
  StaleSurvey,
} from "../observation-store.ts";
import { createTables, createWriter, type Tables } from "./tables.ts";

export type Rows = Pick<ObservationStore, "read" | "write">;

export function openRows(): Rows {
  const tables = createTables();
  const reader = createReader(tables);
  const writer = createWriter(tables, reader);
  return {
    read: (work) => work(reader),
    async write(work) {
      tables.begin();
      try {
        const result = await work(writer);
        tables.commit();
        return result;
      } catch (error) {
        tables.rollback();
        throw error;
      }
    },
  };
}

// Answers every question of the store contract by looking at the rows one by one.

const MOST_UNREADABLE = 20;

export function createReader(tables: Tables): ObservationReader {
  const { observations, prompts, relations, sessions } = tables;
  const rowsWhere = (isWanted: (row: Observation) => boolean) => [...observations.values()].filter(isWanted);
  return {
    hasNamespaces: true,
    observations: async (ids) => ids.flatMap((id) => observations.get(id) ?? []),
    list: async ({ filter, standing, limit, offset }) =>
      newestFirst(rowsWhere((row) => isOf(row, filter) && hasStatus(row, standing))).slice(offset, offset + limit),
    count: async (filter, standing) => rowsWhere((row) => isOf(row, filter) && hasStatus(row, standing)).length,
    stale: async (query) => staleRows(rowsWhere(isLive), query),
    surveyStale: async (filter, bounds) =>
      survey(
        rowsWhere((row) => isLive(row) && isOf(row, filter)),
        bounds,
      ),
    search: async (query) => findRows(observations.values(), query),
    ofTopic: async (topicKey, project, scope, namespace) =>
      latestFirst(
        rowsWhere((row) => isLive(row) && row.topic_key === topicKey && isIn(row, { project, scope, namespace })),
        (row) => row.updated_at,
        byIdDown,
      )[0],
    equals: async (query, standing) => newestFirst(rowsWhere((row) => hasStatus(row, standing) && isEqual(row, query))),
    async around(id, sessionId, before, after) {
      const ofSession = rowsWhere((row) => isLive(row) && row.session_id === sessionId).sort(byId);
      const earlier = ofSession.filter((row) => row.id < id);
      return {
        before: earlier.slice(Math.max(0, earlier.length - before)),
        after: ofSession.filter((row) => row.id > id).slice(0, after),
        total: ofSession.length,
      };
    },
    async relations(ids) {
      const wanted = new Set(ids);
      return [...relations.values()].filter((row) => wanted.has(row.from_id) || wanted.has(row.to_id)).sort(byId);
    },
    relation: async (id) => relations.get(id),
    session: async (id) => sessions.get(id),
    sessions: async ({ project, limit }) =>
      latestFirst(
        [...sessions.values()].filter((row) => project === undefined || row.project === project),
        (row) => row.started_at,
      ).slice(0, limit),
    prompts: async ({ project, namespace, limit }) =>
      newestFirst(
        [...prompts.values()].filter(
          (row) =>
            (project === undefined || row.project === project) &&
            (namespace === undefined || row.namespace === namespace),
        ),
      ).slice(0, limit),
    async totals() {
      const live = rowsWhere(isLive);
      return {
        sessions: sessions.size,
        observations: live.length,
        prompts: prompts.size,
        deleted: observations.size - live.length,
        relations: relations.size,
        projects: [...new Set(live.flatMap((row) => row.project ?? []))].sort(),
      };
    },
    sessionsAfter: async (id, limit) => pageAfter(sessions.values(), (row) => row.id, id, limit),
    observationsAfter: async (id, limit) => pageAfter(observations.values(), (row) => row.id, id, limit),
    promptsAfter: async (id, limit) => pageAfter(prompts.values(), (row) => row.id, id, limit),
    relationsAfter: async (id, limit) => pageAfter(relations.values(), (row) => row.id, id, limit),
  };
}

function isLive(row: Observation): boolean {
  return row.deleted_at === null;
}

function isIn(row: Observation, place: Pick<Observation, "project" | "scope" | "namespace">): boolean {
  return row.project === place.project && row.scope === place.scope && row.namespace === place.namespace;
}

function isEqual(row: Observation, query: DuplicateQuery): boolean {
  return (
    row.normalized_hash === query.normalized_hash &&
    row.type === query.type &&
    row.title === query.title &&
    isIn(row, query)
  );
}

function staleRows(live: readonly Observation[], { filter, before, limit, after }: StaleQuery): Observation[] {
  const dated = live.flatMap((row) => {
    const at = readTime(row.created_at);
    if (at === undefined || at >= before || !isOf(row, filter)) return [];
    const isLater = after === undefined || at > after.createdAt || (at === after.createdAt && row.id > after.id);
    return isLater ? [{ row, at }] : [];
  });
  dated.sort((first, second) => first.at - second.at || first.row.id - second.row.id);
  return dated.slice(0, limit).map(({ row }) => row);
}

function survey(rows: readonly Observation[], bounds: readonly number[]): StaleSurvey {
  const byAge = bounds.map(() => 0);
  const unreadable: number[] = [];
  for (const row of rows) {
    const at = readTime(row.created_at);
    if (at === undefined) unreadable.push(row.id);
    // Bounds descend: the last one that the row is before is the one it belongs to.
    const age = at === undefined ? -1 : bounds.findLastIndex((bound) => at < bound);
    if (age >= 0) byAge[age] = (byAge[age] ?? 0) + 1;
  }
  return {
    total: byAge.reduce((sum, count) => sum + count, 0),
    byAge,
    unreadable: {
      count: unreadable.length,
      ids: unreadable.sort((first, second) => first - second).slice(0, MOST_UNREADABLE),
    },
  };
}

// Full-text search without an index: the words of each row as a full-text table would split them, literal matches first,
// then by how often the words occur, then the newest.

interface Columns {
  /** As written, in lower case. */
  readonly lower: readonly string[];
  /** ` token token `: a phrase is found as ` token token ` inside. */
  readonly tokens: readonly string[];
}

interface WantedWord {
  readonly lower: string;
  /** Undefined where the word is looked for as it stands. */
  readonly phrase: string | undefined;
}

const TOKEN = /[\p{L}\p{N}\p{Co}]+/gu;
const DIACRITICS = /[\u0300-\u036f]/g;
/** How fast another occurrence of a word stops to matter, as in BM25. */
const SATURATION = 1.2;

/** Rows are frozen, so what was made of one stays true as long as it lives. */
const made = new WeakMap<Observation, Columns>();

export function findRows(rows: Iterable<Observation>, query: SearchQuery): SearchResult {
  const wanted = query.words.map(wantedWord);
  const found: { row: Observation; isLiteral: boolean; score: number }[] = [];
  for (const row of newestFirst([...rows].filter((row) => isOf(row, query.filter) && hasStatus(row, query.standing)))) {
    const columns = columnsOf(row);
    const score = scoreOf(columns, wanted);
    if (score > 0) found.push({ row, score, isLiteral: isLiteral(columns, wanted) });
  }
  // Sorting is stable: equals stay newest first.
  found.sort((first, second) => Number(second.isLiteral) - Number(first.isLiteral) || second.score - first.score);
  const page = found.slice(query.offset, query.offset + query.limit);
  return { rows: page.map(({ row }) => row), total: found.length, isBounded: false };
}

/** Zero where a word is missing. */
function scoreOf(columns: Columns, wanted: readonly WantedWord[]): number {
  let score = 0;
  for (const { lower, phrase } of wanted) {
    const times = phrase === undefined ? occurrences(columns.lower, lower) : occurrences(columns.tokens, phrase);
    if (times === 0) return 0;
    score += times / (times + SATURATION);
  }
  return score;
}

function isLiteral(columns: Columns, wanted: readonly WantedWord[]): boolean {
  return wanted.every(({ lower }) => columns.lower.some((column) => column.includes(lower)));
}

function occurrences(columns: readonly string[], text: string): number {
  let times = 0;
  for (const column of columns) {
    // One unit on, so that the space between two tokens serves both.
    for (let at = column.indexOf(text); at >= 0; at = column.indexOf(text, at + Math.max(1, text.length - 1))) times++;
  }
  return times;
}

function wantedWord({ text, isSubstring }: SearchWord): WantedWord {
  return { lower: text.toLowerCase(), phrase: isSubstring ? undefined : tokenText(text) };
}

function columnsOf(row: Observation): Columns {
  const known = made.get(row);
  if (known !== undefined) return known;
  const texts = [row.title, row.content, row.tool_name ?? "", row.type, row.project ?? ""];
  const columns = { lower: texts.map((text) => text.toLowerCase()), tokens: texts.map(tokenText) };
  made.set(row, columns);
  return columns;
}

/** Letters, numbers and private use in lower case without diacritics; everything else parts tokens. */
function tokenText(text: string): string {
  const plain = text.normalize("NFD").replace(DIACRITICS, "").toLowerCase();
  return ` ${(plain.match(TOKEN) ?? []).join(" ")} `;
}

// Filters and orders of rows: by real time, whatever shape it was written in, equals by id.

interface Dated {
  readonly id: number;
  readonly created_at: string;
}

export function isOf(row: Observation, { project, scope, namespace, type }: ObservationFilter): boolean {
  return (
    (project === undefined || row.project === project) &&
    (scope === undefined || row.scope === scope) &&
    (namespace === undefined || row.namespace === namespace) &&
    (type === undefined || row.type === type)
  );
}

export function hasStatus(row: Observation, standing: RowStatus): boolean {
  return standing === "any" || (row.deleted_at === null) === (standing === "live");
}

/** Rows of unreadable times come last. */
export function newestFirst<Row extends Dated>(rows: Iterable<Row>): Row[] {
  return latestFirst(rows, (row) => row.created_at, byIdDown);
}

/** Equals in the order of `tie`, or the later of them first where there is none. */
export function latestFirst<Row>(
  rows: Iterable<Row>,
  written: (row: Row) => string,
  tie?: (first: Row, second: Row) => number,
): Row[] {
  const dated = [...rows].map((row, index) => ({ row, index, at: readTime(written(row)) ?? Number.NEGATIVE_INFINITY }));
  dated.sort((first, second) => {
    if (first.at !== second.at) return first.at < second.at ? 1 : -1;
    return tie?.(first.row, second.row) ?? second.index - first.index;
  });
  return dated.map(({ row }) => row);
}

export function byId(first: { readonly id: number }, second: { readonly id: number }): number {
  return first.id - second.id;
}

export function byIdDown(first: { readonly id: number }, second: { readonly id: number }): number {
  return second.id - first.id;
}

/** Rows whose key comes after `key`, ascending. */
export function pageAfter<Row, Key extends string | number>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => Key,
  key: Key,
  limit: number,
): Row[] {
  return [...rows]
    .filter((row) => keyOf(row) > key)
    .sort((first, second) => (keyOf(first) < keyOf(second) ? -1 : 1))
    .slice(0, limit);
}
