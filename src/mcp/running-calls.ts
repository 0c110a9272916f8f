// Which calls are running, so that whoever ends the server can let them come to their end.

export interface RunningCalls {
  track<T>(call: Promise<T>): Promise<T>;
  /** Resolves when no call runs, or after so many milliseconds; true when none was left. */
  settled(milliseconds: number): Promise<boolean>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  return {
    track(call) {
      running.add(call);
      const forget = () => void running.delete(call);
      call.then(forget, forget);
      return call;
    },
    async settled(milliseconds) {
      const end = Date.now() + milliseconds;
      while (running.size > 0 && Date.now() < end) await within(Promise.allSettled(running), end - Date.now());
      return running.size === 0;
    },
  };
}

/** Waits for `work`, but not longer than so many milliseconds. True when it was done; a failure counts as done. */
export async function within(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.max(milliseconds, 0), false);
  });
  const done = work.then(
    () => true,
    () => true,
  );
  return Promise.race([done, timeout]).finally(() => clearTimeout(timer));
}
