// A limit on how long something may take as a whole, retries included. What is still under way when it has passed is
// aborted and no longer waited for.

export class TimeLimitPassed extends Error {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`took longer than ${milliseconds} ms`);
    this.name = "TimeLimitPassed";
    this.milliseconds = milliseconds;
  }
}

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Counts anew: something has come. */
  extend(): void;
}

/** Rejects with `TimeLimitPassed`, or what `run` rejects with. */
export async function within<Value>(milliseconds: number, run: (limit: TimeLimit) => Promise<Value>): Promise<Value> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start: () => void = () => undefined;
  const passed = new Promise<never>((_, reject) => {
    start = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new TimeLimitPassed(milliseconds));
        stop.abort();
      }, milliseconds);
    };
  });
  start();
  try {
    return await Promise.race([run({ signal: stop.signal, extend: () => start() }), passed]);
  } finally {
    clearTimeout(timer);
  }
}
