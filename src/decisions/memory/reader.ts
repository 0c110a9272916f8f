// Answers every question of the log contract from an index of records and what is kept beside it. The folder of files reads
// through it as well.
import type { StoredDecision } from "../decision.ts";
import type { DecisionReader, ReviewedQuery, Tally } from "../decision-log.ts";
import { levelChanges, pageOf, surveyOf } from "./count-levels.ts";
import type { Kept } from "./kept.ts";
import { isReviewed } from "./matches.ts";
import { compareTexts } from "./order.ts";
import type { RecordIndex } from "./record-index.ts";
import { countWordings, groupWordings } from "./wordings.ts";

export function createIndexReader(index: RecordIndex, kept: Kept): DecisionReader {
  const reviewed = (query: ReviewedQuery) => index.decisions().filter((decision) => isReviewed(decision, query));
  return {
    decisions: async (ids) => ids.flatMap((id) => index.get(id) ?? []),
    idsLike: async (prefix, limit) => idsLike(index, prefix, limit),
    page: async (query) => pageOf(index.decisions(), query),
    survey: async (query) => surveyOf(index.decisions(), query),
    faults: async (limit) => ({ count: index.faults().length, faults: index.faults().slice(0, limit) }),
    tally: async (query) => tallyOf(reviewed(query)),
    wordings: async (query, most) => countWordings(reviewed(query), most),
    groupWordings: async (query, groups) => groupWordings(reviewed(query), groups),
    levelChanges: async (view, filter) => levelChanges(index.decisions(), kept.levels, view, filter),
    texts: async (ids) =>
      [...new Set(ids)].flatMap((id) => {
        const hash = index.get(id)?.hash;
        return kept.texts.get(id)?.filter((text) => text.hash === hash) ?? [];
      }),
    runs: async (limit) =>
      // Sorting is stable: of runs that started at once the one added last comes first.
      [...kept.runs]
        .reverse()
        .sort((first, second) => compareTexts(second.started_at, first.started_at))
        .slice(0, limit),
    state: async (key) => structuredClone(kept.state.get(key)),
  };
}

function idsLike(index: RecordIndex, prefix: string, limit: number): readonly string[] {
  if (index.get(prefix) !== undefined) return [prefix].slice(0, limit);
  return index
    .ids()
    .filter((id) => id.startsWith(prefix))
    .slice(0, limit);
}

function tallyOf(decisions: readonly StoredDecision[]): readonly Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { category, outcome, confidence } of decisions) {
    const key = JSON.stringify([category, outcome, confidence]);
    const alike = {
      category,
      ...(outcome === undefined ? {} : { outcome }),
      ...(confidence === undefined ? {} : { confidence }),
    };
    tallies.set(key, { ...alike, count: (tallies.get(key)?.count ?? 0) + 1 });
  }
  return [...tallies.values()];
}
