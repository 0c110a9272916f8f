// Finds rows by words: those that have all of them; where these are few, those that answer best in whatever words. A search
// without words finds nothing: the newest rows are memory-overview.ts's to give.

import type { Observation } from "../observation.ts";
import type { ObservationFilter, ObservationReader, ObservationStore, RowStatus } from "../observation-store.ts";
import { type RowsAsked, rowFilter, sizeOf } from "../row-filter.ts";
import { type SearchWord, searchWords } from "../search-words.ts";
import { answeringPlace, formsOf, plainTerms, rankedByTerms, type Term } from "./question.ts";
import { compactedIds, successorsOf } from "./row-view.ts";

const DEFAULT_LIMIT = 10;

export interface SearchRequest extends RowsAsked {
  /** Words or a question; they are looked for in title, content, tool name, type and project. Nothing in it is query syntax. */
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
  /** Offset in the content from which it answers: what to show of a long one. */
  readonly place: number;
  /** Of a row that stands for others: the one of them that answers best. */
  readonly origin?: Observation;
}

export interface SearchedObservations {
  /** First those with all words, best first, equals newest first; then those that answer best without. */
  readonly found: readonly FoundObservation[];
  /** Rows to be found, with and without all words; exact unless `isBounded`. */
  readonly total: number;
  /** Where rows were looked for that have not all words: how many of `total` have them, and longer words that no row has in any form. */
  readonly loosely?: { readonly withAllWords: number; readonly unknownWords: readonly string[] };
  /** Only the newest rows were looked at or ranked. */
  readonly isBounded: boolean;
  /** Why nothing can be found, where that lies in the query. */
  readonly reason?: "no_words";
  /** Deleted rows that match, counted where a search of live rows found none with all words. */
  readonly deletedMatches: number;
}

/** From so many words on a query is a question: rows with all of them may have them by chance, and are followed by others. */
const QUESTION_WORDS = 3;
/** Rows with all words that are enough even for a question. */
const ENOUGH = 5;
const MOST_LOOSE = 20;
const SHOWN_UNITS = 300;

/** Throws what the store throws; no query text makes it fail. */
export async function searchObservations(
  store: ObservationStore,
  request: SearchRequest,
): Promise<SearchedObservations> {
  const words = searchWords(request.query);
  if (words.length === 0) return { found: [], total: 0, isBounded: false, reason: "no_words", deletedMatches: 0 };
  const query = { words, filter: rowFilter(request), standing: request.standing ?? "live" };
  const limit = sizeOf(request.limit, DEFAULT_LIMIT);
  const offset = sizeOf(request.offset, 0);
  return store.read(async (rows) => {
    const { rows: exact, total, isBounded } = await rows.search({ ...query, limit, offset });
    const isEnough = total >= ENOUGH || (total > 0 && words.length < QUESTION_WORDS);
    const loose = isEnough ? undefined : await findLoosely(rows, query, request.query);
    const others = loose?.rows.slice(Math.max(0, offset - total), offset + limit - total) ?? [];
    const terms = loose?.terms ?? plainTerms(request.query);
    const compacted =
      total === 0 && query.standing === "live"
        ? await rows.search({ ...query, standing: "deleted", limit: 1, offset: 0 })
        : undefined;
    return {
      found: await described(rows, [...exact, ...others], terms),
      total: total + (loose?.rows.length ?? 0),
      ...(loose === undefined ? {} : { loosely: { withAllWords: total, unknownWords: loose.unknown } }),
      isBounded,
      deletedMatches: compacted?.total ?? 0,
    };
  });
}

// The rows that answer best, though they have not all words.

interface LooseQuery {
  readonly words: readonly SearchWord[];
  readonly filter: ObservationFilter;
  readonly standing: RowStatus;
}

/** Rows whose texts are read. */
const MOST_READ = 200;
/** Of the best row's score: what has less is no answer. */
const LEAST_SHARE = 0.4;

async function findLoosely(rows: ObservationReader, { words, filter, standing }: LooseQuery, query: string) {
  const all = await rows.count(filter, standing);
  const terms: Term[] = [];
  const worth = new Map<number, number>();
  for (const term of plainTerms(query)) {
    const forms = term.isSubstring ? term.forms : await formsOf(rows, term.word);
    const anyOf = [...forms.keys()].map((text) => ({ text, isSubstring: term.isSubstring }));
    const ids = anyOf.length === 0 ? [] : await rows.withAnyWord({ words: anyOf, filter, standing });
    const weight = term.weight * Math.log(1 + all / Math.max(1, ids.length));
    terms.push({ ...term, weight, forms: ids.length === 0 ? new Map() : forms });
    for (const id of ids) worth.set(id, (worth.get(id) ?? 0) + weight);
  }
  const best = [...worth].sort(([id, one], [other, another]) => another - one || other - id).slice(0, MOST_READ);
  const ranked = rankedByTerms(await rows.observations(best.map(([id]) => id)), terms);
  const exact = await rows.search({ words, filter, standing, limit: ENOUGH, offset: 0 });
  const known = new Set(exact.rows.map(({ id }) => id));
  const least = (ranked[0]?.score ?? 0) * LEAST_SHARE;
  const answers = ranked.filter(({ row, score }) => score >= least && !known.has(row.id));
  const unknown = terms.filter(({ forms, isTelling }) => forms.size === 0 && isTelling).map(({ word }) => word);
  return { terms, unknown, rows: answers.slice(0, MOST_LOOSE).map(({ row }) => row) };
}

// What is told of a row that was found.

async function described(
  rows: ObservationReader,
  found: readonly Observation[],
  terms: readonly Term[],
): Promise<readonly FoundObservation[]> {
  const successors = await successorsOf(rows, found);
  const relations = await rows.relations(found.map(({ id }) => id));
  const described: FoundObservation[] = [];
  for (const observation of found) {
    const { id, content } = observation;
    const [best] = rankedByTerms(await rows.observations(compactedIds(relations, id)), terms);
    described.push({
      observation,
      compactedInto: successors.get(id) ?? [],
      place: answeringPlace(content, terms, SHOWN_UNITS),
      ...(best === undefined ? {} : { origin: best.row }),
    });
  }
  return described;
}
