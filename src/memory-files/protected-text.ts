// What keeps a text from being taken away: marks that people write at it, open tasks, rules, a name in the memory.
import { findRuleSentences } from "../facts/rules.ts";
import { says } from "../language/words.ts";
import { type MemoryFile, textOf } from "./workspace.ts";

const MARKS: readonly RegExp[] = [
  /<!--[ \t]{0,9}(?:keep|pin|pinned|permanent|do not remove|do-not-remove)(?![\p{L}\p{N}])/iu,
  /[[(（【][ \t]{0,9}(?:keep|pinned|permanent|置顶|置頂|永久)[ \t]{0,9}[\])）】]/iu,
  /(?<![\p{L}\p{N}_/&#])#(?:keep|pin|pinned|permanent)(?![\p{L}\p{N}_-])/iu,
  /📌|📍|置顶|置頂/u,
];

/** The text, of one line or many, says of itself that it is to be kept. */
export function isMarked(text: string): boolean {
  return MARKS.some((mark) => mark.test(text));
}

// Does a text say that something is still to be done or waited for? Errs on one side: an entry of a log that only sounds
// like it stays where it is.

/** Anything in a box but a tick, and boxes that are characters. */
const OPEN_BOX = /(?:^|[ \t])\[(?:[ \t]?|[-/>!?~*o.])\](?=[ \t]|$)|[☐⬜🔲□⏳⌛🚧]/mu;

export function isStillOpen(text: string): boolean {
  return OPEN_BOX.test(text) || says(text, "pending");
}

// Does a section hold a rule that is to last? Errs on one side: a log entry that only sounds like one stays where it is.

export function holdsRule(text: string): boolean {
  return says(text, "lasting") || findRuleSentences(text).length > 0;
}

// Which notes the memory speaks of by their file name: a link to one that left would lead to nothing.

export function notesNamedBy(memory: readonly MemoryFile[]): (note: MemoryFile) => boolean {
  const texts = memory.map((file) => textOf(file));
  return ({ file }) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    return texts.some((text) => text.includes(name));
  };
}
