// The rows of a memory store in memory, with their transactions: what memory-observation-store.ts takes its turns on.
import { CompactError } from "../../errors.ts";
import { readTime } from "../../time.ts";
import { COLUMNS, type Observation, type Prompt, type Relation, type Rows, type Session } from "../observation.ts";
import type {
  ObservationFilter,
  ObservationReader,
  ObservationStore,
  RowStatus,
  SearchQuery,
  SearchResult,
  StaleQuery,
  StaleSurvey,
} from "../observation-store.ts";
import { latestFirst, matches } from "../row-filter.ts";
import { createWriter, type RowTables } from "../row-writer.ts";
import { indexTokens, type SearchWord } from "../search-words.ts";

/** By id. Rows are frozen copies, so callers never share one. */
interface Tables {
  readonly sessions: Map<string, Session>;
  readonly observations: Map<number, Observation>;
  readonly prompts: Map<number, Prompt>;
  readonly relations: Map<number, Relation>;
}

export function openRows(): Pick<ObservationStore, "read" | "write"> {
  let tables: Tables = { sessions: new Map(), observations: new Map(), prompts: new Map(), relations: new Map() };
  const lastIds = { sessions: 0, observations: 0, prompts: 0, relations: 0 };
  return {
    read: (work) => work(createReader(tables)),
    async write(work) {
      // What fails leaves the rows as they were.
      const { sessions, observations, prompts, relations } = tables;
      const copy = {
        sessions: new Map(sessions),
        observations: new Map(observations),
        prompts: new Map(prompts),
        relations: new Map(relations),
      };
      const transaction = { isOver: false };
      try {
        const result = await work(createWriter(createReader(copy), tablesIn(copy, lastIds, transaction)));
        tables = copy;
        return result;
      } finally {
        transaction.isOver = true;
      }
    },
  };
}

function tablesIn(
  tables: Tables,
  lastIds: Record<keyof Rows, number>,
  transaction: { readonly isOver: boolean },
): RowTables {
  const open = (table: keyof Rows): Map<unknown, object> => {
    if (transaction.isOver) throw transactionOver();
    return tables[table];
  };
  return {
    exists: (table, id) => (tables[table] as ReadonlyMap<unknown, unknown>).has(id),
    hasRelation: ({ from_id, to_id, type }) =>
      [...tables.relations.values()].some((known) => hasValues(known, { from_id, to_id, type })),
    insert(table, row) {
      if (table === "sessions") {
        open(table).set(row.id, frozenRow(table, row));
        return 0;
      }
      // Ids of transactions that failed are not given again.
      const id = Number(row.id ?? lastIds[table] + 1);
      lastIds[table] = Math.max(lastIds[table], id);
      open(table).set(id, frozenRow(table, { ...row, id }));
      return id;
    },
    update(table, ids, changes) {
      const rows = open(table);
      const known = [...new Set(ids)].filter((id) => rows.has(id));
      for (const id of known) rows.set(id, frozenRow(table, { ...rows.get(id), ...changes, id }));
      return known.length;
    },
    remove: (table, id) => open(table).delete(id),
  };
}

function frozenRow(table: keyof Rows, row: object): object {
  const columns = Object.keys(COLUMNS[table]);
  return Object.freeze(Object.fromEntries(columns.map((column) => [column, row[column as keyof typeof row]])));
}

function transactionOver(): CompactError {
  return new CompactError("StoreFailed", "nothing was written: the transaction is over", {
    code: "TRANSACTION_OVER",
    hint: "Wait for every write inside the function given to write().",
  });
}

// Answers every question of the store contract by looking at the rows one by one.

const MOST_UNREADABLE = 20;
const MOST_WITH_ANY = 3000;

function createReader(tables: Tables): ObservationReader {
  const { observations, prompts, relations, sessions } = tables;
  const rowsWhere = (isWanted: (row: Observation) => boolean) => [...observations.values()].filter(isWanted);
  const rowsOf = (filter: ObservationFilter, standing: RowStatus) =>
    rowsWhere((row) => matches(row, filter) && hasStatus(row, standing));
  return {
    hasNamespaces: true,
    observations: async (ids) => ids.flatMap((id) => observations.get(id) ?? []),
    list: async ({ filter, standing, limit, offset }) =>
      newestFirst(rowsOf(filter, standing)).slice(offset, offset + limit),
    count: async (filter, standing) => rowsOf(filter, standing).length,
    stale: async (query) => staleRows(rowsOf(query.filter, "live"), query),
    surveyStale: async (filter, bounds) => survey(rowsOf(filter, "live"), bounds),
    search: async (query) => findRows(newestFirst(rowsOf(query.filter, query.standing)), query),
    withAnyWord: async ({ words, filter, standing }) => idsWithAny(rowsOf(filter, standing), words),
    wordsFrom: async (start, limit) => wordsFrom(rowsOf({}, "any"), start).slice(0, limit),
    async ofTopic(topic_key, project, scope, namespace) {
      const rows = rowsOf({}, "live").filter((row) => hasValues(row, { topic_key, project, scope, namespace }));
      return latestFirst(rows, ({ updated_at }) => updated_at, idOf)[0];
    },
    async equals({ normalized_hash, project, scope, type, title, namespace }, standing) {
      const wanted = { normalized_hash, project, scope, type, title, namespace };
      return newestFirst(rowsOf({}, standing).filter((row) => hasValues(row, wanted)));
    },
    async around(id, sessionId, before, after) {
      const ofSession = byId(rowsOf({}, "live").filter((row) => row.session_id === sessionId));
      const earlier = ofSession.filter((row) => row.id < id);
      return {
        before: earlier.slice(Math.max(0, earlier.length - before)),
        after: ofSession.filter((row) => row.id > id).slice(0, after),
        total: ofSession.length,
      };
    },
    async relations(ids) {
      const wanted = new Set(ids);
      return byId([...relations.values()].filter((row) => wanted.has(row.from_id) || wanted.has(row.to_id)));
    },
    relation: async (id) => relations.get(id),
    session: async (id) => sessions.get(id),
    async sessions({ project, limit }) {
      // Sorting is stable: of equals, the one that was added last comes first.
      const rows = [...sessions.values()].filter((row) => matches(row, { project })).reverse();
      const latest = latestFirst(
        rows,
        ({ started_at }) => started_at,
        () => 0,
      );
      return latest.slice(0, limit);
    },
    prompts: async ({ project, namespace, limit }) =>
      newestFirst([...prompts.values()].filter((row) => matches(row, { project, namespace }))).slice(0, limit),
    async totals() {
      const live = rowsOf({}, "live");
      return {
        sessions: sessions.size,
        observations: live.length,
        prompts: prompts.size,
        deleted: observations.size - live.length,
        relations: relations.size,
        projects: [...new Set(live.flatMap((row) => row.project ?? []))].sort(),
      };
    },
    sessionsAfter: async (id, limit) =>
      [...sessions.values()]
        .filter((row) => row.id > id)
        .sort((first, second) => (first.id < second.id ? -1 : 1))
        .slice(0, limit),
    observationsAfter: async (id, limit) => pageAfter(observations.values(), id, limit),
    promptsAfter: async (id, limit) => pageAfter(prompts.values(), id, limit),
    relationsAfter: async (id, limit) => pageAfter(relations.values(), id, limit),
  };
}

/** Latest id first. */
function idsWithAny(rows: readonly Observation[], words: readonly SearchWord[]): readonly number[] {
  const wanted = words.map(wantedWord);
  const found = rows.filter((row) => wanted.some((word) => scoreOf(columnsOf(row), [word]) > 0)).map(idOf);
  return found.sort((first, second) => second - first).slice(0, MOST_WITH_ANY);
}

function wordsFrom(rows: readonly Observation[], start: string): readonly string[] {
  const words = new Set<string>();
  for (const column of rows.flatMap((row) => columnsOf(row).tokens))
    for (let at = column.indexOf(` ${start}`); at >= 0; at = column.indexOf(` ${start}`, at + 1))
      words.add(column.slice(at + 1, column.indexOf(" ", at + 1)));
  return [...words].sort();
}

function hasStatus(row: Observation, standing: RowStatus): boolean {
  return standing === "any" || (row.deleted_at === null) === (standing === "live");
}

function hasValues<Row extends object>(row: Row, values: Partial<Row>): boolean {
  return Object.entries(values).every(([column, value]) => row[column as keyof Row] === value);
}

function idOf({ id }: { readonly id: number }): number {
  return id;
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((first, second) => first.id - second.id);
}

function newestFirst<Row extends { readonly id: number; readonly created_at: string }>(rows: readonly Row[]) {
  return latestFirst(rows, ({ created_at }) => created_at, idOf);
}

function pageAfter<Row extends { readonly id: number }>(rows: Iterable<Row>, id: number, limit: number): Row[] {
  return byId([...rows].filter((row) => row.id > id)).slice(0, limit);
}

function staleRows(live: readonly Observation[], { before, limit, after }: StaleQuery): Observation[] {
  const dated = live.flatMap((row) => {
    const at = readTime(row.created_at);
    if (at === undefined || at >= before) return [];
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

/** How fast another occurrence of a word stops to matter, as in BM25. */
const SATURATION = 1.2;

/** Rows are frozen, so what was made of one stays true as long as it lives. */
const made = new WeakMap<Observation, Columns>();

/** `rows`: newest first. */
function findRows(rows: readonly Observation[], query: SearchQuery): SearchResult {
  const wanted = query.words.map(wantedWord);
  const found: { row: Observation; isLiteral: boolean; score: number }[] = [];
  for (const row of rows) {
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

function tokenText(text: string): string {
  return ` ${indexTokens(text).join(" ")} `;
}
