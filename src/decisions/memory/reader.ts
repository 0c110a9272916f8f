// Answers every question of the log contract from an index of records and what is kept beside it. The folder of files reads
// through it as well.
import { withoutUndefined } from "../../text/json-values.ts";
import { compareTexts } from "../../text/words.ts";
import { type Level, type RawDecision, REVIEWED, type StoredDecision } from "../decision.ts";
import {
  type DecisionFilter,
  type DecisionReader,
  type LevelChange,
  type LeveledDecision,
  type LevelSurvey,
  type LevelView,
  NO_COUNTS,
  type PageQuery,
  type ReviewedQuery,
  type Tally,
  type Wording,
  type WordingCounts,
  type WordingGroup,
} from "../decision-log.ts";
import { type Evidence, evidenceOf, type Stance, stanceOf } from "../evidence.ts";
import { isPreservedUnder, levelByAge, levelUnder, policyFor } from "../levels.ts";
import { searchedTexts } from "../read-decision.ts";
import { text } from "../record-values.ts";
import { confidenceRange } from "../statistics.ts";
import { type CycleData, comparePositions, type RecordIndex } from "./record-index.ts";

export function createIndexReader(index: RecordIndex, kept: CycleData): DecisionReader {
  const reviewed = (query: ReviewedQuery) => index.decisions().filter((decision) => isReviewed(decision, query));
  return {
    decisions: async (ids) => ids.flatMap((id) => index.get(id) ?? []),
    idsLike: async (prefix, limit) => idsLike(index, prefix, limit),
    page: async (query) => pageOf(index.decisions(), query),
    survey: async (query) => surveyOf(index.decisions(), query),
    faults: async (limit) => ({ count: index.faults().length, faults: index.faults().slice(0, limit) }),
    overdue: async (filter, day, limit) =>
      index
        .decisions()
        .filter((decision) => decision.status !== REVIEWED && matches(decision, filter))
        .filter(({ raw }) => (text(raw.review_by) ?? day) < day)
        .sort(
          (a, b) => compareTexts(text(a.raw.review_by) ?? "", text(b.raw.review_by) ?? "") || compareTexts(a.id, b.id),
        )
        .slice(0, limit),
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
    tallies.set(key, withoutUndefined({ category, outcome, confidence, count: (tallies.get(key)?.count ?? 0) + 1 }));
  }
  return [...tallies.values()];
}

// Whether a decision is what a filter asks for. Words are looked for as they stand, in any of the texts, without case.

function matches(decision: StoredDecision, { category, agent, status, words = [] }: DecisionFilter): boolean {
  return (
    (category === undefined || decision.category === category) &&
    (agent === undefined || decision.agent === agent) &&
    (status === undefined || decision.status === status) &&
    words.map((word) => word.toLowerCase()).every((word) => cachedTexts(decision).some((text) => text.includes(word)))
  );
}

/** Reviewed and, with a view, of an age that is wisdom's. */
function isReviewed(decision: StoredDecision, { filter, view }: ReviewedQuery): boolean {
  if (decision.status !== REVIEWED || !matches(decision, filter)) return false;
  return view === undefined || levelByAge(policyFor(view.policies, decision), decision, view.now) === "wisdom";
}

/** Made once a record: it is the same object however often its supersession is resolved. */
function oncePerRecord<Value>(make: (decision: StoredDecision) => Value): (decision: StoredDecision) => Value {
  const made = new WeakMap<RawDecision, Value>();
  return (decision) => {
    const known = made.get(decision.raw);
    if (known !== undefined) return known;
    const value = make(decision);
    made.set(decision.raw, value);
    return value;
  };
}

const cachedTexts = oncePerRecord(searchedTexts);
const cachedEvidence = oncePerRecord(evidenceOf);

// What is asked about levels: a page of them, their numbers, and what changed since the last cycle. What a level is, is
// levels.ts.

interface LeveledView {
  readonly isKept: boolean;
  readonly level: Level;
}

function viewedAt({ policies, now }: LevelView, decision: StoredDecision): LeveledView {
  const policy = policyFor(policies, decision);
  return { isKept: isPreservedUnder(policy, decision), level: levelUnder(policy, decision, now) };
}

/** `decisions` in the order of the log. */
function pageOf(
  decisions: readonly StoredDecision[],
  { filter, view, levels, includePreserved = true, limit, after }: PageQuery,
): readonly LeveledDecision[] {
  const page: LeveledDecision[] = [];
  for (const decision of decisions) {
    if (page.length >= limit) break;
    if (after !== undefined && comparePositions(decision, after) <= 0) continue;
    if (!matches(decision, filter)) continue;
    const standing = viewedAt(view, decision);
    if (standing.isKept && !includePreserved) continue;
    if (levels === undefined || levels.includes(standing.level)) page.push({ decision, level: standing.level });
  }
  return page;
}

function surveyOf(
  decisions: Iterable<StoredDecision>,
  { filter, view, includePreserved = true }: Omit<PageQuery, "limit" | "after" | "levels">,
): LevelSurvey {
  const levels = { full: 0, summary: 0, digest: 0, wisdom: 0 };
  let [total, preserved] = [0, 0];
  for (const decision of decisions) {
    if (!matches(decision, filter)) continue;
    const standing = viewedAt(view, decision);
    if (standing.isKept && !includePreserved) continue;
    total++;
    levels[standing.level]++;
    if (standing.isKept) preserved++;
  }
  return { total, preserved, levels };
}

/** Sorted by id. */
function levelChanges(
  decisions: readonly StoredDecision[],
  before: ReadonlyMap<string, Level>,
  view: LevelView,
  filter: DecisionFilter,
): readonly LevelChange[] {
  const changes = decisions.flatMap((decision): readonly LevelChange[] => {
    if (!matches(decision, filter)) return [];
    const { id, category, agent, hash } = decision;
    const from = before.get(id) ?? "full";
    const to = viewedAt(view, decision).level;
    if (from === to) return [];
    return [withoutUndefined({ id, category, agent, from, to, hash, confidence: confidenceRange(decision) })];
  });
  return changes.sort((first, second) => compareTexts(first.id, second.id));
}

// Counts the wordings of evidence among decisions, one by one or several taken for one. Which of them make a principle is
// wisdom/'s.

const MOST_IDS = 3;

/** For each category the `most` that count for most. */
function countWordings(decisions: Iterable<StoredDecision>, most: number): readonly Wording[] {
  const categories = new Map<string, Map<string, Wording>>();
  for (const decision of decisions) {
    const { category } = decision;
    const byKey = categories.get(category) ?? new Map<string, Wording>();
    categories.set(category, byKey);
    for (const evidence of cachedEvidence(decision)) {
      const { key } = evidence;
      byKey.set(key, { category, key, ...added(byKey.get(key) ?? NO_COUNTS, stanceOf(decision, evidence)) });
    }
  }
  return [...categories.values()].flatMap((byKey) => [...byKey.values()].sort(byWeight).slice(0, most));
}

/** `decisions` in the order of the log, so that the first ids are the latest. */
function groupWordings(
  decisions: readonly StoredDecision[],
  groups: readonly (readonly string[])[],
): readonly WordingGroup[] {
  const ofKey = new Map<string, Set<Group>>();
  const made = groups.map((keys) => {
    const group: Group = {
      counts: NO_COUNTS,
      texts: new Map(),
      categories: new Set(),
      ids: { confirms: [], contradicts: [], fails: [] },
    };
    for (const key of keys) ofKey.set(key, (ofKey.get(key) ?? new Set()).add(group));
    return group;
  });
  for (const decision of decisions) {
    const held = new Map<Group, Evidence[]>();
    for (const evidence of cachedEvidence(decision)) {
      for (const group of ofKey.get(evidence.key) ?? []) held.set(group, [...(held.get(group) ?? []), evidence]);
    }
    for (const [group, evidence] of held) addToGroup(group, decision, evidence);
  }
  return made.map(wordingGroup);
}

interface Group {
  counts: WordingCounts;
  /** By their keys. */
  readonly texts: Map<string, Map<string, number>>;
  readonly categories: Set<string>;
  readonly ids: { readonly confirms: string[]; readonly contradicts: string[]; readonly fails: string[] };
}

function addToGroup(group: Group, decision: StoredDecision, evidence: readonly Evidence[]): void {
  const stance = stanceOf(decision, {
    isPattern: evidence.some(({ isPattern }) => isPattern),
    isReason: evidence.some(({ isReason }) => isReason),
    isFailureMode: evidence.some(({ isFailureMode }) => isFailureMode),
    rank: Math.min(...evidence.map(({ rank }) => rank)),
  });
  group.counts = added(group.counts, stance);
  group.categories.add(decision.category);
  for (const { key, text } of evidence) {
    const ofKey = group.texts.get(key) ?? new Map<string, number>();
    group.texts.set(key, ofKey.set(text, (ofKey.get(text) ?? 0) + 1));
  }
  for (const kind of ["confirms", "contradicts", "fails"] as const) {
    if (stance[kind] && group.ids[kind].length < MOST_IDS) group.ids[kind].push(decision.id);
  }
}

function wordingGroup({ counts, texts, categories, ids }: Group): WordingGroup {
  const ranked = [...texts.values()]
    .flatMap((ofKey) => {
      const held = [...ofKey.values()].reduce((sum, count) => sum + count, 0);
      return [...ofKey].map(([text, count]) => ({ text, count, held }));
    })
    .sort((a, b) => b.held - a.held || b.count - a.count || compareTexts(a.text, b.text));
  return {
    text: ranked[0]?.text ?? "",
    categories: [...categories].sort(compareTexts),
    ...counts,
    confirmingIds: ids.confirms,
    contradictingIds: ids.contradicts,
    failingIds: ids.fails,
  };
}

function added(counts: WordingCounts, { confirms, contradicts, fails, rank }: Stance): WordingCounts {
  return {
    confirmations: counts.confirmations + Number(confirms),
    contradictions: counts.contradictions + Number(contradicts),
    failures: counts.failures + Number(fails),
    decisions: counts.decisions + 1,
    rank: Math.min(counts.rank, rank),
  };
}

function byWeight(first: Wording, second: Wording): number {
  return (
    Math.max(second.confirmations, second.failures) - Math.max(first.confirmations, first.failures) ||
    second.confirmations - first.confirmations ||
    second.decisions - first.decisions ||
    compareTexts(first.key, second.key)
  );
}
