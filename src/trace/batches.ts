// Makes batches out of the events that wait: encoded only now, a few in each turn of the event loop, up to a count and
// a size.
import type { Redacted } from "../redaction/redactor.ts";
import type { CompactEvent } from "./compact-event.ts";
import { type Piece, unheld } from "./deliver.ts";
import { type Span, spanOf } from "./span.ts";

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

// What waits for the network, bounded by count and by size. Full, it lets the oldest go: of a run that is over the
// newest events tell most. Every step costs the same, however long the queue.

interface QueueLimits {
  readonly count: number;
  readonly bytes: number;
}

export class BoundedQueue<Item> {
  readonly #limits: QueueLimits;
  readonly #sizeOf: (item: Item) => number;
  #items: (Item | undefined)[] = [];
  #sizes: number[] = [];
  #head = 0;
  #bytes = 0;

  constructor(limits: QueueLimits, sizeOf: (item: Item) => number) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** Gives how many left to make room. The newest item stays, whatever its size. */
  push(item: Item): number {
    const size = this.#sizeOf(item);
    this.#items.push(item);
    this.#sizes.push(size);
    this.#bytes += size;
    let pushedOut = 0;
    while (this.length > 1 && (this.length > this.#limits.count || this.#bytes > this.#limits.bytes)) {
      this.shift();
      pushedOut++;
    }
    return pushedOut;
  }

  /** The oldest item, taken out. */
  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#bytes -= this.#sizes[this.#head] ?? 0;
    this.#items[this.#head++] = undefined;
    // Moved seldom enough that a step costs the same on average.
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) this.#moveUp();
    return item;
  }

  /** Gives how many there were. */
  clear(): number {
    const count = this.length;
    this.#items = [];
    this.#sizes = [];
    this.#head = 0;
    this.#bytes = 0;
    return count;
  }

  #moveUp(): void {
    this.#items = this.#items.slice(this.#head);
    this.#sizes = this.#sizes.slice(this.#head);
    this.#head = 0;
  }
}
