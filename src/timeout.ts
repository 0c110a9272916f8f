// Ends the wait for work that may never settle. What comes later from the abandoned work is swallowed, and no timer or
// listener is left behind. And ends work that never lets anything else run.
import { CompactError } from "./errors.ts";

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

type EndedWithin = <T>(timeoutMs: number, run: () => T) => T | undefined;

let ended: EndedWithin | undefined;

/**
 * What `run` gives; undefined when the time was over first. Code that runs cannot be stopped by code beside it, but by the
 * engine: `node:vm` ends whatever is called through it, also in the middle of a regular expression.
 * @throws CompactError `MissingDependency` in a runtime without it; what `run` throws.
 */
export const endedWithin: EndedWithin = (timeoutMs, run) => {
  ended ??= createEnding();
  return ended(timeoutMs, run);
};

function createEnding(): EndedWithin {
  const vm = globalThis.process?.getBuiltinModule?.("node:vm");
  if (vm === undefined)
    throw new CompactError("MissingDependency", "What a pattern does cannot be limited in time in this runtime", {
      code: "MISSING_TIME_LIMIT",
      hint: "Leave redaction.patterns out, or run where there is node:vm, as in Node.",
    });
  const context: { run?: () => void } = vm.createContext({});
  const script = new vm.Script("run()");
  return (timeoutMs, run) => {
    let result: ReturnType<typeof run> | undefined;
    context.run = () => {
      result = run();
    };
    try {
      script.runInContext(context, { timeout: timeoutMs });
      return result;
    } catch (error) {
      if ((error as { code?: unknown } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
      throw error;
    } finally {
      delete context.run;
    }
  };
}
