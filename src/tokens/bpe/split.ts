// Splits text into the pieces of o200k_base, by hand instead of by its pattern: on bytes, without a string for each
// piece, and equal to it on every string (the tests compare both, and the counts with tiktoken's). The pattern:
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ contraction? |
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]* contraction? |
//   \p{N}{1,3} |  ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+

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

// Splits text into the pieces of cl100k_base, by hand instead of by its pattern (as for o200k_base above). The pattern:
//   contraction | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} |  ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+

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

// The parts that both patterns share: digits, signs, blanks and English contractions. Each takes the offset where it
// starts and returns the offset where it ends.

/** Where the piece that starts at `start` ends. `bytes` are UTF-8, closed by END_BYTES. */
export type FindPieceEnd = (bytes: Uint8Array, start: number) => number;

const SLASH = 0x2f;
const APOSTROPHE = 0x27;

/** `\p{N}{1,3}` */
function numberEnd(table: ClassTable, bytes: Uint8Array, start: number): number {
  let index = start;
  for (let digits = 0; digits < 3 && (classAt(table, bytes, index) & NUMBER) !== 0; digits++) {
    index += widthOf(bytes[index] as number);
  }
  return index;
}

/** `[^\s\p{L}\p{N}]*[\r\n]*`, or `[\r\n/]*` at its end. */
function signsEnd(table: ClassTable, bytes: Uint8Array, start: number, hasSlash: boolean): number {
  let index = start;
  while ((classAt(table, bytes, index) & (OTHER | MARK)) !== 0) index += widthOf(bytes[index] as number);
  for (let byte = bytes[index]; byte === 0x0a || byte === 0x0d || (hasSlash && byte === SLASH); byte = bytes[index]) {
    index++;
  }
  return index;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: to the last line break; else all but the blank before a word; else that blank. */
function blanksEnd(table: ClassTable, bytes: Uint8Array, start: number): number {
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
function contractionEnd(bytes: Uint8Array, start: number): number {
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

// What a character is to the encodings' patterns, one bit a class. Classes come from the engine's own Unicode tables,
// page by page as text needs them: nothing is computed at import, and ordinary text touches a handful of pages.

/** \p{Lu} and \p{Lt}. */
const UPPER = 1;
/** \p{Ll}. */
const LOWER = 2;
/** \p{Lm} and \p{Lo}: the o200k pattern takes them for upper and for lower case. */
const UNCASED = 4;
/** \p{M}. */
export const MARK = 8;
/** \p{N}. */
const NUMBER = 16;
/** White space but CR and LF, as Rust's \s has it: with U+0085, without U+FEFF. */
const SPACE = 32;
const NEWLINE = 64;
const OTHER = 128;

export const LETTER = UPPER | LOWER | UNCASED;

/** Stands after the last byte of a text, so that no scan asks where the end is. Occurs in no UTF-8; has no class. */
export const END_BYTE = 0xff;
/** How many of them: the longest look ahead is `'` and three bytes. */
export const END_BYTES = 4;

/** By code point; 0 where nobody asked yet. Untouched pages of a zeroed array take no memory. */
let classes: Uint8Array | undefined;

type ClassTable = Uint8Array;

export function openClassTable(): ClassTable {
  if (classes === undefined) {
    classes = new Uint8Array(0x110000);
    classifyPage(classes, 0);
  }
  return classes;
}

/** Class of the character whose first byte is at `index`; 0 at the end of the text. */
function classAt(table: ClassTable, bytes: Uint8Array, index: number): number {
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
function widthOf(byte: number): number {
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

// Letters, marks and digits that came with Unicode 17. OpenAI's published splitter knows Unicode 16, so to it they are
// unassigned; this table keeps counts equal to it, and equal on every engine, whatever Unicode that knows.

/** First and last code point of each range, ascending. Symbols are left out: they split like unassigned characters. */
// biome-ignore format: pairs
const RANGES = [
  0x88f, 0x88f, 0xc5c, 0xc5c, 0xcdc, 0xcdc, 0x1acf, 0x1add, 0x1ae0, 0x1aeb, 0xa7ce, 0xa7cf, 0xa7d2, 0xa7d2,
  0xa7d4, 0xa7d4, 0xa7f1, 0xa7f1, 0x10940, 0x10959, 0x10ec5, 0x10ec7, 0x10efa, 0x10efb, 0x11b60, 0x11b67,
  0x11db0, 0x11ddb, 0x11de0, 0x11de9, 0x16ea0, 0x16eb8, 0x16ebb, 0x16ed3, 0x16ff2, 0x16ff6, 0x187f8, 0x187ff,
  0x18d09, 0x18d1e, 0x18d80, 0x18df2, 0x1e6c0, 0x1e6de, 0x1e6e0, 0x1e6f5, 0x1e6fe, 0x1e6ff, 0x2b73a, 0x2b73f,
  0x2cea2, 0x2cead, 0x323b0, 0x33479,
];

export function isAssignedLater(point: number): boolean {
  for (let index = 0; index < RANGES.length; index += 2) {
    if (point < (RANGES[index] as number)) return false;
    if (point <= (RANGES[index + 1] as number)) return true;
  }
  return false;
}
