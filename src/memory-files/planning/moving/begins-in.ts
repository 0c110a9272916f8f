// What of a text begins within some of its lines, without looking at all of it each time.

/** `all` in the order of their lines. */
export function beginsIn<Placed extends { readonly from: number }>(
  all: readonly Placed[],
  from: number,
  to: number,
): readonly Placed[] {
  return all.slice(firstFrom(all, from), firstFrom(all, to));
}

function firstFrom(all: readonly { readonly from: number }[], line: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.from ?? line) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
