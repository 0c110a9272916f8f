// Ends the wait for work that may never settle. What comes later from the abandoned work is swallowed, and no timer or
// listener is left behind.

export interface TimeLimit {
  /** Infinity waits for ever. */
  readonly timeoutMs: number;
  /** Made when the time is over: what to reject with. */
  readonly timeoutError: () => unknown;
  /** Listened to, never fired. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunningLimit {
  /** Fired by the time-out, or with the caller's reason. */
  readonly signal: AbortSignal;
  /** Counts anew: something has come. */
  extend(): void;
}

/** Longer timers fire at once in every runtime. */
const LONGEST_TIMER = 2_147_483_647;

/** Rejects at the time-out, when the caller aborts, or with what `run` rejects with. */
export async function withTimeout<T>(run: (limit: RunningLimit) => Promise<T>, limits: TimeLimit): Promise<T> {
  const { timeoutMs, timeoutError, signal } = limits;
  signal?.throwIfAborted();
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => {};
  let extend = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    const stop = (reason: unknown): void => {
      reject(reason);
      own.abort(reason);
    };
    onAbort = () => stop(signal?.reason);
    extend = () => {
      clearTimeout(timer);
      if (timeoutMs <= LONGEST_TIMER) timer = setTimeout(() => stop(timeoutError()), timeoutMs);
    };
  });
  signal?.addEventListener("abort", onAbort, { once: true });
  extend();
  try {
    return await Promise.race([run({ signal: own.signal, extend: () => extend() }), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Resolves when the signal is aborted; at once where it was. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Resolves when `work` has settled, however, or the time is over: whether it was in time. Never rejects. */
export function settledWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return withTimeout(() => settled, { timeoutMs, timeoutError: () => undefined }).catch(() => false);
}
