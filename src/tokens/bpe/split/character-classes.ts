// What a character is to the encodings' patterns, one bit a class. Classes come from the engine's own Unicode tables,
// page by page as text needs them: nothing is computed at import, and ordinary text touches a handful of pages.
import { isAssignedLater } from "./later-characters.ts";

/** \p{Lu} and \p{Lt}. */
export const UPPER = 1;
/** \p{Ll}. */
export const LOWER = 2;
/** \p{Lm} and \p{Lo}: the o200k pattern takes them for upper and for lower case. */
export const UNCASED = 4;
/** \p{M}. */
export const MARK = 8;
/** \p{N}. */
export const NUMBER = 16;
/** White space but CR and LF, as Rust's \s has it: with U+0085, without U+FEFF. */
export const SPACE = 32;
export const NEWLINE = 64;
export const OTHER = 128;

export const LETTER = UPPER | LOWER | UNCASED;

/** Stands after the last byte of a text, so that no scan asks where the end is. Occurs in no UTF-8; has no class. */
export const END_BYTE = 0xff;
/** How many of them: the longest look ahead is `'` and three bytes. */
export const END_BYTES = 4;

/** By code point; 0 where nobody asked yet. Untouched pages of a zeroed array take no memory. */
let classes: Uint8Array | undefined;

export type ClassTable = Uint8Array;

export function openClassTable(): ClassTable {
  if (classes === undefined) {
    classes = new Uint8Array(0x110000);
    classifyPage(classes, 0);
  }
  return classes;
}

/** Class of the character whose first byte is at `index`; 0 at the end of the text. */
export function classAt(table: ClassTable, bytes: Uint8Array, index: number): number {
  const byte = bytes[index] as number;
  return byte < 0x80 ? (table[byte] as number) : wideClassAt(table, bytes, index, byte);
}

function wideClassAt(table: ClassTable, bytes: Uint8Array, index: number, byte: number): number {
  if (byte === END_BYTE) return 0;
  const point = pointAt(bytes, index, byte);
  return (table[point] as number) || classifyPage(table, point);
}

function pointAt(bytes: Uint8Array, index: number, byte: number): number {
  const second = (bytes[index + 1] as number) & 0x3f;
  if (byte < 0xe0) return ((byte & 0x1f) << 6) | second;
  const third = (bytes[index + 2] as number) & 0x3f;
  if (byte < 0xf0) return ((byte & 0x0f) << 12) | (second << 6) | third;
  return ((byte & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[index + 3] as number) & 0x3f);
}

/** Bytes of the character that starts with `byte`. */
export function widthOf(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/** Fills in the 256 code points around `point`; returns the class of `point` itself. */
function classifyPage(table: ClassTable, point: number): number {
  const first = point & ~0xff;
  for (let neighbour = first; neighbour < first + 256; neighbour++) table[neighbour] = classify(neighbour);
  return table[point] as number;
}

function classify(point: number): number {
  if (point === 0x0a || point === 0x0d) return NEWLINE;
  if (isAssignedLater(point)) return OTHER;
  const character = String.fromCodePoint(point);
  if (/[\p{Lm}\p{Lo}]/u.test(character)) return UNCASED;
  if (/\p{Ll}/u.test(character)) return LOWER;
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return UPPER;
  if (/\p{M}/u.test(character)) return MARK;
  if (/\p{N}/u.test(character)) return NUMBER;
  return /\p{White_Space}/u.test(character) ? SPACE : OTHER;
}

/** Class of a code point. */
export function classOf(table: ClassTable, point: number): number {
  return (table[point] as number) || classifyPage(table, point);
}
