// Every answer of a log worked out from all records, one by one, in the plainest way, and from nothing a log is made of.
import {
  LEVELS,
  type Level,
  type RawDecision,
  REVIEWED,
  type StoredDecision,
} from "../../../src/decisions/decision.ts";
import type { DecisionFilter, LevelView, PageQuery, ReviewedQuery } from "../../../src/decisions/decision-log.ts";
import { evidenceOf as readEvidence } from "../../../src/decisions/evidence.ts";
import { isPreservedUnder, levelByAge, levelOf, policyFor } from "../../../src/decisions/levels.ts";

import { readDecision } from "../../../src/decisions/read-decision.ts";

const evidences = new WeakMap<StoredDecision, ReturnType<typeof readEvidence>>();

/** Read once a record: it is asked for in every question. */
export function evidenceOf(decision: StoredDecision): ReturnType<typeof readEvidence> {
  const evidence = evidences.get(decision) ?? readEvidence(decision);
  evidences.set(decision, evidence);
  return evidence;
}

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** As they stand in a log of these records: in its order, each with who took its place. */
export function readAll(records: readonly RawDecision[]): readonly StoredDecision[] {
  const read = records.flatMap((raw) => readDecision(raw, { name: "a record" }).decision ?? []);
  const resolved = read.map((decision) => {
    if ((decision.supersededBy ?? "") !== "") return decision;
    const [claimant] = read
      .filter(({ supersedes }) => supersedes.includes(decision.id))
      .map(({ id }) => id)
      .sort(ascending);
    return claimant === undefined ? decision : { ...decision, supersededBy: claimant };
  });
  const at = ({ decidedAt }: StoredDecision) => decidedAt ?? Number.NEGATIVE_INFINITY;
  return resolved.sort((a, b) => (at(a) === at(b) ? ascending(a.id, b.id) : at(b) - at(a)));
}

function admits({ category, agent, status, words = [] }: DecisionFilter, decision: StoredDecision): boolean {
  const { text, context, pattern, lessons, actualResult, reasons, tags } = decision;
  const fields = [text, context, pattern, lessons, actualResult, ...tags, ...reasons.map((reason) => reason.text)];
  const isIn = (word: string) => fields.some((field) => field?.toLowerCase().includes(word.toLowerCase()));
  if (category !== undefined && decision.category !== category) return false;
  if (agent !== undefined && decision.agent !== agent) return false;
  if (status !== undefined && decision.status !== status) return false;
  return words.every(isIn);
}

function seen({ policies, now }: LevelView, decision: StoredDecision) {
  return { level: levelOf(policies, decision, now), kept: isPreservedUnder(policyFor(policies, decision), decision) };
}

export function expectedPage(decisions: readonly StoredDecision[], query: PageQuery) {
  const { filter, view, levels = LEVELS, includePreserved = true, limit, after } = query;
  const start = after === undefined ? 0 : decisions.findIndex(({ id }) => id === after.id) + 1;
  return decisions
    .slice(start)
    .filter((decision) => admits(filter, decision))
    .map((decision) => ({ decision, ...seen(view, decision) }))
    .filter(({ level, kept }) => levels.includes(level) && (includePreserved || !kept))
    .slice(0, limit)
    .map(({ decision, level }) => ({ decision, level }));
}

export function expectedSurvey(decisions: readonly StoredDecision[], query: Omit<PageQuery, "limit">) {
  const { filter, view, includePreserved = true } = query;
  const admitted = decisions
    .filter((decision) => admits(filter, decision))
    .map((decision) => seen(view, decision))
    .filter(({ kept }) => includePreserved || !kept);
  const count = (level: Level) => admitted.filter((each) => each.level === level).length;
  return {
    total: admitted.length,
    preserved: admitted.filter(({ kept }) => kept).length,
    levels: { full: count("full"), summary: count("summary"), digest: count("digest"), wisdom: count("wisdom") },
  };
}

function reviewed(decisions: readonly StoredDecision[], { filter, view }: ReviewedQuery): readonly StoredDecision[] {
  const isWisdom = (decision: StoredDecision) =>
    view === undefined || levelByAge(policyFor(view.policies, decision), decision, view.now) === "wisdom";
  return decisions.filter((decision) => decision.status === REVIEWED && admits(filter, decision) && isWisdom(decision));
}

/** Sorted, as a log gives them in no order. */
export function expectedTally(decisions: readonly StoredDecision[], query: ReviewedQuery): readonly string[] {
  const counts = new Map<string, number>();
  for (const { category, outcome, confidence } of reviewed(decisions, query)) {
    const kind = JSON.stringify([category, outcome, confidence]);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${kind} ${count}`).sort();
}

/** Of the decisions that hold any of these keys. */
function counted(decisions: readonly StoredDecision[], keys: readonly string[]) {
  const holding = decisions.flatMap((decision) => {
    const evidence = evidenceOf(decision).filter(({ key }) => keys.includes(key));
    return evidence.length === 0 ? [] : { decision, evidence };
  });
  const confirming = holding.filter(
    ({ decision }) => decision.outcome === "success" && decision.supersededBy === undefined,
  );
  const failed = holding.filter(({ decision }) => decision.outcome === "failure");
  const contradicting = failed.filter(({ evidence }) => evidence.some((each) => each.isPattern || each.isReason));
  const failing = failed.filter(({ evidence }) => evidence.some((each) => each.isFailureMode));
  return { holding, confirming, contradicting, failing };
}

function numbers({ holding, confirming, contradicting, failing }: ReturnType<typeof counted>) {
  return {
    confirmations: confirming.length,
    contradictions: contradicting.length,
    failures: failing.length,
    decisions: holding.length,
    rank: Math.min(3, ...confirming.flatMap(({ evidence }) => evidence.map((each) => each.rank))),
  };
}

/** By category, as a log may give categories in any order. */
export function expectedWordings(decisions: readonly StoredDecision[], query: ReviewedQuery, most: number) {
  const among = reviewed(decisions, query);
  const categories = [...new Set(among.map(({ category }) => category))];
  return categories.flatMap((category) => {
    const own = among.filter((decision) => decision.category === category);
    const keys = [...new Set(own.flatMap((decision) => evidenceOf(decision).map(({ key }) => key)))];
    const wordings = keys.map((key) => ({ category, key, ...numbers(counted(own, [key])) }));
    return wordings
      .sort(
        (a, b) =>
          Math.max(b.confirmations, b.failures) - Math.max(a.confirmations, a.failures) ||
          b.confirmations - a.confirmations ||
          b.decisions - a.decisions ||
          ascending(a.key, b.key),
      )
      .slice(0, most);
  });
}

export function expectedGroup(decisions: readonly StoredDecision[], query: ReviewedQuery, keys: readonly string[]) {
  const found = counted(reviewed(decisions, query), keys);
  const said = found.holding.flatMap(({ evidence }) => evidence);
  const held = (key: string) => said.filter((each) => each.key === key).length;
  const written = (text: string, key: string) => said.filter((each) => each.key === key && each.text === text).length;
  const [most] = said.sort(
    (a, b) => held(b.key) - held(a.key) || written(b.text, b.key) - written(a.text, a.key) || ascending(a.text, b.text),
  );
  const ids = (of: typeof found.holding) => of.slice(0, 3).map(({ decision }) => decision.id);
  return {
    text: most?.text ?? "",
    categories: [...new Set(found.holding.map(({ decision }) => decision.category))].sort(ascending),
    ...numbers(found),
    confirmingIds: ids(found.confirming),
    contradictingIds: ids(found.contradicting),
    failingIds: ids(found.failing),
  };
}

export function expectedChanges(
  decisions: readonly StoredDecision[],
  before: ReadonlyMap<string, Level>,
  view: LevelView,
  filter: DecisionFilter,
) {
  return decisions
    .filter((decision) => admits(filter, decision))
    .map((decision) => {
      const { id, category, agent, hash, reasons, confidence } = decision;
      const own = reasons.flatMap((reason) => reason.confidence ?? []);
      const components = own.length === 0 && confidence !== undefined ? [confidence] : own;
      const least = Math.min(...components);
      const bounds = components.length === 0 ? {} : { confidence: { least, spread: Math.max(...components) - least } };
      return { id, category, agent, hash, from: before.get(id) ?? "full", to: seen(view, decision).level, ...bounds };
    })
    .filter(({ from, to }) => from !== to)
    .sort((a, b) => ascending(a.id, b.id));
}
