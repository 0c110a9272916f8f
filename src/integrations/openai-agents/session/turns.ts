// One call at a time, in the order they were asked for; a failure does not stop the next.

export type InTurn = <Result>(call: () => Result | Promise<Result>) => Promise<Result>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const result = last.then(call);
    last = result.catch(() => undefined);
    return result;
  };
}
