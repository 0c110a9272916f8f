// Finds rows by words. A search without words finds nothing: the newest rows are memory-overview.ts's to give.
import type { Observation } from "../observation.ts";
import type { ObservationStore, RowStatus } from "../observation-store.ts";
import { type RowsAsked, rowFilter, sizeOf } from "../row-filter.ts";
import { searchWords } from "../search-words.ts";
import { successorsOf } from "./row-view.ts";

const DEFAULT_LIMIT = 10;

export interface SearchRequest extends RowsAsked {
  /** Words that must all occur, in title, content, tool name, type or project; nothing in it is query syntax. */
  readonly query: string;
  /** 10 where absent or below 1. */
  readonly limit?: number | undefined;
  /** Rows to leave out at the beginning. */
  readonly offset?: number | undefined;
  /** `live` by default; `any` looks among soft-deleted rows too, `deleted` among them alone. */
  readonly standing?: RowStatus | undefined;
}

export interface FoundObservation {
  readonly observation: Observation;
  /** Of a deleted row: the rows that stand for it, latest first. */
  readonly compactedInto: readonly number[];
}

export interface SearchedObservations {
  /** Best first, equals newest first. */
  readonly found: readonly FoundObservation[];
  /** Rows that match; exact unless `isBounded`. */
  readonly total: number;
  /** Only the newest rows were looked at or ranked. */
  readonly isBounded: boolean;
  /** Why nothing can be found, where that lies in the query. */
  readonly reason?: "no_words";
  /** Deleted rows that match, counted where a search of live rows found none. */
  readonly deletedMatches: number;
}

/** Throws what the store throws; no query text makes it fail. */
export async function searchObservations(
  store: ObservationStore,
  request: SearchRequest,
): Promise<SearchedObservations> {
  const words = searchWords(request.query);
  if (words.length === 0) return { found: [], total: 0, isBounded: false, reason: "no_words", deletedMatches: 0 };
  const filter = rowFilter(request);
  const standing = request.standing ?? "live";
  const limit = sizeOf(request.limit, DEFAULT_LIMIT);
  const offset = sizeOf(request.offset, 0);
  return store.read(async (rows) => {
    const result = await rows.search({ words, filter, standing, limit, offset });
    const successors = await successorsOf(rows, result.rows);
    const isEmpty = result.total === 0 && standing === "live";
    const compacted = isEmpty && (await rows.search({ words, filter, standing: "deleted", limit: 1, offset: 0 }));
    return {
      found: result.rows.map((observation) => ({ observation, compactedInto: successors.get(observation.id) ?? [] })),
      total: result.total,
      isBounded: result.isBounded,
      deletedMatches: compacted ? compacted.total : 0,
    };
  });
}
