// Makes batches out of the events that wait: encoded only now, a few in each turn of the event loop, up to a count and
// a size.
import type { Redacted } from "../../redaction/redacted.ts";
import type { CompactEvent } from "../compact-event.ts";
import { type Span, spanOf } from "../span.ts";
import type { BoundedQueue } from "./bounded-queue.ts";
import type { Piece } from "./deliver.ts";
import { unheld } from "./request.ts";

export interface BatchLimits {
  readonly count: number;
  /** UTF-8 bytes of a whole post. */
  readonly bytes: number;
  /** Of those, what stands around the pieces. */
  readonly frameBytes: number;
}

/** Undefined: an event that cannot be sent. */
export type Encode = (span: Span) => readonly Piece[] | undefined;

const EVENTS_PER_TURN = 32;

export class BatchSource {
  readonly #queue: BoundedQueue<Redacted<CompactEvent>>;
  readonly #limits: BatchLimits;
  readonly #encode: Encode;
  #encoded: Piece[] = [];
  /** Of the encoded pieces, each with the comma after it. */
  #bytes = 0;

  constructor(queue: BoundedQueue<Redacted<CompactEvent>>, limits: BatchLimits, encode: Encode) {
    this.#queue = queue;
    this.#limits = limits;
    this.#encode = encode;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0 && this.#encoded.length === 0;
  }

  /** `unsendable` counts the events that gave no piece. An empty batch: nothing waits. */
  async take(): Promise<{ readonly batch: readonly Piece[]; readonly unsendable: number }> {
    let unsendable = 0;
    for (let count = 1; !this.#isFull(); count++) {
      const event = this.#queue.shift();
      if (event === undefined) break;
      const pieces = this.#piecesOf(event);
      if (pieces === undefined) unsendable++;
      for (const piece of pieces ?? []) this.#keep(piece);
      if (count % EVENTS_PER_TURN === 0) await new Promise((resolve) => unheld(setTimeout(resolve, 0)));
    }
    return { batch: this.#cut(), unsendable };
  }

  /** Gives how many events there were. */
  clear(): number {
    const encoded = this.#encoded.reduce((sum, piece) => sum + piece.events, 0);
    this.#encoded = [];
    this.#bytes = 0;
    return encoded + this.#queue.clear();
  }

  #piecesOf(event: Redacted<CompactEvent>): readonly Piece[] | undefined {
    try {
      return this.#encode(spanOf(event));
    } catch {
      return undefined;
    }
  }

  #keep(piece: Piece): void {
    this.#encoded.push(piece);
    this.#bytes += piece.bytes + 1;
  }

  #isFull(): boolean {
    return this.#limits.frameBytes + this.#bytes > this.#limits.bytes || this.#encoded.length >= this.#limits.count;
  }

  /** At least one piece, since none is larger than a post. */
  #cut(): readonly Piece[] {
    let left = this.#limits.bytes - this.#limits.frameBytes;
    let count = 0;
    for (const { bytes } of this.#encoded) {
      left -= bytes + 1;
      if (count > 0 && (left < 0 || count >= this.#limits.count)) break;
      this.#bytes -= bytes + 1;
      count++;
    }
    return this.#encoded.splice(0, count);
  }
}
