// The parts that both patterns share: digits, signs, blanks and English contractions. Each takes the offset where it
// starts and returns the offset where it ends.
import { type ClassTable, classAt, MARK, NEWLINE, NUMBER, OTHER, SPACE, widthOf } from "./character-classes.ts";

/** Where the piece that starts at `start` ends. `bytes` are UTF-8, closed by END_BYTES. */
export type FindPieceEnd = (bytes: Uint8Array, start: number) => number;

const SLASH = 0x2f;
const APOSTROPHE = 0x27;

/** `\p{N}{1,3}` */
export function numberEnd(table: ClassTable, bytes: Uint8Array, start: number): number {
  let index = start;
  for (let digits = 0; digits < 3 && (classAt(table, bytes, index) & NUMBER) !== 0; digits++) {
    index += widthOf(bytes[index] as number);
  }
  return index;
}

/** `[^\s\p{L}\p{N}]*[\r\n]*`, or `[\r\n/]*` at its end. */
export function signsEnd(table: ClassTable, bytes: Uint8Array, start: number, hasSlash: boolean): number {
  let index = start;
  while ((classAt(table, bytes, index) & (OTHER | MARK)) !== 0) index += widthOf(bytes[index] as number);
  for (let byte = bytes[index]; byte === 0x0a || byte === 0x0d || (hasSlash && byte === SLASH); byte = bytes[index]) {
    index++;
  }
  return index;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: to the last line break; else all but the blank before a word; else that blank. */
export function blanksEnd(table: ClassTable, bytes: Uint8Array, start: number): number {
  let index = start;
  let lastStart = start;
  let afterNewline = -1;
  for (;;) {
    const found = classAt(table, bytes, index);
    if ((found & (SPACE | NEWLINE)) === 0) break;
    lastStart = index;
    index += widthOf(bytes[index] as number);
    if (found === NEWLINE) afterNewline = index;
  }
  if (afterNewline !== -1) return afterNewline;
  const isAtEnd = classAt(table, bytes, index) === 0;
  return isAtEnd || lastStart === start ? index : lastStart;
}

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`: `start` itself where there is none. The long s folds to s, as Unicode has it. */
export function contractionEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== APOSTROPHE) return start;
  const first = (bytes[start + 1] as number) | 0x20;
  const second = (bytes[start + 2] as number) | 0x20;
  switch (first) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return start + 2;
    case 0x72: // re
    case 0x76: // ve
      return second === 0x65 ? start + 3 : start;
    case 0x6c: // ll
      return second === 0x6c ? start + 3 : start;
    default:
      return bytes[start + 1] === 0xc5 && bytes[start + 2] === 0xbf ? start + 3 : start;
  }
}
