// Long tables and lists, a part at a time.

/** Rows of one read. */
export const PAGE = 500;
/** Before every id. */
export const FIRST_ID = Number.MIN_SAFE_INTEGER;

/** The rows after a key, ascending by it, in pages; none of them is empty. */
export async function* pagesAfter<Key extends number | string, Row extends { readonly id: Key }>(
  read: (after: Key, limit: number) => Promise<readonly Row[]>,
  after: Key,
): AsyncGenerator<readonly Row[]> {
  for (let key = after; ; ) {
    const page = await read(key, PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < PAGE) return;
    key = last.id;
  }
}

export function chunksOf<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  const chunks: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size));
  return chunks;
}
