// Text to UTF-8, a stretch at a time into one buffer that is used again. A stretch ends where every pattern ends a
// piece, whatever follows, so that stretches can be counted one by one.
import { classOf, END_BYTE, END_BYTES, LETTER, MARK, openClassTable } from "./split/character-classes.ts";

/** UTF-16 units of an ordinary stretch; text without a safe end gives longer ones. */
const STRETCH = 32_768;
/** A buffer above this is given back after use. */
const KEPT_BYTES = 3 * STRETCH + END_BYTES;

const APOSTROPHE = 0x27;

/**
 * Offset of the end of the stretch that starts at `start`: behind a letter and before something that no word goes on
 * with. There a word ends in every pattern, and nothing that a word ends with reaches into what follows.
 */
export function stretchEnd(text: string, start: number): number {
  const table = openClassTable();
  for (let size = STRETCH; start + size < text.length; size *= 2) {
    const least = start + size / 2;
    for (let end = start + size; end > least; end--) {
      const unit = text.charCodeAt(end);
      if (unit === APOSTROPHE || isSurrogate(unit) || (classOf(table, unit) & (LETTER | MARK)) !== 0) continue;
      const before = text.charCodeAt(end - 1);
      if (!isSurrogate(before) && (classOf(table, before) & LETTER) !== 0) return end;
    }
  }
  return text.length;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

export interface ByteBuffer {
  /** UTF-8 of a slice, closed by END_BYTES; valid until the next call. A lone surrogate becomes U+FFFD. */
  readonly bytes: Uint8Array;
  /** Encodes and returns the number of bytes. */
  encode(text: string): number;
  /** Gives back what an outsized text took. */
  release(): void;
}

export function createByteBuffer(): ByteBuffer {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(KEPT_BYTES);
  return {
    get bytes() {
      return bytes;
    },
    encode(text) {
      if (bytes.length < 3 * text.length + END_BYTES) bytes = new Uint8Array(3 * text.length + END_BYTES);
      const { written } = encoder.encodeInto(text, bytes);
      bytes.fill(END_BYTE, written, written + END_BYTES);
      return written;
    },
    release() {
      if (bytes.length > KEPT_BYTES) bytes = new Uint8Array(KEPT_BYTES);
    },
  };
}
