// Quotes: text in one line or a block, cut at whole characters (`cutAt` and its kin), with our own delimiters made harmless in
// it, and the mark that stands for a secret.
import { figure } from "./figures.ts";

export { toWellFormed } from "./well-formed.ts";

/** A message of many blocks is quoted up to this many times the limit. */
const QUOTED_BLOCKS = 12;

/** The whole text on one line: white space becomes single spaces. */
export function flat(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** The text on one line, at most `limit` units of it, an ellipsis where something was cut. */
export function oneLine(text: string, limit: number): string {
  const line = flat(cutAt(text, limit * 2));
  const short = cutAt(line, limit);
  return short.length < line.length || line.length < text.trim().length - limit ? `${short.trimEnd()}…` : short;
}

/** Each block cut behind `limit` units, and how much is left out. Where the rest is, the frame of the text says. */
export function quoteBlocks(blocks: readonly string[], limit: number): string {
  const quoted: string[] = [];
  let left = 0;
  let room = limit * QUOTED_BLOCKS;
  for (const block of blocks) {
    const quote = coverAt(block, Math.max(0, Math.min(limit, room)));
    if (quote !== "") quoted.push(quote);
    left += block.length - quote.length;
    room -= quote.length;
  }
  const rest = left === 0 ? "" : `… (${figure(left)} more characters)`;
  return quoted.join("\n") + rest;
}

// Cuts text by length without breaking what a reader sees as one character: surrogate pairs, combining
// sequences, emoji made of several, and the mark of a redaction. Lengths are UTF-16 units, as in `string.length`.

const FIRST_SPAN = 64;

/** The longest prefix of whole characters that is at most `maxUnits` long. */
export function cutAt(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  return maxUnits <= 0 ? "" : text.slice(0, characterAround(text, maxUnits).start);
}

/** The longest suffix of whole characters that is at most `maxUnits` long. */
export function cutTail(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  return maxUnits <= 0 ? "" : text.slice(characterAround(text, text.length - maxUnits).end);
}

/** The shortest prefix of whole characters that is at least `leastUnits` long; the whole text when it is shorter. */
export function coverAt(text: string, leastUnits: number): string {
  if (text.length <= leastUnits) return text;
  return leastUnits <= 0 ? "" : text.slice(0, characterAround(text, leastUnits).end);
}

/** The longest prefix of whole characters that has at most `most` code points. */
export function cutAtCodePoint(text: string, most: number): string {
  if (text.length <= most) return text;
  let units = 0;
  for (let points = 0; points < most && units < text.length; points++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return cutAt(text, units);
}

interface HeadTail {
  readonly head: string;
  readonly tail: string;
  /** UTF-16 units between the two; 0 when `head` is the whole text. */
  readonly omitted: number;
}

/** Beginning and end of a text, at most `head` and `tail` units long. */
export function headTail(text: string, head: number, tail: number): HeadTail {
  if (text.length <= Math.max(0, head) + Math.max(0, tail)) return { head: text, tail: "", omitted: 0 };
  const start = cutAt(text, head);
  const end = cutTail(text, tail);
  return { head: start, tail: end, omitted: text.length - start.length - end.length };
}

/** The character that position `index` falls into; start and end are `index` itself where it stands between two. */
function characterAround(text: string, index: number): { readonly start: number; readonly end: number } {
  const mark = markAround(text, index);
  if (mark !== undefined) return mark;
  if (isSimple(text.charCodeAt(index - 1)) && isSimple(text.charCodeAt(index))) return { start: index, end: index };
  // The span doubles until the character lies inside it, so even a hostile one costs linear time.
  for (let span = FIRST_SPAN; ; span *= 2) {
    const from = safeStart(text, index, span);
    const to = Math.min(text.length, index + span);
    const found = segmentAround(text.slice(from, to), index - from);
    const isWhole = to === text.length || from + found.end < to;
    const hasSafeStart = from === 0 || isSafe(text, from);
    if (isWhole && hasSafeStart) return { start: from + found.start, end: from + found.end };
  }
}

function segmentAround(text: string, index: number): { readonly start: number; readonly end: number } {
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  const segment = segments.containing(index);
  if (segment === undefined || segment.index === index) return { start: index, end: index };
  return { start: segment.index, end: segment.index + segment.segment.length };
}

/** A place before `index` where a character surely starts, within `span` if there is one. */
function safeStart(text: string, index: number, span: number): number {
  const limit = Math.max(0, index - span);
  for (let at = index - 1; at > limit; at -= 1) {
    if (isSafe(text, at)) return at;
  }
  return limit;
}

function isSafe(text: string, at: number): boolean {
  return isSimple(text.charCodeAt(at - 1)) && isSimple(text.charCodeAt(at));
}

/** Units that never join a neighbour of this set: printable ASCII, Latin, Greek, Cyrillic, CJK, kana, Hangul syllables. */
function isSimple(unit: number): boolean {
  return (
    (unit >= 0x20 && unit <= 0x7e) ||
    (unit >= 0xc0 && unit <= 0x24f) ||
    (unit >= 0x370 && unit <= 0x481) ||
    (unit >= 0x3000 && unit <= 0x3020) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  );
}

// Makes the delimiters that we put around quoted text harmless where quoted text holds them: they lose their angle
// bracket. A reader takes for a delimiter also what only looks like it, so blanks, slashes and invisible characters
// behind the bracket, other joints and letters of other scripts change nothing.

const BETWEEN = String.raw`[\s\p{Cf}/\\／]{0,8}`;
/** The name with its joint: a component named `CompactList` is not ours. */
const FRAME = String.raw`[cсϲｃ][oоοｏ][mмｍ][pрρｐ][aаαａ][cсϲｃ][tтτｔ](?:[\p{Pd}\p{Pc}\p{Cf}]|\s{1,3}(?:summary|notice))`;
const FRAMES = new RegExp(`[<＜](?=${BETWEEN}${FRAME})`, "giu");
/** These are named after their content, so one that looks like ours cannot pass for it. */
const BLOCKS = /<(?=\/?(?:transcript|record|wish)-)/gi;

/** Of the frame around a summary: `<COMPACT-` and `</COMPACT-`. */
export function neutraliseFrames(text: string): string {
  return text.replace(FRAMES, "‹");
}

/** Of the blocks of a prompt, too. */
export function neutraliseBlocks(text: string): string {
  return neutraliseFrames(text).replace(BLOCKS, "‹");
}

// What stands in a secret's place. A reader takes it for one word: it is never cut, and never read as a value.

export const REDACTION_MARK = "<REDACTED>";

/** The mark of which a part stands before `index` and a part behind it. */
function markAround(text: string, index: number): { readonly start: number; readonly end: number } | undefined {
  const length = REDACTION_MARK.length;
  const from = Math.max(0, index - length + 1);
  const at = text.slice(from, index + length - 1).indexOf(REDACTION_MARK);
  return at < 0 ? undefined : { start: from + at, end: from + at + length };
}
