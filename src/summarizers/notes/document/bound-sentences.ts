// Which sentences must not be told apart: one that goes on with, corrects or takes back what stands before it. A
// paragraph that is short is told whole.
import { splitSentences } from "../../../facts/language/sentences.ts";

/** Up to here a paragraph is one piece. */
const WHOLE_UNITS = 300;
/** A longer one is parted behind so much, where the next sentence stands by itself. */
const ENOUGH_UNITS = 140;
/** Bound or not. */
const MOST_UNITS = 700;
const WRAP_WIDTH = 60;

const CONTRAST =
  /^(?:but|however|yet|although|instead|actually|in fact|except|unless|otherwise|wrong|aber|jedoch|allerdings|stattdessen|sonst|pero|sin embargo|aunque|porém|contudo|cependant|toutefois|sauf)(?![\p{L}\d])|^(?:但|不过|不過|然而|可是|其实|其實|否则|しかし|でも|ただし|ところが)/iu;
const POINTING =
  /^(?:that|this|these|those|both|neither|all of (?:this|that|these|them)|none of|das (?:war|ist)|dies(?:e|es)?|beides?|es[oae]s?|est[oae]s?|ambos|iss?o|ambas|cela|ceci|ce (?:fut|sont)|c['’]était|c['’]est)(?![\p{L}\d])|^(?:这|這|那是|以上|上述|それ|これ|以上)/iu;
const GOING_ON =
  /^(?:it|its|they|their|them|he|she|so|therefore|thus|hence|because|since then|which|then|also|only|still|not|no longer|the (?:former|latter|other|others|rest|second|first)|er|sie|es|deshalb|darum|denn|por eso|además|por isso|además|donc|car|il|elle|ils)(?![\p{L}\d])|^(?:它|他们|因此|所以|因为|另外|而且|同时|そのため|だから|また)/iu;

/** Takes back or corrects what stands before it, be that a list item. */
export function isContrast(text: string): boolean {
  return CONTRAST.test(text);
}

/** Speaks of the whole of what stands before it. */
export function isPointing(text: string): boolean {
  return POINTING.test(text) || CONTRAST.test(text);
}

/** Not understood, or understood otherwise, without the sentence before it. */
export function isBound(text: string): boolean {
  return isPointing(text) || GOING_ON.test(text);
}

/** The sentences of a paragraph. A short line ends one, whatever it ends with. */
export function sentencesOf(lines: readonly string[]): readonly string[] {
  const chunks: string[] = [];
  let width = 0;
  for (const line of lines) {
    const isWrapped = width >= WRAP_WIDTH && !/[:：]$/u.test(chunks.at(-1) ?? "");
    if (isWrapped) chunks[chunks.length - 1] += ` ${line.trim()}`;
    else chunks.push(line.trim());
    width = line.length;
  }
  return chunks.flatMap(splitSentences);
}

/** In pieces that may be told by themselves. */
export function piecesOf(sentences: readonly string[]): readonly (readonly string[])[] {
  const whole = sentences.reduce((sum, { length }) => sum + length + 1, 0);
  if (whole <= WHOLE_UNITS) return sentences.length === 0 ? [] : [sentences];
  const pieces: string[][] = [];
  let units = 0;
  for (const sentence of sentences) {
    const isApart = units + sentence.length > MOST_UNITS || (units >= ENOUGH_UNITS && !isBound(sentence));
    if (isApart || pieces.length === 0) {
      pieces.push([]);
      units = 0;
    }
    pieces.at(-1)?.push(sentence);
    units += sentence.length + 1;
  }
  return pieces;
}

/** The sentence that holds `words`, with those before that it needs and those behind that are bound to it. */
export function boundAround(sentences: readonly string[], words: string): readonly string[] {
  const at = sentences.findIndex((sentence) => sentence.includes(words) || words.includes(sentence));
  if (at < 0) return [];
  let from = at;
  while (from > 0 && isBound(sentences[from] ?? "")) from -= 1;
  let to = at + 1;
  while (to < sentences.length && isBound(sentences[to] ?? "")) to += 1;
  return sentences.slice(from, to);
}
