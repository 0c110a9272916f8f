// Which calls are running, so that whoever ends the server can let them come to their end, and have those answered that
// do not.
import { groupBy } from "../text/words.ts";
import { settledWithin } from "../timeout.ts";

export interface RunningCalls {
  /** The call's outcome, or `unfinished` where the call was given up before. */
  track<T>(name: string, call: Promise<T>, unfinished: () => T): Promise<T>;
  /** Resolves when no call runs, or after so many milliseconds; true when none was left. */
  settled(milliseconds: number): Promise<boolean>;
  /** Has the calls answered that still run; they run on. Says how many in one line, undefined for none that was not told before. */
  giveUp(): string | undefined;
}

interface RunningCall {
  readonly name: string;
  readonly work: Promise<unknown>;
  readonly giveUp: () => void;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<RunningCall>();
  const givenUp = new WeakSet<RunningCall>();
  return {
    track<T>(name: string, work: Promise<T>, unfinished: () => T) {
      return new Promise<T>((resolve, reject) => {
        const call: RunningCall = { name, work, giveUp: () => resolve(unfinished()) };
        running.add(call);
        const forget = () => void running.delete(call);
        work.then(forget, forget);
        work.then(resolve, reject);
      });
    },
    async settled(milliseconds) {
      const end = Date.now() + milliseconds;
      while (running.size > 0 && Date.now() < end) {
        await settledWithin(Promise.allSettled([...running].map(({ work }) => work)), end - Date.now());
      }
      return running.size === 0;
    },
    giveUp() {
      const left = [...running].filter((call) => !givenUp.has(call));
      for (const call of left) {
        givenUp.add(call);
        call.giveUp();
      }
      return left.length === 0 ? undefined : describeUnfinished(left.map(({ name }) => name));
    },
  };
}

function describeUnfinished(names: readonly string[]): string {
  const counts = [...groupBy(names, (name) => name)].map(([name, { length }]) => ({ name, length }));
  const listed = counts.map(({ name, length }) => (length === 1 ? name : `${name} (${length})`)).join(", ");
  return names.length === 1
    ? `A call was not finished when the server had to end; whether it was carried out is not known: ${listed}.`
    : `${names.length} calls were not finished when the server had to end; whether they were carried out is not known: ${listed}.`;
}
