// Long lists of ids, a query's worth at a time.

/** Ids of one query. */
export const BATCH = 500;

export function inBatches<Item>(items: readonly Item[], size = BATCH): readonly (readonly Item[])[] {
  const batches: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += size) batches.push(items.slice(from, from + size));
  return batches;
}
