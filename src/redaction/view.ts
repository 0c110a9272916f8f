// A text as its reader sees it: without colours and invisible characters, escapes undone, wide forms as plain ones. Rules are
// tried on the text and, where it has any of these, on the view; what they find there is told by its place in the text.
import type { Range } from "./shapes.ts";

export interface View {
  readonly text: string;
  /** The same range in the text that the view is of. */
  inText<R extends Range>(range: R): R;
}

const HEX = "[0-9a-fA-F]";
const PRINTABLE = `[2-7]${HEX}`;
/** The beginning of a terminal's sequence, itself or as code and JSON write it. */
const ESCAPE = String.raw`(?:\u001b|\\{1,32}(?:u001[bB]|x1[bB]|033|e)|\^\[)`;
const SEEN_THROUGH = new RegExp(
  [
    // Colours and other sequences of a terminal, and what cannot be seen.
    String.raw`${ESCAPE}\[[0-9;:?]{0,40}[A-Za-z]|\u001b\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)`,
    String.raw`[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]`,
    // `%22`, `%2522`; `\u0022`, `\x22` at any depth; `&quot;`, `&amp;quot;`, `&#34;`, `&#x22;`.
    `%(?:25){0,3}(${PRINTABLE})`,
    String.raw`\\{1,32}(?:u00|x)(${PRINTABLE})`,
    String.raw`&(?:amp;){0,3}(?:(quot|apos|lt|gt|amp)|#(\d{2,3})|#[xX](${PRINTABLE}));`,
    String.raw`([\uff01-\uff5e\u3000])`,
  ].join("|"),
  "g",
);
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" };
/** Of wide forms to plain ones: ！ to !. */
const WIDE = 0xfee0;

interface Piece {
  readonly inView: number;
  readonly inText: number;
  /** Where it ends in the text, when it is one character that is written as more. */
  readonly end?: number;
}

/** Undefined where there is nothing to see through. Linear time. */
export function viewOf(text: string): View | undefined {
  let copied = 0;
  let view = "";
  const pieces: Piece[] = [];
  const copy = (to: number) => {
    if (to > copied) pieces.push({ inView: view.length, inText: copied });
    view += text.slice(copied, to);
  };
  // Not matchAll, which makes an expression anew for each text.
  SEEN_THROUGH.lastIndex = 0;
  for (let match = SEEN_THROUGH.exec(text); match !== null; match = SEEN_THROUGH.exec(text)) {
    copy(match.index);
    copied = match.index + match[0].length;
    const seen = undone(match);
    if (seen !== "") pieces.push({ inView: view.length, inText: match.index, end: copied });
    view += seen;
  }
  if (copied === 0) return undefined;
  copy(text.length);
  const startOf = (offset: number) => {
    const { inView, inText } = pieceAt(pieces, offset);
    return inText + offset - inView;
  };
  return {
    text: view,
    inText: (range) => {
      const end = pieceAt(pieces, range.end - 1).end ?? startOf(range.end - 1) + 1;
      return { ...range, start: startOf(range.start), end };
    },
  };
}

function undone([, percent, escaped, entity, decimal, hex, wide]: RegExpExecArray): string {
  const code = percent ?? escaped ?? hex;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (entity !== undefined) return ENTITIES[entity] ?? "";
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (wide === undefined) return "";
  return wide === "\u3000" ? " " : String.fromCharCode(wide.charCodeAt(0) - WIDE);
}

/** The last piece that begins in the view at or before `offset`. */
function pieceAt(pieces: readonly Piece[], offset: number): Piece {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.inView ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return pieces[low] ?? { inView: 0, inText: 0 };
}
