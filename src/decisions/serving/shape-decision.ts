// Which fields a decision has at which level: less the older it is, but always what it was for and what calibration is made
// from. Keys without a value are left out; 0 is a value.
import { isoTime } from "../../time.ts";
import { actualConfidence, type Level, type StoredDecision } from "../decision.ts";
import type { DecisionText } from "../decision-log.ts";
import { isKept } from "../levels/level.ts";
import { type Policies, policyFor } from "../levels/policy.ts";
import { extractiveSummary } from "../texts/extractive-summary.ts";
import { oneLine } from "../texts/one-line.ts";
import type { ServedBridge, ServedDecision } from "./served.ts";

/** `text` is the one kept for this decision and level, if there is one; else code writes it. */
export function shapeDecision(
  policies: Policies,
  decision: StoredDecision,
  level: Level,
  text?: DecisionText,
): ServedDecision {
  const item: ServedDecision = {
    id: decision.id,
    level,
    ...(level === "full" || level === "summary" ? { decision: decision.text } : {}),
    category: decision.category,
    date: decision.decidedAt === undefined ? decision.date : isoTime(decision.decidedAt).slice(0, 10),
    ...standingFields(policies, decision),
    ...fieldsOf(decision, level, text),
  };
  return withoutBlanks(item);
}

/** Preserved, and superseded by what: the same at every level. */
function standingFields(policies: Policies, decision: StoredDecision): Partial<ServedDecision> {
  const { supersededBy, outcome, confidence } = decision;
  return {
    ...(isKept(policyFor(policies, decision), decision) ? { preserved: true } : {}),
    ...(supersededBy === undefined ? {} : { superseded: true, supersededBy }),
    ...(outcome === undefined ? {} : { outcome, actualConfidence: actualConfidence(outcome) }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}

function fieldsOf(decision: StoredDecision, level: Level, text: DecisionText | undefined): Partial<ServedDecision> {
  if (level === "full") return { ...fullFields(decision), ...bridgeFields(decision, true) };
  const bridge = bridgeFields(decision, false);
  if (level === "wisdom") return bridge;
  if (level === "digest") return { oneLine: oneLine(text?.text ?? decision.text), ...bridge };
  return {
    ...keyFields(decision),
    summary: text?.text ?? extractiveSummary(decision),
    summarySource: text?.source ?? "extractive",
    ...bridge,
  };
}

function keyFields({ pattern, stakes }: StoredDecision): Partial<ServedDecision> {
  return { ...(pattern === undefined ? {} : { pattern }), ...(stakes === undefined ? {} : { stakes }) };
}

function fullFields(decision: StoredDecision): Partial<ServedDecision> {
  const { status, agent, context, reasons, tags, deliberation, actualResult, lessons, supersedes, raw } = decision;
  return {
    ...keyFields(decision),
    status,
    agent,
    ...(context === undefined ? {} : { context }),
    reasons,
    tags,
    deliberation,
    trace: raw.trace,
    ...(actualResult === undefined ? {} : { actualResult }),
    ...(lessons === undefined ? {} : { lessons }),
    supersedes,
  };
}

function bridgeFields({ bridge }: StoredDecision, isWhole: boolean): { readonly bridge?: ServedBridge } {
  if (bridge === undefined) return {};
  const { structure, function: purpose } = bridge;
  return { bridge: isWhole ? withoutBlanks(bridge, ["structure", "function"]) : { structure, function: purpose } };
}

/** Without undefined, null, false, empty texts, lists and maps, but for the keys to keep. */
function withoutBlanks<Item extends object>(item: Item, kept: readonly string[] = []): Item {
  const entries = Object.entries(item).filter(([key, value]) => kept.includes(key) || !isBlank(value));
  return Object.fromEntries(entries) as Item;
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  if (typeof value !== "object" || value instanceof Date) return false;
  return Object.keys(value).length === 0;
}
