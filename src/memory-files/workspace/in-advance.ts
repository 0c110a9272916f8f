// Begins what takes its time before it is asked for, so that nobody waits for the disk one file after the other. A few at
// once, and no more of them than their weight allows.

interface Advance<Item> {
  /** Begun at once. */
  readonly width: number;
  /** Of those begun together, whatever their number; one is always begun. */
  readonly most?: number;
  readonly weigh?: (item: Item) => number;
}

/** Results in the order of the items. `begin` must not reject: its results may never be asked for. */
export async function* inAdvance<Item, Result>(
  items: readonly Item[],
  begin: (item: Item) => Promise<Result>,
  { width, most = Number.POSITIVE_INFINITY, weigh = () => 0 }: Advance<Item>,
): AsyncGenerator<Result> {
  const begun: { readonly result: Promise<Result>; readonly weight: number }[] = [];
  let next = 0;
  let weight = 0;
  while (next < items.length || begun.length > 0) {
    while (next < items.length && begun.length < width) {
      const item = items[next] as Item;
      const own = weigh(item);
      if (begun.length > 0 && weight + own > most) break;
      begun.push({ result: begin(item), weight: own });
      weight += own;
      next += 1;
    }
    const first = begun.shift();
    if (first === undefined) return;
    const result = await first.result;
    weight -= first.weight;
    yield result;
  }
}
