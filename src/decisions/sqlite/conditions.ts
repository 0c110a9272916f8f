// Filters and levels as pieces of SQL.

import type { SqlValue } from "../../storage/sqlite/driver.ts";
import { DAY_MS } from "../../time.ts";
import { LEVELS, REVIEWED } from "../decision.ts";
import type { DecisionFilter, LevelView, ReviewedQuery } from "../decision-log.ts";
import { DEFAULT_DECISION_POLICY, type DecisionPolicy } from "../levels.ts";
import { UNDATED } from "./schema.ts";

/** On rows `d` of decisions. */
export function filterConditions({ category, agent, status, words }: DecisionFilter): readonly Fragment[] {
  return [
    ...equal("d", { category, agent, status }),
    ...wordConditions(words).map(({ sql, values }) =>
      fragment(`EXISTS (SELECT 1 FROM decision_words AS w WHERE w.n = d.n AND ${sql})`, ...values),
    ),
  ];
}

/** On reviewed rows `d` of decisions. */
export function reviewedConditions({ filter, view }: ReviewedQuery): readonly Fragment[] {
  return [
    fragment("d.is_reviewed = 1"),
    ...filterConditions(filter),
    ...(view === undefined ? [] : [isWisdomByAge("d", view, filter)]),
  ];
}

/** On rows `e` of evidence, which is of reviewed decisions only; the category is left to the caller. */
export function evidenceConditions({ filter, view }: ReviewedQuery): readonly Fragment[] {
  const { agent, status, words } = filter;
  return [
    ...equal("e", { agent }),
    ...(status === undefined || status === REVIEWED ? [] : [fragment("0")]),
    ...wordConditions(words).map(({ sql, values }) =>
      fragment(
        `EXISTS (SELECT 1 FROM decisions AS d JOIN decision_words AS w ON w.n = d.n WHERE d.id = e.id AND ${sql})`,
        ...values,
      ),
    ),
    ...(view === undefined ? [] : [isWisdomByAge("e", view, filter)]),
  ];
}

function equal(row: string, values: Readonly<Record<string, string | undefined>>): readonly Fragment[] {
  return Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [fragment(`${row}.${column} = ?`, storedText(value))],
  );
}

/** At most one, on a row `w` of decision_words: no word that is not in it. */
function wordConditions(words: readonly string[] = []): readonly Fragment[] {
  const wanted = words.flatMap((word) => (word === "" ? [] : [storedText(word.toLowerCase())]));
  if (wanted.length === 0) return [];
  if (wanted.length === 1) return [fragment("instr(w.words, ?) > 0", wanted[0] ?? "")];
  const missing = "SELECT 1 FROM json_each(?) AS word WHERE instr(w.words, word.value) = 0";
  return [fragment(`NOT EXISTS (${missing})`, jsonList(wanted))];
}

// levels.ts as an expression of SQL, policies and all: the same arithmetic on the same doubles, so the same level to the
// millisecond. Levels are their places in LEVELS.

/** 0 or 1: kept in full by its mark or by the policy that governs it. Of a row `d` of decisions. */
export function preservedColumn({ policies }: LevelView, filter: DecisionFilter): Fragment {
  return byPolicy("d", policies, filter, isPreserved);
}

/** The level, 0 to 3. `isKept`: a column that already holds whether it is kept in full, which is expensive to work out twice. */
export function levelColumn(
  { policies, now }: LevelView,
  filter: DecisionFilter,
  isKept: (policy: DecisionPolicy) => Fragment = isPreserved,
): Fragment {
  return byPolicy("d", policies, filter, (policy) => levelOf(policy, now, isKept(policy)));
}

function levelOf(policy: DecisionPolicy, now: number, isKept: Fragment): Fragment {
  if (!policy.isEnabled) return fragment("0");
  const at = policy.ageBasis === "review" ? "d.reviewed_at" : "d.decided_at";
  const { full, summary, digest } = policy.thresholds;
  return fragment(
    `CASE WHEN d.is_reviewed = 0 OR ${at} IS NULL OR ? - ${at} < ? THEN 0 WHEN ${isKept.sql} THEN 0
      WHEN ? - ${at} < ? THEN 1 WHEN ? - ${at} < ? THEN 2 ELSE 3 END`,
    ...[now, full * DAY_MS, ...isKept.values, now, summary * DAY_MS, now, digest * DAY_MS],
  );
}

/**
 * Whether age alone makes a reviewed decision wisdom. `row` is a row of decisions or of evidence, which both have
 * `decided_at`, `reviewed_at`, `agent` and `category`.
 */
function isWisdomByAge(row: string, { policies, now }: LevelView, filter: DecisionFilter): Fragment {
  return byPolicy(row, policies, filter, (policy) => {
    if (!policy.isEnabled) return fragment("0");
    const at = policy.ageBasis === "review" ? `${row}.reviewed_at` : `${row}.decided_at`;
    const { full, summary, digest } = policy.thresholds;
    // Without a date it is null, which is no wisdom either.
    return fragment(`(${at} > ? AND ? - ${at} >= ?)`, UNDATED, now, Math.max(full, summary, digest) * DAY_MS);
  });
}

/** Of levels as places in LEVELS. */
export function levelNumbers(levels: readonly (typeof LEVELS)[number][]): string {
  return jsonList([...new Set(levels)].map((level) => LEVELS.indexOf(level)));
}

function isPreserved({ preserveStakes, preserveTags }: DecisionPolicy): Fragment {
  const ways = [fragment("d.preserve = 1")];
  const isListed = "IN (SELECT value FROM json_each(?))";
  if (preserveStakes.length > 0) {
    ways.push(fragment(`coalesce(d.stakes ${isListed}, 0)`, jsonList(preserveStakes.map(storedText))));
  }
  if (preserveTags.length > 0) {
    const tagged = `d.id IN (SELECT t.id FROM decision_tags AS t WHERE t.tag ${isListed})`;
    ways.push(fragment(tagged, jsonList(preserveTags.map(storedText))));
  }
  const { sql, values } = joined(ways, " OR ");
  return fragment(`(${sql})`, ...values);
}

/** Those that can govern what the filter admits, in their order, up to the one that governs all that is left. */
function governing(
  policies: readonly DecisionPolicy[],
  { agent, category }: DecisionFilter,
): readonly DecisionPolicy[] {
  const possible = [...policies, DEFAULT_DECISION_POLICY].filter(
    (policy) =>
      (policy.agent === undefined || agent === undefined || policy.agent === agent) &&
      (policy.category === undefined || category === undefined || policy.category === category),
  );
  const last = possible.findIndex(
    (policy) =>
      (policy.agent === undefined || policy.agent === agent) &&
      (policy.category === undefined || policy.category === category),
  );
  return possible.slice(0, last + 1);
}

function byPolicy(
  row: string,
  all: readonly DecisionPolicy[],
  filter: DecisionFilter,
  column: (policy: DecisionPolicy) => Fragment,
): Fragment {
  const policies = governing(all, filter);
  const rest = policies.slice(0, -1).map((policy) => {
    const { sql, values } = column(policy);
    const governs = allOf(equal(row, { agent: policy.agent, category: policy.category }));
    return fragment(`WHEN ${governs.sql} THEN ${sql}`, ...governs.values, ...values);
  });
  const last = column(policies.at(-1) ?? DEFAULT_DECISION_POLICY);
  if (rest.length === 0) return last;
  const { sql, values } = joined(rest, " ");
  return fragment(`CASE ${sql} ELSE ${last.sql} END`, ...values, ...last.values);
}

// A piece of a statement with the values that are bound to its places, in their order.

export interface Fragment {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function fragment(sql: string, ...values: readonly SqlValue[]): Fragment {
  return { sql, values };
}

/** The pieces in one, each with its values. */
function joined(pieces: readonly Fragment[], between: string): Fragment {
  return {
    sql: pieces.map(({ sql }) => sql).join(between),
    values: pieces.flatMap(({ values }) => values),
  };
}

/** True where there are no conditions. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? fragment("1") : joined(conditions, " AND ");
}

/** Of a filter's texts and numbers as one value, so that equal questions are one prepared statement. */
export function jsonList(values: readonly (string | number)[]): string {
  return JSON.stringify(values);
}

/** SQLite takes whole numbers; less than zero is no limit. */
export function limitOf(limit: number): number {
  return Number.isFinite(limit) ? Math.max(0, Math.ceil(limit)) : limit > 0 ? -1 : 0;
}

// Texts as the database keeps them: any JavaScript text, NUL and lone surrogates included, in a form that every driver gives
// back unchanged, that sorts as JavaScript sorts and in which a part is found where it is a part. Most texts are their own.

/** Begins the escapes of what sorts first, which are one digit long: NUL, at which SQLite would cut, and itself. */
const LOW = "\u0001";
/** Begins those of the code units from itself to the last surrogate, four digits long: UTF-8 sorts these otherwise. */
const HIGH = "\ud7ef";
/** Of the sixteen digits. */
const FIRST_DIGIT = 0xd7f0;
const ESCAPED = new RegExp(`[\0${LOW}${HIGH}-\udfff]`, "g");
const ESCAPES = new RegExp(`[${LOW}${HIGH}][\ud7f0-\ud7ff]{1,4}`, "g");

/** Stands in no stored text, so it keeps texts apart that are kept as one. */
export const SEPARATOR = HIGH;

export function storedText(text: string): string {
  return text.replace(ESCAPED, (unit) => {
    const code = unit.charCodeAt(0);
    return code <= 1 ? LOW + digit(code) : HIGH + [12, 8, 4, 0].map((bits) => digit((code >> bits) & 15)).join("");
  });
}

export function originalText(stored: string): string {
  return stored.replace(ESCAPES, (found) => {
    let code = 0;
    for (let at = 1; at < found.length; at++) code = code * 16 + found.charCodeAt(at) - FIRST_DIGIT;
    return String.fromCharCode(code);
  });
}

function digit(value: number): string {
  return String.fromCharCode(FIRST_DIGIT + value);
}
