// Records from a seed: ages around every bound, equal times, missing and unreadable dates, wordings that repeat, and claims
// in both directions.
import type { RawDecision } from "../../../src/decisions/decision.ts";
import { DAY_MS } from "../../../src/time.ts";
import { NOW } from "./sample-records.ts";

export type Random = () => number;

/** Mulberry32: the same numbers on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

export const CATEGORIES = ["architecture", "process", "security", "Architecture", "日本語", "a b", undefined];
export const AGENTS = ["coder", "planner", "o'hara", "", undefined];
const STATUSES = ["reviewed", "reviewed", "reviewed", "reviewed", "pending", "superseded", "Reviewed", undefined];
const OUTCOMES = ["success", "success", "failure", "partial", "abandoned", "Success", "unclear", undefined];
/** Some of one key, some of different keys that are alike. */
export const WORDINGS = [
  "Search first",
  "search first.",
  "Always search first",
  "Never search first",
  "Keep 3 retries",
  "Keep 4 retries",
  "Écrire d'abord",
  "先に検索する",
  "😀 first",
  "\ue000 private",
  "Ask, then act",
  "Zeta",
  "alpha",
];
const BOUNDS = [5, 7, 10, 14, 30, 45, 90, 100, 365];

export function randomRecords(random: Random, count: number): readonly RawDecision[] {
  const ids = Array.from({ length: count }, (_, index) => idOf(random, index));
  const records = ids.map((id) => randomRecord(random, id, ids));
  // A few that often name each other.
  const few = records.slice(0, 25);
  for (const [at, record] of few.entries()) {
    if (random() < 0.6) records[at] = { ...record, superseded_by: pick(random, few).id };
  }
  // As they come in: in no order of time or id.
  return records
    .map((record) => ({ record, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ record }) => record);
}

function idOf(random: Random, index: number): string {
  const end = pick(random, ["", "", "", "", "é", "\ue000", "😀", "\uffff"]);
  return `${Math.floor(random() * 0xffffffff).toString(16)}${end}-${index}`;
}

function randomRecord(random: Random, id: string, ids: readonly string[]): RawDecision {
  const often = <Value>(share: number, value: () => Value) => (random() < share ? value() : undefined);
  const reason = () => ({
    type: "analysis",
    text: pick(random, WORDINGS),
    confidence: often(0.3, () => Math.round(random() * 20) / 20),
  });
  return {
    id,
    decision: `Decide ${pick(random, WORDINGS)} about ${pick(random, ["Cache", "QUEUE", "Ärger", "x%y"])}`,
    date: dateOf(random),
    reviewed_at: often(0.6, () => dateOf(random)),
    category: pick(random, CATEGORIES),
    recorded_by: pick(random, AGENTS),
    status: pick(random, STATUSES),
    outcome: pick(random, OUTCOMES),
    confidence: often(0.8, () => Math.round(random() * 20) / 20),
    stakes: pick(random, ["low", "high", "Extreme", undefined]),
    tags: often(0.4, () => [pick(random, ["keep", "drop", "Keep", 7, "keep"]), pick(random, ["keep", "x", "x"])]),
    preserve: pick(random, [undefined, undefined, undefined, undefined, false, true, "maybe"]),
    pattern: often(0.6, () => pick(random, WORDINGS)),
    lessons: often(0.4, () => ` ${pick(random, WORDINGS)} `),
    context: often(0.3, () => pick(random, WORDINGS).toUpperCase()),
    reasons: often(0.6, () => Array.from({ length: 1 + Math.floor(random() * 3) }, reason)),
    supersedes: often(0.08, () => [pick(random, ids), pick(random, ids)]),
    superseded_by: often(0.03, () => pick(random, [...ids.slice(0, 3), "gone", id])),
  };
}

function dateOf(random: Random): unknown {
  const share = random();
  if (share < 0.04) return pick(random, ["soon", "2031-02-30", ""]);
  if (share < 0.07) return undefined;
  if (share < 0.1) return pick(random, ["2031-01-05", "2030-12-09T12:00:00+02:00", "2030-12-09 10:00:00"]);
  const at = share < 0.6 ? atBound(random) : NOW - Math.floor(random() * 400 * DAY_MS);
  return share > 0.9 ? at : new Date(at).toISOString();
}

/** On a bound, or a millisecond to either side of it. */
function atBound(random: Random): number {
  return NOW - pick(random, BOUNDS) * DAY_MS + pick(random, [-1, 0, 1]);
}
