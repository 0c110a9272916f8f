// Takes names out of a statement that the input does not have. In a line about the name the whole line goes; elsewhere a
// mark stands in its place, because the rest of the sentence may still be right.
import type { Section } from "../shapes.ts";
import { findNames, type NamedThing, type Reading } from "./find-names.ts";
import type { Located } from "./locate-names.ts";
import { findSpokenNames } from "./spoken-names.ts";

export interface LocatedThings extends Located {
  /** Days and times that the input names. */
  readonly dates: ReadonlySet<string>;
}

export const UNVERIFIED = "[unverified]";

/** Sections whose lines are about the name that they open with. */
const ABOUT_NAMES: ReadonlySet<Section> = new Set(["written", "names", "commands"]);

export interface NamedStatement {
  readonly section: Section;
  readonly text: string;
  readonly names: readonly NamedThing[];
}

export function nameStatement(section: Section, text: string, plain: string): NamedStatement {
  const names = findNames(plain);
  return { section, text, names: [...names, ...findSpokenNames(plain, names)] };
}

export interface StruckStatement {
  /** Undefined when nothing is left that says anything. */
  readonly text: string | undefined;
  readonly struck: number;
}

export function strikeNames({ section, text, names }: NamedStatement, located: LocatedThings): StruckStatement {
  const known = new Set(names.filter((name) => isKnown(name, located)).map(({ value }) => value));
  // `a.ts` and `a.ts:99` stand in one place; the longer one is decided first.
  const wrong = names.filter(({ value }) => !known.has(value)).sort((a, b) => b.value.length - a.value.length);
  if (wrong.length === 0) return { text, struck: 0 };
  const first = names.reduce((left, right) => (right.index < left.index ? right : left));
  const isAboutIt = ABOUT_NAMES.has(section) && first.index <= 2 && !known.has(first.value) && first.stem === undefined;
  if (isAboutIt) return { text: undefined, struck: wrong.length };
  let left = text;
  for (const name of wrong) {
    left = replaceAlone(
      left,
      name.value,
      name.stem !== undefined && known.has(name.stem) ? name.stem : UNVERIFIED,
      known,
    );
  }
  const says = left.replaceAll(UNVERIFIED, "").replace(/\[[^\]\n]{0,100}\]/g, "");
  return { text: /\p{L}{2}/u.test(says) ? left : undefined, struck: wrong.length };
}

/** Under any of its readings. */
export function isKnown({ readings }: NamedThing, located: LocatedThings): boolean {
  return readings.some((reading) => isSaid(reading, located));
}

function isSaid({ names, numbers, dates = [], lines = [] }: Reading, located: LocatedThings): boolean {
  if (names.length + numbers.length + dates.length + lines.length === 0) return false;
  return (
    names.every((name) => located.names.has(name)) &&
    numbers.every((number) => located.numbers.has(number)) &&
    dates.every((date) => located.dates.has(date)) &&
    lines.every((line) => located.lines.has(line))
  );
}

/** Everywhere it stands alone, and not as a part of a name that is known. */
function replaceAlone(text: string, value: string, by: string, known: ReadonlySet<string>): string {
  const holders = [...known].filter((name) => name.length > value.length && name.includes(value));
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const end = at + value.length;
    const isInside = holders.some((holder) => {
      const shift = holder.indexOf(value);
      return text.startsWith(holder, at - shift);
    });
    if (isInside || isWord(text, at - 1, at) || isWord(text, end, end - 1)) continue;
    pieces.push(text.slice(from, at), by);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}

function isWord(text: string, outside: number, inside: number): boolean {
  const plain = /[A-Za-z0-9_]/;
  return plain.test(text.charAt(outside)) && plain.test(text.charAt(inside));
}
