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

type Methods<Contract> = {
  readonly [Name in keyof Contract as Contract[Name] extends (...input: never[]) => Promise<unknown>
    ? Name
    : never]: Contract[Name];
};

/** The methods of a contract that are answered with promises, each opening what stands behind them all. */
export function lazyMethods<Contract extends object>(
  names: Readonly<Record<keyof Methods<Contract>, true>>,
  open: () => Promise<Contract>,
): Methods<Contract> {
  const opened = lazy(open);
  const methods = Object.keys(names).map((name) => [
    name,
    async (...input: unknown[]) => {
      const contract = (await opened()) as Readonly<Record<string, (...input: unknown[]) => Promise<unknown>>>;
      return contract[name]?.(...input);
    },
  ]);
  return Object.fromEntries(methods) as Methods<Contract>;
}
