// Which known name a misspelt one probably stands for. Where a suggestion costs nothing the guess is generous; where a call
// is refused for it, only what is plainly a slip of the hand counts.

import { figure } from "./figures.ts";

const LONGEST = 80;

/** The known name that a slip of the hand turns into `name`; undefined when none is near. For suggestions. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, slips: distance(name.slice(0, LONGEST).toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips);
  return best !== undefined && best.slips <= Math.max(2, name.length / 3) ? best.candidate : undefined;
}

const MOST_NAMED = 12;

export interface UnknownName {
  /** `row has the project`, `decision has the category`. */
  readonly what: string;
  readonly asked: string;
  readonly known: readonly string[];
}

/** What to say of a name that nothing has: mostly it is written otherwise. `show`: as names may stand in the answer. */
export function unknownNameText({ what, asked, known }: UnknownName, show: (name: string) => string): string {
  const meant = nearest(asked, known);
  const guess = meant === undefined ? "" : ` Did you mean ${show(meant)}?`;
  const names = known.slice(0, MOST_NAMED).map(show);
  const more = known.length > names.length ? ` and ${figure(known.length - names.length)} more` : "";
  return `No ${what} ${show(asked)}.${guess} There are: ${names.join(", ")}${more}.`;
}

/** Letters of a name from which one slip is told from another word, and from which two are. */
const ONE_SLIP_FROM = 4;
const TWO_SLIPS_FROM = 9;

/**
 * The known name that `name` plainly stands for: the same letters in another case or with other separators, or one slip
 * away, two in a long name. Undefined for everything else. For refusals.
 */
export function misspelt(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const letters = bare(name);
  const same = known.find((candidate) => bare(candidate) === letters);
  return same ?? known.find((candidate) => isSlip(letters, bare(candidate)));
}

/** All known words that are one slip of the hand away from `word`, two for a long one. */
export function slipsOf(word: string, known: readonly string[]): readonly string[] {
  return word.length > LONGEST ? [] : known.filter((candidate) => candidate !== word && isSlip(word, candidate));
}

function isSlip(letters: string, meant: string): boolean {
  const allowed = meant.length >= TWO_SLIPS_FROM ? 2 : meant.length >= ONE_SLIP_FROM ? 1 : 0;
  if (Math.abs(letters.length - meant.length) > allowed || allowed === 0) return false;
  return distance(letters, meant) <= allowed || isSwapped(letters, meant);
}

/** Two letters side by side in the wrong order: for a hand one slip. */
function isSwapped(letters: string, meant: string): boolean {
  if (letters.length !== meant.length) return false;
  const at = [...meant].findIndex((_, index) => letters[index] !== meant[index]);
  const swapped = `${meant.slice(0, at)}${meant[at + 1] ?? ""}${meant[at] ?? ""}${meant.slice(at + 2)}`;
  return at >= 0 && letters === swapped;
}

/** Letters put in, left out or taken for others on the way from one name to the other. */
function distance(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const now = [row];
    for (let at = 1; at <= to.length; at++) {
      const other = (before[at - 1] ?? 0) + (from[row - 1] === to[at - 1] ? 0 : 1);
      now.push(Math.min(other, (before[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[to.length] ?? 0;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
