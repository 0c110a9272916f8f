// What is loaded or made at its first use, since most processes that import this package never use most of it.

/** Opens at the first call and remembers it; an opening that failed is tried again at the next call. */
export function lazy<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
