// What waits for the network, bounded by count and by size. Full, it lets the oldest go: of a run that is over the
// newest events tell most. Every step costs the same, however long the queue.

export interface QueueLimits {
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
