// Ends the wait for a promise that may never settle: at a time-out, or when the caller aborts. What comes later from
// the abandoned work is swallowed, and no timer or listener is left behind.

export interface Limits {
  /** Infinity waits for ever. */
  readonly timeoutMs: number;
  /** Made when the time is over: what to reject with. */
  readonly timeoutError: () => unknown;
  /** Listened to, never fired. */
  readonly signal?: AbortSignal | undefined;
}

/** Longer timers fire at once in every runtime. */
const LONGEST_TIMER = 2_147_483_647;

/** `run` gets a signal of its own, fired by the time-out or with the caller's reason. */
export async function withinTime<T>(run: (signal: AbortSignal) => Promise<T>, limits: Limits): Promise<T> {
  const { timeoutMs, timeoutError, signal } = limits;
  signal?.throwIfAborted();
  const own = new AbortController();
  let stopWaiting = (_reason: unknown): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stopWaiting = reject;
  });
  const stop = (reason: unknown): void => {
    stopWaiting(reason);
    own.abort(reason);
  };
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = timeoutMs > LONGEST_TIMER ? undefined : setTimeout(() => stop(timeoutError()), timeoutMs);
  try {
    return await Promise.race([run(own.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** A pause that an abort ends at once, with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
