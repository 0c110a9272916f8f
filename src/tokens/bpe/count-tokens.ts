// Counts the tokens of a text of any size, stretch by stretch: at once, or in steps for a caller that must not block.
import { createPieceCounter, type Encoding } from "./count-pieces.ts";
import type { Steps } from "./merge/long-merge.ts";
import { createByteBuffer, stretchEnd } from "./text-bytes.ts";

export interface TextCounter {
  /** Tokens of `text`. Stops once there are more than `limit`, with those counted so far. */
  count(text: string, limit: number): number;
  /** Tokens of `text` in steps; other texts may be counted meanwhile. */
  steps(text: string): Steps;
}

export function createTextCounter(encoding: Encoding): TextCounter {
  const buffer = createByteBuffer();
  const pieces = createPieceCounter(encoding);

  return {
    count(text, limit) {
      let total = 0;
      for (let start = 0; start < text.length && total <= limit; ) {
        const end = stretchEnd(text, start);
        const length = buffer.encode(start === 0 && end === text.length ? text : text.slice(start, end));
        total += pieces.count(buffer.bytes, length, limit - total);
        start = end;
      }
      buffer.release();
      return total;
    },
    *steps(text) {
      // Buffers of its own: `count` may run between two steps.
      const own = createByteBuffer();
      const ownPieces = createPieceCounter(encoding);
      let total = 0;
      for (let start = 0; start < text.length; ) {
        const end = stretchEnd(text, start);
        const length = own.encode(text.slice(start, end));
        yield;
        total += yield* ownPieces.steps(own.bytes, length);
        start = end;
      }
      return total;
    },
  };
}
