// Splits text into the pieces of cl100k_base, by hand instead of by its pattern (see o200k.ts). The pattern:
//   contraction | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} |  ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
import {
  type ClassTable,
  classAt,
  LETTER,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  openClassTable,
  SPACE,
  widthOf,
} from "./character-classes.ts";
import { blanksEnd, contractionEnd, type FindPieceEnd, numberEnd, signsEnd } from "./parts.ts";

export function createCl100kSplitter(): FindPieceEnd {
  const table = openClassTable();
  return (bytes, start) => {
    const found = classAt(table, bytes, start);
    if ((found & LETTER) !== 0) return lettersEnd(table, bytes, start);
    if (found === NUMBER) return numberEnd(table, bytes, start);
    if (found === NEWLINE) return blanksEnd(table, bytes, start);
    const contracted = contractionEnd(bytes, start);
    if (contracted !== start) return contracted;
    const next = start + widthOf(bytes[start] as number);
    const following = classAt(table, bytes, next);
    if ((following & LETTER) !== 0) return lettersEnd(table, bytes, next);
    const isSigns = found !== SPACE || (bytes[start] === 0x20 && (following & (OTHER | MARK)) !== 0);
    return isSigns ? signsEnd(table, bytes, next, false) : blanksEnd(table, bytes, start);
  };
}

function lettersEnd(table: ClassTable, bytes: Uint8Array, start: number): number {
  let index = start;
  while ((classAt(table, bytes, index) & LETTER) !== 0) index += widthOf(bytes[index] as number);
  return index;
}
