// A filter as conditions on rows.
import { REVIEWED } from "../decision.ts";
import type { DecisionFilter, ReviewedQuery } from "../decision-log.ts";
import { type Fragment, fragment, jsonList } from "./fragment.ts";
import { isWisdomByAge } from "./levels/level-columns.ts";
import { storedText } from "./ordered-text.ts";

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
