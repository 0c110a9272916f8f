// Enters told changes among the values: both values under one key, so that the newer one replaces the older, now and
// in every later round. Where a phrase has read a value already, its entry is the one that gets the key.
import { cutAt } from "../../text/cut.ts";
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
import type { Ledger, Source, ValueFact } from "../ledger.ts";
import { comparableValue } from "../values/said-value.ts";
import { type Change, findChangesStepwise } from "./find-changes.ts";
import type { Saying, Topic } from "./topic.ts";

const LONGEST_TEXT = 200;
const LONGEST_KEY = 60;
/** A round must cost its share, however long the session: only the newest words are asked what they said. */
const MOST_EARLIER = 400;

/** Values with what was told to have changed; `values` itself where nothing was. */
export function withToldChanges(values: readonly ValueFact[], changes: readonly Change[]): readonly ValueFact[] {
  if (changes.length === 0) return values;
  const all = [...values];
  for (const change of changes) {
    const { old, oldValue, now, nowValue } = change;
    const key = keyOf(change, all);
    enter(all, asFact(old, oldValue, key));
    enter(all, asFact(now, nowValue, key));
  }
  return all.sort((left, right) => compareSources(left.source, right.source));
}

/** What people said, and what the assistant reported, in order. */
export function sayingsOf({
  userMessages,
  statements,
}: Pick<Ledger, "userMessages" | "statements">): readonly Saying[] {
  const said = userMessages.flatMap(({ author, blocks, source }) =>
    author === "user" ? [{ by: "user", text: blocks.join("\n"), source } as const] : [],
  );
  const reported = statements.map(({ text, source }) => ({ by: "assistant", text, source }) as const);
  return [...said, ...reported].sort((left, right) => compareSources(left.source, right.source));
}

/** What `later` says that changes what `earlier` or itself said. */
export function* changesStepwise(
  earlier: Pick<Ledger, "userMessages" | "statements"> | undefined,
  later: Pick<Ledger, "userMessages" | "statements">,
): Stepwise<readonly Change[]> {
  const before = earlier === undefined ? [] : sayingsOf(earlier).slice(-MOST_EARLIER);
  return yield* findChangesStepwise([...before, ...sayingsOf(later)], before.length);
}

function asFact({ by, sentence, source }: Topic, value: string, key: string): ValueFact {
  return { kind: "value", key, value, text: cutAt(sentence, LONGEST_TEXT), by, source };
}

/** Two phrases may have read one value under two keys: it stays once. */
function enter(all: ValueFact[], fact: ValueFact): void {
  const places = placesOf(all, fact.source, fact.value);
  const [first] = places;
  const known = first === undefined ? undefined : all[first];
  for (const at of [...places].reverse()) all.splice(at, 1);
  all.push(known === undefined ? fact : { ...known, key: fact.key });
}

function placesOf(values: readonly ValueFact[], source: Source, value: string): readonly number[] {
  const wanted = comparableValue(value);
  return values.flatMap((fact, at) =>
    compareSources(fact.source, source) === 0 && comparableValue(fact.value) === wanted ? [at] : [],
  );
}

/** The key that a phrase has read where it names what both are about; else the first sentence up to the value. */
function keyOf({ old, oldValue, now, nowValue }: Change, values: readonly ValueFact[]): string {
  const known = [...placesOf(values, old.source, oldValue), ...placesOf(values, now.source, nowValue)];
  const keys = known.flatMap((at) => values[at]?.key ?? []);
  const isNaming = (key: string) => [...old.words.keys()].some((word) => key.toLowerCase().includes(word.slice(0, 5)));
  return keys.find(isNaming) ?? sentenceKey(old, oldValue);
}

function sentenceKey({ sentence }: Topic, value: string): string {
  const at = sentence.indexOf(value);
  const before = sentence
    .slice(0, at)
    .trim()
    .replace(/[\s:,;–-]+$/u, "");
  return cutAt(before === "" ? sentence.slice(at + value.length).trim() : before, LONGEST_KEY);
}

function compareSources(left: Source, right: Source): number {
  return left.step - right.step || left.message - right.message;
}
