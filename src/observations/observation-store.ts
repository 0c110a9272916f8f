// The contract of a memory store: plain reads and writes of rows inside one transaction. What a save, a search or a
// compaction means is decided once, on top of it, in the other files of this folder.
import type { NewObservation, Observation, Prompt, Relation, Session } from "./observation.ts";
import type { SearchWord } from "./search-words.ts";

/** What rows must be; an absent key does not restrict. Project, namespace and type are compared exactly. */
export interface ObservationFilter {
  readonly project?: string;
  readonly scope?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly session_id?: string;
  /** This topic key, or one that goes on behind it with a slash. */
  readonly topic?: string;
}

/** `live`: not deleted. `deleted`: soft-deleted only. */
export type RowStatus = "live" | "deleted" | "any";

export interface StaleQuery {
  readonly filter: ObservationFilter;
  /** Milliseconds since the epoch: rows are created strictly before. */
  readonly before: number;
  readonly limit: number;
  /** Only rows that come later in the order than this one. */
  readonly after?: { readonly createdAt: number; readonly id: number } | undefined;
}

export interface StaleSurvey {
  /** All live rows of the filter that are stale. */
  readonly total: number;
  /** Stale rows by the bounds given: created before `bounds[i]` and not before `bounds[i + 1]`; the last has no end. */
  readonly byAge: readonly number[];
  /** Live rows of the filter whose `created_at` cannot be read: never stale. At most 20 ids. */
  readonly unreadable: { readonly count: number; readonly ids: readonly number[] };
}

export interface SearchQuery {
  /** All must occur in title, content, tool name, type or project. At least one. */
  readonly words: readonly SearchWord[];
  readonly filter: ObservationFilter;
  readonly standing: RowStatus;
  readonly limit: number;
  readonly offset: number;
}

export interface SearchResult {
  /** Best first, equals newest first. */
  readonly rows: readonly Observation[];
  /** Rows that match; exact unless `isBounded`. */
  readonly total: number;
  /** True where not every row was looked at or ranked: only the newest were. */
  readonly isBounded: boolean;
}

export interface AnyWordQuery {
  /** One of them must occur, where `search` looks. At least one. */
  readonly words: readonly SearchWord[];
  readonly filter: ObservationFilter;
  readonly standing: RowStatus;
}

interface ListQuery {
  readonly filter: ObservationFilter;
  readonly standing: RowStatus;
  readonly limit: number;
  readonly offset: number;
}

export interface Totals {
  readonly sessions: number;
  readonly observations: number;
  readonly prompts: number;
  readonly deleted: number;
  readonly relations: number;
  /** Sorted, of live rows. */
  readonly projects: readonly string[];
}

export interface DuplicateQuery {
  readonly normalized_hash: string;
  readonly project: string | null;
  readonly scope: string;
  readonly type: string;
  readonly title: string;
  readonly namespace: string | null;
}

export interface ObservationReader {
  /** False in a database whose table has no such column: rows with one cannot be written there. */
  readonly hasNamespaces: boolean;
  /** In the order of `ids`; deleted rows too, unknown ids left out. */
  observations(ids: readonly number[]): Promise<readonly Observation[]>;
  /** Newest first by time of creation. */
  list(query: ListQuery): Promise<readonly Observation[]>;
  count(filter: ObservationFilter, standing: RowStatus): Promise<number>;
  /** Live rows by real time of creation, oldest first, equals by id. Rows with an unreadable time are never among them. */
  stale(query: StaleQuery): Promise<readonly Observation[]>;
  /** `bounds`: milliseconds since the epoch, descending; the first is the query's `before`. */
  surveyStale(filter: ObservationFilter, bounds: readonly number[]): Promise<StaleSurvey>;
  search(query: SearchQuery): Promise<SearchResult>;
  /** Ids of the rows that have any of the words, latest id first; of very many the latest 3,000. */
  withAnyWord(query: AnyWordQuery): Promise<readonly number[]>;
  /**
   * Words of all rows that begin so, as `indexTokens` gives them, in the order of their letters; at most `limit`.
   * @param start at least one letter, a beginning of such a word.
   */
  wordsFrom(start: string, limit: number): Promise<readonly string[]>;
  /** The live row of a topic; the latest updated where other writers left several. Null matches null only. */
  ofTopic(
    topicKey: string,
    project: string | null,
    scope: string,
    namespace: string | null,
  ): Promise<Observation | undefined>;
  /** Rows equal in all of the query, newest first. */
  equals(query: DuplicateQuery, standing: RowStatus): Promise<readonly Observation[]>;
  /** Live rows of one session around an id, ascending; the row itself is in neither. */
  around(
    id: number,
    sessionId: string,
    before: number,
    after: number,
  ): Promise<{
    readonly before: readonly Observation[];
    readonly after: readonly Observation[];
    readonly total: number;
  }>;
  /** Every relation from or to one of the ids, ascending by id. */
  relations(ids: readonly number[]): Promise<readonly Relation[]>;
  relation(id: number): Promise<Relation | undefined>;
  session(id: string): Promise<Session | undefined>;
  /** Latest started first. */
  sessions(query: { readonly project?: string; readonly limit: number }): Promise<readonly Session[]>;
  /** Newest first. */
  prompts(query: {
    readonly project?: string;
    readonly namespace?: string;
    readonly limit: number;
  }): Promise<readonly Prompt[]>;
  totals(): Promise<Totals>;
  /** For exports: a table in pages, ascending by key; pass the last key of the page before. */
  sessionsAfter(id: string, limit: number): Promise<readonly Session[]>;
  observationsAfter(id: number, limit: number): Promise<readonly Observation[]>;
  promptsAfter(id: number, limit: number): Promise<readonly Prompt[]>;
  relationsAfter(id: number, limit: number): Promise<readonly Relation[]>;
}

export interface ObservationWriter extends ObservationReader {
  /** Adds the session unless one of its id exists. True when it was added. */
  addSession(session: Session): Promise<boolean>;
  /** False for an unknown id. */
  endSession(id: string, endedAt: string, summary: string | null): Promise<boolean>;
  /** Its session must exist. Returns the row's id; ids are never used twice. */
  addObservation(row: NewObservation): Promise<number>;
  /** Replaces these columns; `deleted_at` included, so a restore is a change to null. Returns the number of rows changed. */
  changeObservations(ids: readonly number[], changes: Partial<Omit<Observation, "id">>): Promise<number>;
  /** Removes the row and its relations for good. */
  removeObservation(id: number): Promise<boolean>;
  addPrompt(prompt: Omit<Prompt, "id"> & { readonly id?: number }): Promise<number>;
  /** Undefined where the same relation (from, to, type) exists. */
  addRelation(relation: Omit<Relation, "id">): Promise<number | undefined>;
  removeRelation(id: number): Promise<boolean>;
}

export interface ObservationStore {
  /** `sqlite`, `memory`. */
  readonly adapter: string;
  /** Where the rows are: a path, or `memory`. */
  readonly location: string;
  /**
   * One consistent state. Do not call `read` or `write` of the same store inside.
   * @throws StoreFailed when the database cannot be opened or read.
   */
  read<T>(work: (rows: ObservationReader) => Promise<T>): Promise<T>;
  /**
   * All or nothing: what `work` wrote is there when it resolves and gone when it rejects, also for other processes. One
   * writer at a time. `work` must not wait for anything but `rows`: no model, no network.
   * @throws StoreFailed, with code `STORE_BUSY` when another process writes for longer than is bearable and
   * `STORE_READ_ONLY` where nothing can be written.
   */
  write<T>(work: (rows: ObservationWriter) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
