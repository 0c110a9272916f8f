// Counts the wordings of evidence among decisions, one by one or several taken for one. Which of them make a principle is
// wisdom/'s.
import type { RawDecision, StoredDecision } from "../decision.ts";
import type { Wording, WordingCounts, WordingGroup } from "../decision-log.ts";
import { type Evidence, evidenceOf } from "../evidence/evidence.ts";
import { compareTexts } from "./order.ts";

const MOST_IDS = 3;
const made = new WeakMap<RawDecision, readonly Evidence[]>();

type Kinds = Pick<Evidence, "isPattern" | "isReason" | "isFailureMode">;

interface Standing {
  readonly confirms: boolean;
  readonly contradicts: boolean;
  readonly fails: boolean;
}

/** For each category the `most` that count for most. */
export function countWordings(decisions: Iterable<StoredDecision>, most: number): readonly Wording[] {
  const categories = new Map<string, Map<string, Wording>>();
  for (const decision of decisions) {
    const { category } = decision;
    const byKey = categories.get(category) ?? new Map<string, Wording>();
    categories.set(category, byKey);
    for (const evidence of keptEvidence(decision)) {
      const { key } = evidence;
      byKey.set(key, { category, key, ...added(byKey.get(key), standingOf(decision, evidence)) });
    }
  }
  return [...categories.values()].flatMap((byKey) => [...byKey.values()].sort(byWeight).slice(0, most));
}

/** `decisions` in the order of the log, so that the first ids are the latest. */
export function groupWordings(
  decisions: readonly StoredDecision[],
  groups: readonly (readonly string[])[],
): readonly WordingGroup[] {
  const ofKey = new Map<string, Set<Group>>();
  const made = groups.map((keys) => {
    const group = newGroup();
    for (const key of keys) ofKey.set(key, (ofKey.get(key) ?? new Set()).add(group));
    return group;
  });
  for (const decision of decisions) {
    const held = new Map<Group, Evidence[]>();
    for (const evidence of keptEvidence(decision)) {
      for (const group of ofKey.get(evidence.key) ?? []) held.set(group, [...(held.get(group) ?? []), evidence]);
    }
    for (const [group, evidence] of held) addToGroup(group, decision, evidence);
  }
  return made.map(wordingGroup);
}

interface Group {
  counts: WordingCounts | undefined;
  readonly texts: Map<string, number>;
  readonly categories: Set<string>;
  readonly ids: { readonly confirms: string[]; readonly contradicts: string[]; readonly fails: string[] };
}

function newGroup(): Group {
  return {
    counts: undefined,
    texts: new Map(),
    categories: new Set(),
    ids: { confirms: [], contradicts: [], fails: [] },
  };
}

function addToGroup(group: Group, decision: StoredDecision, evidence: readonly Evidence[]): void {
  const standing = standingOf(decision, {
    isPattern: evidence.some(({ isPattern }) => isPattern),
    isReason: evidence.some(({ isReason }) => isReason),
    isFailureMode: evidence.some(({ isFailureMode }) => isFailureMode),
  });
  group.counts = added(group.counts, standing);
  group.categories.add(decision.category);
  for (const { text } of evidence) group.texts.set(text, (group.texts.get(text) ?? 0) + 1);
  for (const kind of ["confirms", "contradicts", "fails"] as const) {
    if (standing[kind] && group.ids[kind].length < MOST_IDS) group.ids[kind].push(decision.id);
  }
}

function wordingGroup({ counts, texts, categories, ids }: Group): WordingGroup {
  const ranked = [...texts].sort((first, second) => second[1] - first[1] || compareTexts(first[0], second[0]));
  return {
    text: ranked[0]?.[0] ?? "",
    categories: [...categories].sort(compareTexts),
    ...(counts ?? { confirmations: 0, contradictions: 0, failures: 0, decisions: 0 }),
    confirmingIds: ids.confirms,
    contradictingIds: ids.contradicts,
    failingIds: ids.fails,
  };
}

function standingOf(
  { outcome, supersededBy }: StoredDecision,
  { isPattern, isReason, isFailureMode }: Kinds,
): Standing {
  return {
    confirms: outcome === "success" && supersededBy === undefined,
    contradicts: outcome === "failure" && (isPattern || isReason),
    fails: outcome === "failure" && isFailureMode,
  };
}

function added(counts: WordingCounts | undefined, { confirms, contradicts, fails }: Standing): WordingCounts {
  return {
    confirmations: (counts?.confirmations ?? 0) + Number(confirms),
    contradictions: (counts?.contradictions ?? 0) + Number(contradicts),
    failures: (counts?.failures ?? 0) + Number(fails),
    decisions: (counts?.decisions ?? 0) + 1,
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

/** Records do not change, so what was found in one stays true as long as it lives. */
function keptEvidence(decision: StoredDecision): readonly Evidence[] {
  const known = made.get(decision.raw);
  if (known !== undefined) return known;
  const evidence = evidenceOf(decision);
  made.set(decision.raw, evidence);
  return evidence;
}
