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
