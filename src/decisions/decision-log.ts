// The contract of a decision log: reads, counts and writes of records inside one transaction. What a level, a review or a
// principle means is decided once, on top of it; a store only counts fast.
import { CompactError } from "../errors.ts";
import type { Trace } from "../trace/emit.ts";
import type { Level, Outcome, RawDecision, RecordFault, StoredDecision } from "./decision.ts";
import { NO_RANK } from "./evidence.ts";
import type { Policies } from "./levels.ts";

/** What decisions must be; an absent key does not restrict. All are compared exactly, words without case. */
export interface DecisionFilter {
  readonly category?: string;
  readonly agent?: string;
  readonly status?: string;
  /** Each occurs in text, context, pattern, lessons, result, reasons or tags. */
  readonly words?: readonly string[];
}

/** What levels are worked out by: levels.ts. */
export interface LevelView {
  readonly policies: Policies;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface PageQuery {
  readonly filter: DecisionFilter;
  readonly view: LevelView;
  /** Default: all. */
  readonly levels?: readonly Level[];
  /** False leaves out what is preserved, by its mark or by its policy. Default true. */
  readonly includePreserved?: boolean;
  readonly limit: number;
  /** Only decisions that come later in the order than this one. */
  readonly after?: Position;
}

/** A place in the order: latest decided first, those without a readable date last, equals by ascending id. */
export interface Position {
  readonly decidedAt?: number;
  readonly id: string;
}

export interface LeveledDecision {
  readonly decision: StoredDecision;
  readonly level: Level;
}

export type LevelCounts = Readonly<Record<Level, number>>;

export interface LevelSurvey {
  readonly total: number;
  /** Preserved by their mark or by their policy. */
  readonly preserved: number;
  readonly levels: LevelCounts;
}

/** Reviewed decisions; with `view` only those whose age alone (`levelByAge`) is that of wisdom. */
export interface ReviewedQuery {
  readonly filter: DecisionFilter;
  readonly view?: LevelView;
}

/** So many reviewed decisions agree in all of this. */
export interface Tally {
  readonly category: string;
  readonly outcome?: Outcome;
  readonly confidence?: number;
  readonly count: number;
}

/** Decisions that hold evidence of this key (evidence.ts), each counted once. */
export interface WordingCounts {
  /** Successes that nothing has superseded. */
  readonly confirmations: number;
  /** Failures that had it as pattern or reason. */
  readonly contradictions: number;
  /** Failures that are filed under it: that had it as pattern, or had no pattern and decided it. */
  readonly failures: number;
  /** All that hold it, whatever came of them; what was decided is held by failures without a pattern alone. */
  readonly decisions: number;
  /** What it was at best where it was confirmed: 0 a pattern, 1 a lesson, 2 a reason; 3 where it never was. */
  readonly rank: number;
}

export const NO_COUNTS: WordingCounts = {
  confirmations: 0,
  contradictions: 0,
  failures: 0,
  decisions: 0,
  rank: NO_RANK,
};

/** Counts of two taken for one. */
export function joinCounts(a: WordingCounts, b: WordingCounts, join: (a: number, b: number) => number): WordingCounts {
  return {
    confirmations: join(a.confirmations, b.confirmations),
    contradictions: join(a.contradictions, b.contradictions),
    failures: join(a.failures, b.failures),
    decisions: join(a.decisions, b.decisions),
    rank: Math.min(a.rank, b.rank),
  };
}

export interface Wording extends WordingCounts {
  readonly category: string;
  readonly key: string;
}

/** Several wordings taken for one. */
export interface WordingGroup extends WordingCounts {
  /** Of the key that most of its decisions have, the text that most have, as written; of equals the one that sorts first. */
  readonly text: string;
  /** Sorted. */
  readonly categories: readonly string[];
  /** At most three each, latest decided first. */
  readonly confirmingIds: readonly string[];
  readonly contradictingIds: readonly string[];
  readonly failingIds: readonly string[];
}

/** A decision whose level differs from the one it had in the last cycle, or from full where it had none. */
export interface LevelChange {
  readonly id: string;
  readonly category: string;
  readonly agent: string;
  readonly from: Level;
  readonly to: Level;
  /** Of the record, as in `StoredDecision`. */
  readonly hash: string;
  /** Of its confidence components; absent where the record has neither components nor a confidence. */
  readonly confidence?: { readonly least: number; readonly spread: number };
}

/** A text made of one record; of no use once the record's hash is another. */
export interface DecisionText {
  readonly id: string;
  readonly level: "summary" | "digest";
  readonly hash: string;
  readonly strategy: string;
  /** Name of the model; `extractive` for code. */
  readonly model: string;
  readonly text: string;
  /** Who wrote it. */
  readonly source: "llm" | "extractive";
}

export interface CycleRun {
  readonly id: string;
  /** ISO 8601 with `Z`. */
  readonly started_at: string;
  readonly finished_at: string;
  /** `schedule`, or who asked. */
  readonly trigger: string;
  readonly total: number;
  readonly preserved: number;
  readonly levels: LevelCounts;
  /** Decisions whose level changed. */
  readonly changed: number;
  /** Texts that were written, by who wrote them. */
  readonly texts: { readonly llm: number; readonly extractive: number; readonly failed: number };
}

export interface DecisionReader {
  /** In the order of `ids`; unknown ones left out. */
  decisions(ids: readonly string[]): Promise<readonly StoredDecision[]>;
  /** Ids that begin so, sorted, at most `limit`; one that is equal stands alone. */
  idsLike(prefix: string, limit: number): Promise<readonly string[]>;
  page(query: PageQuery): Promise<readonly LeveledDecision[]>;
  survey(query: Omit<PageQuery, "limit" | "after" | "levels">): Promise<LevelSurvey>;
  /** Records that are not served as they should be, sorted by id; at most `limit`, with their whole number. */
  faults(limit: number): Promise<{ readonly count: number; readonly faults: readonly RecordFault[] }>;
  /** Decisions that nobody has reviewed and whose `review_by` (ISO 8601) sorts before `day`; the earliest first, then by id. */
  overdue(filter: DecisionFilter, day: string, limit: number): Promise<readonly StoredDecision[]>;
  /** In no order. */
  tally(query: ReviewedQuery): Promise<readonly Tally[]>;
  /**
   * For each category at most `most`: first those with most confirmations or most failures, whichever is more, then with
   * most confirmations, then with most decisions, then by key.
   */
  wordings(query: ReviewedQuery, most: number): Promise<readonly Wording[]>;
  /** One for each list of keys, in their order: of all decisions that hold any of them. */
  groupWordings(query: ReviewedQuery, groups: readonly (readonly string[])[]): Promise<readonly WordingGroup[]>;
  /** Sorted by id. */
  levelChanges(view: LevelView, filter: DecisionFilter): Promise<readonly LevelChange[]>;
  /** All texts there are of these decisions, those of other hashes left out. */
  texts(ids: readonly string[]): Promise<readonly DecisionText[]>;
  /** Latest first. */
  runs(limit: number): Promise<readonly CycleRun[]>;
  /** A small value kept beside the records; undefined where none is. */
  state(key: string): Promise<unknown>;
}

export interface DecisionWriter extends DecisionReader {
  /** @throws Conflict (`DECISION_EXISTS`) for an id that is there; InvalidInput for a record that could not be read back. */
  add(raw: RawDecision): Promise<StoredDecision>;
  /**
   * Sets these keys of the record and leaves all else of it as it is written; null is stored as null.
   * @throws NotFound for an unknown id.
   */
  change(id: string, changes: RawDecision): Promise<StoredDecision>;
  /** Puts a record in the place of the one with its id. @throws NotFound. */
  replace(raw: RawDecision): Promise<StoredDecision>;
  /** The levels of a cycle; what is not named keeps its own. */
  setLevels(levels: readonly { readonly id: string; readonly level: Level }[]): Promise<void>;
  /** Replaces texts of the same decision, level, strategy and model, and drops those made of another hash. */
  putTexts(texts: readonly DecisionText[]): Promise<void>;
  addRun(run: CycleRun): Promise<void>;
  /** Undefined removes it. Values are JSON. */
  setState(key: string, value: unknown): Promise<void>;
}

export interface DecisionLog {
  /** `sqlite`, `cstp-yaml`, `memory`. */
  readonly adapter: string;
  /** A path, or `memory`. */
  readonly location: string;
  /**
   * One consistent state. Do not call `read` or `write` of the same log inside.
   * @throws StoreFailed; NotFound where there is no log.
   */
  read<T>(work: (log: DecisionReader) => Promise<T>): Promise<T>;
  /**
   * One writer at a time, across processes. What `work` wrote is gone when it rejects. `work` must not wait for anything
   * but the log: no model, no network.
   * @throws StoreFailed.
   */
  write<T>(work: (log: DecisionWriter) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// What every function over a decision log is given besides the log and its request.

export interface DecisionOptions {
  readonly policies: Policies;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly trace?: Pick<Trace, "emit"> | undefined;
}

// Long lists, a query's worth at a time.

const BATCH = 500;

export function inBatches<Item>(items: readonly Item[], size = BATCH): readonly (readonly Item[])[] {
  const batches: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += size) batches.push(items.slice(from, from + size));
  return batches;
}

/** All pages of a query, one after another. */
export async function* pagesOf(
  log: Pick<DecisionReader, "page">,
  query: Omit<PageQuery, "limit" | "after">,
): AsyncGenerator<readonly LeveledDecision[]> {
  let after: Position | undefined;
  for (;;) {
    const page = await log.page({ ...query, limit: BATCH, ...(after === undefined ? {} : { after }) });
    yield page;
    if (page.length < BATCH) return;
    after = positionOf(page.at(-1));
  }
}

export function positionOf(item: LeveledDecision | undefined): Position {
  const { id = "", decidedAt } = item?.decision ?? {};
  return { id, ...(decidedAt === undefined ? {} : { decidedAt }) };
}

/** Of a call after `close`. */
export function logClosed(): CompactError {
  return new CompactError("StoreFailed", "the decision log is closed", {
    code: "STORE_CLOSED",
    hint: "Open the log again before reading or writing.",
  });
}
