// A plugin never fails its host: what went wrong is told once, and the host goes on as it would without.

/** Runs `work`, gives undefined where it fails, and tells why the first time. Never throws, unless `tell` does. */
export function createTellOnce() {
  let isTold = false;
  return async <Result>(work: () => Promise<Result>, tell: (why: string) => unknown): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      const isFirst = !isTold;
      isTold = true;
      if (isFirst) await tell(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
}
