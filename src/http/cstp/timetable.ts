// When a schedule's times are, and calling at them. The clock of this machine, its local time; a time that passed while the
// machine slept is called when it wakes.
import { Cron } from "croner";

export interface Timetable {
  /** Calls `fire` at each time of the pattern, until the function it gives back is called. */
  each(pattern: string, fire: () => void): () => void;
  /** Calls `fire` once, after so many milliseconds. */
  after(milliseconds: number, fire: () => void): () => void;
  /** The last time of the pattern before `at`, in milliseconds since the epoch. */
  previous(pattern: string, at: number): number | undefined;
  /** The next one after `at`. */
  next(pattern: string, at: number): number | undefined;
}

const OPTIONS = { mode: "5-or-6-parts", unref: true } as const;

/** Patterns are those that the configuration takes. Keeps no process alive. */
export function createTimetable(): Timetable {
  return {
    each(pattern, fire) {
      const job = new Cron(pattern, OPTIONS, fire);
      return () => job.stop();
    },
    after(milliseconds, fire) {
      const timer = setTimeout(fire, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    previous: (pattern, at) => still(pattern).previousRuns(1, new Date(at))[0]?.getTime(),
    next: (pattern, at) => still(pattern).nextRun(new Date(at))?.getTime(),
  };
}

function still(pattern: string): Cron {
  return new Cron(pattern, { ...OPTIONS, paused: true });
}
