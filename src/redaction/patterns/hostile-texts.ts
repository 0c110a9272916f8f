// Texts that a pattern is likely to run long on, made from the pattern itself: its characters over and over, its
// beginning with the next character over and over, all of it over and over, always broken off before the end.

/** A text is `start`, then `unit` again and again. */
export interface HostileText {
  readonly start: string;
  readonly unit: string;
}

const COMMON = ["a", "A", "0", " ", "\n", '"', "a.", "a "];
const MOST_PIECES = 24;
const MOST_TEXTS = 60;
const MOST_BROKEN = 6;

export function hostileTexts(source: string): readonly HostileText[] {
  const pieces = piecesOf(source).slice(0, MOST_PIECES);
  const whole = pieces.join("");
  const texts: HostileText[] = [...COMMON, ...pieces].map((unit) => ({ start: "", unit }));
  if (whole !== "") texts.push({ start: "", unit: whole }, { start: "", unit: whole.slice(0, -1) || whole });
  for (const [index, unit] of pieces.entries()) {
    const next = pieces[index + 1];
    if (next !== undefined) texts.push({ start: "", unit: unit + next });
    texts.push({ start: pieces.slice(0, index).join(""), unit });
  }
  // Runs that end again and again: what is tried at each end adds up.
  for (const unit of new Set(pieces.slice(0, MOST_BROKEN)))
    texts.unshift({ start: "", unit: `${unit.repeat(30)}\u0001` });
  const distinct = new Map(texts.map((text) => [`${text.start}\0${text.unit}`, text]));
  return [...distinct.values()].slice(0, MOST_TEXTS);
}

/** Of about `length` characters, the last of which fits nothing. */
export function writeHostile({ start, unit }: HostileText, length: number): string {
  return `${`${start}${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length)}\u0001`;
}

const TOKEN =
  /\\([dDwWsSbBnrtfv0]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])|\[(\^?)((?:\\[\s\S]|[^\]\\])*)\]|\(\?(?:[:=!]|<[=!]|<\w{1,60}>)|([*+?]|\{\d{1,5},?\d{0,5}\})|([()|^$])|([\s\S])/g;
const CLASSES: Readonly<Record<string, string>> = {
  d: "0",
  D: "a",
  w: "a",
  W: " ",
  s: " ",
  S: "a",
  n: "\n",
  r: "\r",
  t: "\t",
  b: "",
  B: "",
};

/** A character for each place of the pattern; repeats, groups and what follows a `|` in a group are not told apart. */
function piecesOf(source: string): readonly string[] {
  const pieces: string[] = [];
  for (const match of source.matchAll(TOKEN)) {
    const [, character, negated, members, , , literal] = match;
    const piece =
      character !== undefined
        ? escaped(character)
        : members !== undefined
          ? memberOf(members, negated === "^")
          : literal === "."
            ? "a"
            : literal;
    if (piece !== undefined && piece !== "") pieces.push(piece);
  }
  return pieces;
}

function escaped(character: string): string {
  const code = /^[xu]([\da-fA-F]+)$/.exec(character)?.[1];
  return code === undefined ? (CLASSES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16));
}

function memberOf(members: string, isNegated: boolean): string {
  if (isNegated) return ["a", "0", " ", "-"].find((candidate) => !members.includes(candidate)) ?? "\u00e9";
  return members.startsWith("\\") ? escaped(members.slice(1, 2)) : members.slice(0, 1);
}
