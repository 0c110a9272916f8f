// Which value of a key is current. A person's word outweighs the assistant's, and the assistant's what a tool
// prints: a stale configuration that is shown again must not undo what was said. Between equals the newer wins.
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
import { SAYS_MOVED } from "../changes/change-cues.ts";
import type { ValueFact } from "../ledger.ts";
import { findReworded } from "./reworded-key.ts";
import { comparableKey, comparableValue } from "./said-value.ts";

const WEIGHT = { user: 2, assistant: 1, tool: 0 } as const;
const INSTEAD = /^(?:instead of|rather than|not) (.{1,80})$/i;
/** After the old value, in a sentence that says it was replaced. */
const REPLACED_BY = /^["'`”»]?\s{0,3}(?:to|->|→|=>|➜|⇒|auf|zu|a|à|en|para|为|改|调|提高|降|から|wurde)/;

/** The assistant tells of a change: what a person said before it no longer holds. */
const SAYS_CHANGE =
  /\b(?:(?:has|have|had|was|were|got|been|is|are) (?:now )?(?:moved|changed|raised|lowered|relocated|migrated|switched|transferred|postponed|rescheduled|extended|renamed|increased|reduced|bumped)|(?:i|we)(?:['’]ve| have)? (?:just |now )?(?:moved|changed|raised|lowered|relocated|migrated|switched|bumped|increased|reduced) |ended up (?:with|at|on|being)|turned out to|no longer|since (?:today|yesterday|now|this)|seit (?:heute|gestern)|nicht mehr|ya no|já não)\b|(?<!\p{L})(?:pas[óo]u? a ser|ha pasado a ser|(?:se )?(?:movió|aplazó|cambió|trasladó)|wurden? .{0,80}(?:verschoben|geändert|gesetzt|verlegt|erhöht|gesenkt)|habe .{0,80}(?:geändert|gesetzt|erhöht|gesenkt|gestellt)|foi (?:movid|adiad|alterad|mudad)[oa]|est passée?|fait passer)|(?:改|调|换|推迟|延期|提前|迁移|搬|提高|降)(?:成|为|到)/iu;

/** What was said of one key: by comparable value, in the order in which each was said last. */
interface KeyHistory {
  readonly facts: Map<string, ValueFact>;
  /** Comparable values of those that nothing has replaced: one for each weight at most. */
  readonly standing: Set<string>;
}

/** Facts between two steps. */
const FACTS_A_STEP = 20;

/** Facts in the order they were said; the result groups them by key, each key's in that order. */
export function* supersedeStepwise(facts: readonly ValueFact[]): Stepwise<readonly ValueFact[]> {
  const byKey = new Map<string, KeyHistory>();
  let count = 0;
  for (const said of facts) {
    const fact = withKey(current(said), byKey);
    const key = comparableKey(fact.key);
    const history = byKey.get(key) ?? rewordedHistory(fact, byKey) ?? { facts: new Map(), standing: new Set() };
    byKey.set(key, history);
    record(history, fact);
    count += 1;
    if (count % FACTS_A_STEP === 0) yield;
  }
  return [...new Set(byKey.values())].flatMap((history) => [...history.facts.values()]);
}

/** A key that is new, of a change that names another in other words: both are one from here on. */
function rewordedHistory(fact: ValueFact, byKey: ReadonlyMap<string, KeyHistory>): KeyHistory | undefined {
  const meant = findReworded(fact, standingFacts(byKey));
  return meant === undefined
    ? undefined
    : [...byKey.values()].find(({ facts }) => facts.get(comparableValue(meant.value)) === meant);
}

/** Gathered only for a fact that may be meant so: most are not, and all of them are asked. */
function* standingFacts(byKey: ReadonlyMap<string, KeyHistory>): Generator<ValueFact, void> {
  for (const { facts, standing } of new Set(byKey.values())) {
    for (const value of standing) {
      const fact = facts.get(value);
      if (fact !== undefined) yield fact;
    }
  }
}

/** As if it had just been said: what replaced it comes behind it in the same list. */
function current({ supersededBy: _later, ...fact }: ValueFact): ValueFact {
  return fact;
}

/** "9000 instead of 8443": the key is that of the value which is replaced, where one is known. */
function withKey(fact: ValueFact, byKey: ReadonlyMap<string, KeyHistory>): ValueFact {
  const old = INSTEAD.exec(fact.key)?.[1];
  if (old === undefined) return fact;
  const value = comparableValue(old);
  for (const { facts, standing } of byKey.values()) {
    const replaced = standing.has(value) ? facts.get(value) : undefined;
    if (replaced !== undefined) return { ...fact, key: replaced.key };
  }
  return fact;
}

function record({ facts, standing }: KeyHistory, fact: ValueFact): void {
  const weight = WEIGHT[fact.by];
  const value = comparableValue(fact.value);
  const before = facts.get(value);
  const same = standing.has(value) ? before : undefined;
  const others = [...standing].flatMap((other) => facts.get(other) ?? []);
  const heaviest = Math.max(-1, ...others.map((other) => WEIGHT[other.by]));
  if (same !== undefined && WEIGHT[same.by] > weight) return;
  const wasReplaced = before !== undefined && same === undefined;
  const isEcho = weight < heaviest && (fact.by === "tool" || wasReplaced);
  if (isEcho && same === undefined) return;
  const isChange = fact.by === "assistant" && (SAYS_CHANGE.test(fact.text) || SAYS_MOVED.test(fact.text));
  for (const other of [...standing]) {
    const known = facts.get(other);
    if (known === undefined || other === value) continue;
    if (WEIGHT[known.by] > weight && !isChange && !isNamedAsOld(fact.text, known.value)) continue;
    facts.set(other, { ...known, supersededBy: fact.source });
    standing.delete(other);
  }
  // Said last, it stands last.
  facts.delete(value);
  facts.set(value, fact);
  standing.add(value);
}

/** "Changed the port from 8443 to 9000": the assistant says which value it replaced, so even a person's gives way. */
function isNamedAsOld(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if (REPLACED_BY.test(text.slice(at + value.length, at + value.length + 16))) return true;
  }
  return false;
}
