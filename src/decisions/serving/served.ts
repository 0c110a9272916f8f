// What a client is served of decisions: flat items in the wire's camelCase, less of each the older it is; and the policies
// that govern them.
import { withoutUndefined } from "../../text/json-values.ts";
import { isoTime } from "../../time.ts";
import {
  actualConfidence,
  type Bridge,
  type Level,
  type Outcome,
  REVIEWED,
  type Reason,
  type RecordFault,
  type StoredDecision,
} from "../decision.ts";
import type { DecisionText, LevelCounts } from "../decision-log.ts";
import {
  type AgeBasis,
  DEFAULT_DECISION_POLICY,
  type DecisionPolicy,
  isPreservedUnder,
  type Policies,
  policyFor,
  type Thresholds,
} from "../levels.ts";
import { extractiveSummary, oneLine } from "../texts/extractive-texts.ts";

/** Keys without a value are left out. */
export interface ServedDecision {
  readonly id: string;
  readonly level: Level;
  /** Full and summary only: a digest does not repeat it, wisdom has none. */
  readonly decision?: string;
  readonly category: string;
  /** `YYYY-MM-DD`, UTC; as the record spells it where it cannot be read. */
  readonly date?: string;
  readonly preserved?: true;
  /** Not in force any more; `supersededBy` names what is, where the log knows it. */
  readonly superseded?: true;
  readonly supersededBy?: string;
  readonly outcome?: Outcome;
  readonly confidence?: number;
  readonly actualConfidence?: number;
  /** Structure and function at every level, the rest at full only. */
  readonly bridge?: ServedBridge;
  /** Summary and full. */
  readonly pattern?: string;
  readonly stakes?: string;
  /** Summary only: why, what came of it, what was learned. */
  readonly summary?: string;
  readonly summarySource?: "llm" | "extractive";
  /** Digests, and whatever is asked for as a line: at most 80 code points, whole words. */
  readonly oneLine?: string;
  /** Full, and lines of what nobody has reviewed. */
  readonly status?: string;
  /** From here on full only. */
  readonly agent?: string;
  readonly context?: string;
  readonly reasons?: readonly Reason[];
  readonly tags?: readonly string[];
  readonly deliberation?: unknown;
  readonly trace?: unknown;
  readonly actualResult?: string;
  readonly lessons?: string;
  readonly supersedes?: readonly string[];
}

type ServedBridge = Pick<Bridge, "structure" | "function"> & Partial<Bridge>;

/** Decisions of one category among those served, where they are digests. */
interface ServedDigest {
  readonly category: string;
  readonly count: number;
  readonly ids: readonly string[];
}

export interface OverdueReview extends Pick<ServedDecision, "id" | "category"> {
  readonly oneLine: string;
  /** `YYYY-MM-DD`, UTC. */
  readonly reviewBy: string;
}

/** A policy as an answer names it. */
export interface ServedPolicy {
  readonly name: string;
  readonly agent?: string;
  readonly category?: string;
  readonly enabled: boolean;
  readonly thresholds: Thresholds;
  readonly ageBasis: AgeBasis;
  readonly preserveRules: { readonly stakes: readonly string[]; readonly tags: readonly string[] };
  readonly minDecisions: number;
}

export interface ServedDecisions {
  readonly decisions: readonly ServedDecision[];
  readonly digests: readonly ServedDigest[];
  /** Decisions in this answer. */
  readonly total: number;
  /** All that the filter admits, by level, whatever the limit. */
  readonly levels: LevelCounts;
  /** What the filter admits and this answer does not hold; its sum and `total` are the sum of `levels`. */
  readonly leftOut: {
    /** Served by the next page. */
    readonly byLimit: number;
    /** On earlier pages. */
    readonly before: number;
    /** Counted in wisdom, served by `level: "wisdom"`. */
    readonly wisdom: number;
    /** Of other levels than the one asked for. */
    readonly otherLevels: number;
  };
  /** Give it as `cursor` for the next page. Absent on the last. */
  readonly nextCursor?: string;
  /** Not reviewed by the day they were to be: the longest overdue first, at most ten. On first pages of `getCompacted`. */
  readonly overdue?: readonly OverdueReview[];
  /** The policy that governs what was asked for. */
  readonly policy: ServedPolicy;
  /** Policies of an agent or category that may govern some of it instead. */
  readonly otherPolicies?: readonly ServedPolicy[];
  /** Records that are not served as they should be; absent when there are none. */
  readonly errors?: readonly RecordFault[];
  /** How many there are, where `errors` does not list all. */
  readonly errorsTotal?: number;
}

// Which fields a decision has at which level: less the older it is, but always what it was for and what calibration is made
// from. Keys without a value are left out; 0 is a value.

/** `text` is the one kept for this decision and level, if there is one; else code writes it. `isLine`: as a line whatever its level. */
export function shapeDecision(
  policies: Policies,
  decision: StoredDecision,
  level: Level,
  { text, isLine = false }: { readonly text?: DecisionText | undefined; readonly isLine?: boolean } = {},
): ServedDecision {
  const { outcome, supersededBy } = decision;
  return withoutBlanks<ServedDecision>({
    id: decision.id,
    level,
    decision: !isLine && (level === "full" || level === "summary") ? decision.text : undefined,
    category: decision.category,
    date: decision.decidedAt === undefined ? decision.date : isoTime(decision.decidedAt).slice(0, 10),
    preserved: isPreservedUnder(policyFor(policies, decision), decision),
    superseded: supersededBy !== undefined,
    supersededBy,
    outcome,
    actualConfidence: outcome === undefined ? undefined : actualConfidence(outcome),
    confidence: decision.confidence,
    ...(isLine ? lineFields(decision, text) : fieldsOf(decision, level, text)),
  });
}

function fieldsOf(decision: StoredDecision, level: Level, text: DecisionText | undefined): WithBlanks<ServedDecision> {
  const { bridge: whole, pattern, stakes } = decision;
  const bridge = bridgeOf(decision);
  if (level === "wisdom") return { bridge };
  if (level === "digest") return lineFields(decision, text);
  if (level === "summary") {
    const summary = text?.text ?? extractiveSummary(decision);
    return { pattern, stakes, summary, summarySource: text?.source ?? "extractive", bridge };
  }
  const { status, agent, context, reasons, tags, deliberation, actualResult, lessons, supersedes, raw } = decision;
  return {
    ...{ pattern, stakes, status, agent, context, reasons, tags, deliberation, trace: raw.trace },
    ...{ actualResult, lessons, supersedes },
    bridge: whole === undefined ? undefined : withoutBlanks<ServedBridge>(whole, ["structure", "function"]),
  };
}

function lineFields(decision: StoredDecision, text: DecisionText | undefined): WithBlanks<ServedDecision> {
  const written = text?.level === "digest" ? text.text : decision.text;
  const status = decision.status === REVIEWED ? undefined : decision.status;
  return { oneLine: oneLine(written), status, bridge: bridgeOf(decision) };
}

function bridgeOf({ bridge }: StoredDecision): ServedBridge | undefined {
  return bridge === undefined ? undefined : { structure: bridge.structure, function: bridge.function };
}

type WithBlanks<Item> = { readonly [Key in keyof Item]?: Item[Key] | undefined | false };

/** Without undefined, null, false, empty texts, lists and maps, but for the keys to keep. */
function withoutBlanks<Item extends object>(item: WithBlanks<Item>, kept: readonly string[] = []): Item {
  const entries = Object.entries(item).filter(([key, value]) => kept.includes(key) || !isBlank(value));
  return Object.fromEntries(entries) as Item;
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  if (typeof value !== "object" || value instanceof Date) return false;
  return Object.keys(value).length === 0;
}

// Policies as answers name them: the one that governs what was asked for, and those that may govern some of it instead.

type Asked = { readonly category?: string | undefined; readonly agent?: string | undefined };

/**
 * Of a request that names no agent, no agent's policy governs all; it is listed beside the one that does. The same holds
 * for categories.
 */
export function servePolicies(policies: Policies, asked: Asked): Pick<ServedDecisions, "policy" | "otherPolicies"> {
  const isAll = (of: string | undefined, given: string | undefined) => of === undefined || of === given;
  const isSome = (of: string | undefined, given: string | undefined) => given === undefined || isAll(of, given);
  const governing = policies.findIndex(
    ({ agent, category }) => isAll(agent, asked.agent) && isAll(category, asked.category),
  );
  const others = policies
    .slice(0, governing < 0 ? policies.length : governing)
    .filter(({ agent, category }) => isSome(agent, asked.agent) && isSome(category, asked.category));
  return {
    policy: servePolicy(policies[governing] ?? DEFAULT_DECISION_POLICY),
    ...(others.length === 0 ? {} : { otherPolicies: others.map(servePolicy) }),
  };
}

export function servePolicy(policy: DecisionPolicy): ServedPolicy {
  const { name, agent, category, isEnabled, thresholds, ageBasis, preserveStakes, preserveTags, minDecisions } = policy;
  const preserveRules = { stakes: preserveStakes, tags: preserveTags };
  return withoutUndefined({
    name,
    agent,
    category,
    enabled: isEnabled,
    thresholds,
    ageBasis,
    preserveRules,
    minDecisions,
  });
}
