// What sinks wait for, bounded: a queue for a network or a disk, by count and by size, and promises of others' code. Full, a
// queue drops the oldest: of a run that is over the newest events say most.
import { settledWithin } from "../timeout.ts";

const MOST_PENDING = 10_000;

interface Entry<Item> {
  readonly item: Item;
  readonly size: number;
}

export class BoundedQueue<Item> {
  readonly #count: number;
  readonly #bytes: number;
  readonly #sizeOf: (item: Item) => number;
  /** In order of arrival; its first element is found at once, however many there are. */
  readonly #entries = new Set<Entry<Item>>();
  #held = 0;

  constructor({ count, bytes }: { readonly count: number; readonly bytes: number }, sizeOf: (item: Item) => number) {
    this.#count = count;
    this.#bytes = bytes;
    this.#sizeOf = sizeOf;
  }

  get length(): number {
    return this.#entries.size;
  }

  /** Returns how many were dropped to make room. The newest item stays, whatever its size. */
  push(item: Item): number {
    const size = this.#sizeOf(item);
    this.#entries.add({ item, size });
    this.#held += size;
    let dropped = 0;
    for (; this.length > 1 && (this.length > this.#count || this.#held > this.#bytes); dropped++) this.shift();
    return dropped;
  }

  /** The oldest item, taken out. */
  shift(): Item | undefined {
    const [oldest] = this.#entries;
    if (oldest === undefined) return undefined;
    this.#entries.delete(oldest);
    this.#held -= oldest.size;
    return oldest.item;
  }

  /** Returns how many there were. */
  clear(): number {
    const count = this.length;
    this.#entries.clear();
    this.#held = 0;
    return count;
  }
}

/** Promises that a flush waits for. Of too many the oldest are waited for no longer. */
export class PendingPromises {
  readonly #pending = new Set<Promise<unknown>>();

  add(work: PromiseLike<unknown>, onFailure: (error: unknown) => void): void {
    const settled: Promise<unknown> = Promise.resolve(work)
      .catch(onFailure)
      .finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
    const [oldest] = this.#pending;
    if (this.#pending.size > MOST_PENDING && oldest !== undefined) this.#pending.delete(oldest);
  }

  /** Those of now, but no longer than this. */
  async settle(timeoutMs: number): Promise<void> {
    await settledWithin(Promise.all(this.#pending), timeoutMs);
  }
}
