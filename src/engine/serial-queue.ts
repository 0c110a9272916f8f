// One piece of work at a time, in the order in which they were asked for; a failure does not stop the next.

export type SerialQueue = <Result>(work: () => Result | Promise<Result>) => Promise<Result>;

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** The transactions of a store that runs them one after another, until it is closed. */
interface TransactionQueue {
  /** Rejects with the error of `closed` once the queue is closed. */
  take<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** After the last one that was asked for before. */
  close(): Promise<void>;
}

export function createTransactionQueue(closed: () => Error): TransactionQueue {
  const queue = createSerialQueue();
  let isOpen = true;
  return {
    take: (work) =>
      queue(() => {
        if (!isOpen) throw closed();
        return work();
      }),
    close: () =>
      queue(() => {
        isOpen = false;
      }),
  };
}
