// A binary heap: the entry of most worth first, of equals the one that came first.

export interface HeapEntry<Item> {
  readonly worth: number;
  readonly item: Item;
}

export class MaxHeap<Item> {
  readonly #entries: (HeapEntry<Item> & { readonly order: number })[] = [];
  #pushed = 0;

  constructor(entries: Iterable<HeapEntry<Item>>) {
    for (const entry of entries) this.push(entry);
  }

  /** Worth of the next entry; -Infinity when there is none. */
  most(): number {
    return this.#entries[0]?.worth ?? Number.NEGATIVE_INFINITY;
  }

  push(entry: HeapEntry<Item>): void {
    this.#pushed += 1;
    let at = this.#entries.push({ ...entry, order: this.#pushed }) - 1;
    while (at > 0 && this.#isAhead(at, (at - 1) >> 1)) at = this.#swap(at, (at - 1) >> 1);
  }

  pop(): HeapEntry<Item> | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (first === undefined || last === undefined || first === last) return first;
    this.#entries[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const child = left + 1 < this.#entries.length && this.#isAhead(left + 1, left) ? left + 1 : left;
      if (child >= this.#entries.length || !this.#isAhead(child, at)) return first;
      at = this.#swap(at, child);
    }
  }

  #isAhead(one: number, other: number): boolean {
    const [a, b] = [this.#entries[one], this.#entries[other]];
    if (a === undefined || b === undefined) return false;
    return a.worth > b.worth || (a.worth === b.worth && a.order < b.order);
  }

  #swap(from: number, to: number): number {
    const [a, b] = [this.#entries[from], this.#entries[to]];
    if (a !== undefined && b !== undefined) {
      this.#entries[from] = b;
      this.#entries[to] = a;
    }
    return to;
  }
}
