// What a quote says besides its words: that they were replaced since, and what they answer.
import { cite, type Ledger, type Source, type UserMessageFact } from "../../facts/ledger.ts";

/** By citation, what a quote carries besides its words. */
export interface Marks {
  readonly replaced: ReadonlyMap<string, string>;
  readonly answers: ReadonlyMap<string, Answer>;
}

interface Answer {
  readonly mark: string;
  /** How it opens, in one line: the message may hold other words, too. */
  readonly opening: string;
}

/** What was said in the same words, once or more often. */
export interface EqualWords {
  readonly fact: UserMessageFact;
  readonly sources: Source[];
}

export function readMarks(ledger: Ledger): Marks {
  return { replaced: replacedSources(ledger), answers: answerSources(ledger) };
}

/** By citation: the mark that a quote carries when something it says is no longer so. */
function replacedSources({ values, decisions, rules }: Ledger): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const fact of [...values, ...decisions, ...rules]) {
    if (fact.supersededBy === undefined) continue;
    const what = fact.kind === "value" ? `${fact.key} ${fact.value}: ` : "";
    const mark = ` (${what}superseded, see [${cite(fact.supersededBy)}])`;
    const key = cite(fact.source);
    if (!marks.get(key)?.includes(mark)) marks.set(key, (marks.get(key) ?? "") + mark);
  }
  return marks;
}

/** Corrections and refusals are easily read over: they say what they are, and what they answer. */
function answerSources({ responses }: Ledger): ReadonlyMap<string, Answer> {
  const marks = responses.flatMap(({ form, about, text, source }) => {
    if (form === "approval") return [];
    const mark = ` (${form}${about === undefined ? "" : ` of [${cite(about)}]`})`;
    return [[cite(source), { mark, opening: text.replace(/…$/u, "") }] as const];
  });
  return new Map(marks);
}

export function answerMark({ fact, sources }: EqualWords, answers: ReadonlyMap<string, Answer>): string | undefined {
  if (fact.author === "host") return undefined;
  const said = fact.blocks.join("\n").replace(/\s+/gu, " ").trim();
  const found = sources.map((source) => answers.get(cite(source)));
  return found.find((answer) => answer !== undefined && said.startsWith(answer.opening))?.mark;
}
