// Splits text into the pieces of o200k_base, by hand instead of by its pattern: on bytes, without a string for each
// piece, and equal to it on every string (the tests compare both, and the counts with tiktoken's). The pattern:
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ contraction? |
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]* contraction? |
//   \p{N}{1,3} |  ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+
import {
  type ClassTable,
  classAt,
  LETTER,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  openClassTable,
  UNCASED,
  UPPER,
  widthOf,
} from "./character-classes.ts";
import { blanksEnd, contractionEnd, type FindPieceEnd, numberEnd, signsEnd } from "./parts.ts";

export function createO200kSplitter(): FindPieceEnd {
  const table = openClassTable();
  return (bytes, start) => {
    const found = classAt(table, bytes, start);
    if ((found & LETTER) !== 0) {
      const end = wordEnd(table, bytes, start, start);
      return contractionEnd(bytes, end);
    }
    if (found === NUMBER) return numberEnd(table, bytes, start);
    if (found === NEWLINE) return blanksEnd(table, bytes, start);
    const next = start + widthOf(bytes[start] as number);
    const following = classAt(table, bytes, next);
    if ((following & (LETTER | MARK)) !== 0) {
      const end = wordEnd(table, bytes, next, found === MARK ? start : next);
      return contractionEnd(bytes, end);
    }
    if (found === MARK) return contractionEnd(bytes, next);
    if (found === OTHER || (bytes[start] === 0x20 && following === OTHER)) return signsEnd(table, bytes, next, true);
    return blanksEnd(table, bytes, start);
  };
}

/**
 * A word from `start`, where a letter or mark stands: capitals, then small letters; capitals alone are a word too.
 * Uncased letters and marks count as both, so a run of capitals without a small letter behind it ends after its last
 * uncased one. `whole` lies before `start` where a mark stands before it, which is a word of its own if all else fails.
 */
function wordEnd(table: ClassTable, bytes: Uint8Array, start: number, whole: number): number {
  let index = start;
  let afterUncased = -1;
  let found = classAt(table, bytes, index);
  while ((found & (UPPER | UNCASED | MARK)) !== 0) {
    index += widthOf(bytes[index] as number);
    if (found !== UPPER) afterUncased = index;
    found = classAt(table, bytes, index);
  }
  if (found === LOWER) return smallLettersEnd(table, bytes, index);
  if (afterUncased !== -1) return afterUncased;
  return whole === start ? index : start;
}

function smallLettersEnd(table: ClassTable, bytes: Uint8Array, start: number): number {
  let index = start;
  while ((classAt(table, bytes, index) & (LOWER | UNCASED | MARK)) !== 0) index += widthOf(bytes[index] as number);
  return index;
}
