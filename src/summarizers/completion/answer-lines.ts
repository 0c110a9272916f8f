// A checked answer as lines with a place and a worth, so that they can be weighed against the ledger's. As room
// shrinks, old narrative goes first: what is open and the newest state stay.
import type { CheckedStatement } from "../answer/statement.ts";
import { type DigestLine, RANK, type Section } from "../digest/digest-line.ts";

/** What the model words is worth a little less than what code carries of the same section. */
const RANKS: Readonly<Record<Section, number>> = {
  requests: RANK.state + 0.5,
  rules: RANK.reports + 0.5,
  decisions: RANK.decisions,
  plan: RANK.state,
  progress: RANK.decisions + 0.5,
  errors: RANK.state,
  commands: RANK.outcomes,
  written: RANK.repeated,
  values: RANK.decisions,
  read: RANK.looks,
  identifiers: RANK.reports,
};
/** In a section the user's words stand before what a model says about them. */
const BEHIND_CODE = 1e13;
const SETTLED =
  /^(?:[*_]{0,2})(?:done|completed?|fixed|finished|erledigt|behoben|feito|concluíd|hecho|fait|完了|已完成)/iu;

export interface AnswerLine extends DigestLine {
  /** Newest message it rests on; of equals in rank the newer stays longer. */
  readonly newest: number;
}

export function answerLines(statements: readonly CheckedStatement[]): readonly AnswerLine[] {
  return statements.map(({ section, text, ids }, index) => {
    const newest = ids.reduce((newest, id) => Math.max(newest, orderOfId(id)), 0);
    const isSettled = (section === "plan" || section === "errors") && SETTLED.test(text);
    return {
      section,
      rank: isSettled ? RANK.outcomes : RANKS[section],
      order: BEHIND_CODE + (section === "decisions" ? orderOfId(ids[0] ?? "") : index),
      newest,
      text: lineOf(section, text, ids),
    };
  });
}

/** Ids of other kinds than `step.message` have no order. */
function orderOfId(id: string): number {
  const match = /^(\d{1,6})\.(\d{1,7})$/.exec(id);
  return match === null ? 0 : Number(match[1]) * 1_000_000 + Number(match[2]);
}

/** A decision opens with its message, as in the extractive ledger; everything else is a list item. */
function lineOf(section: Section, text: string, ids: readonly string[]): string {
  const indented = text.split("\n").join("\n  ");
  if (section !== "decisions") return `- ${indented}`;
  if (/^\[/.test(text)) return indented;
  const end = /\s{0,3}\[[^[\]\n]{1,100}\]\s{0,3}$/.exec(indented);
  return ids.length > 0 && end !== null ? `${end[0].trim()} ${indented.slice(0, end.index)}` : `- ${indented}`;
}
