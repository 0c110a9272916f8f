// Runs the cycle at the times of a schedule, and soon after the start where a time was missed. One run at a time; whatever
// comes of it is one line of the log, and nothing ends the server.
import { NO_SCHEDULE } from "../../config/schema/decisions-schema.ts";
import type { CycleResult } from "../../decisions/compact-decisions.ts";
import { CompactError } from "../../errors.ts";
import { isoTime } from "../../time.ts";
import { whereItFailed } from "./call-method.ts";
import { createTimetable, type Timetable } from "./timetable.ts";

export interface DailyCycleParts {
  /** A cron pattern in local time, or `off`. */
  readonly schedule: string;
  /** Runs one cycle. */
  readonly run: (signal: AbortSignal) => Promise<CycleResult>;
  /** When the last cycle began, whoever asked for it; undefined where there was none. */
  readonly lastRun: () => Promise<number | undefined>;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Default: croner. */
  readonly timetable?: Timetable;
}

export interface DailyCycle {
  /** When it runs next, in milliseconds since the epoch; undefined where it does not. */
  nextRun(): number | undefined;
  /** Runs no more, aborts the run there is and waits for its end. */
  stop(): Promise<void>;
}

/** Time for a server to answer its first clients before it has more to do. */
const SOON_MS = 5000;

export function startDailyCycle(parts: DailyCycleParts): DailyCycle {
  const { schedule, log, timetable = createTimetable() } = parts;
  if (schedule === NO_SCHEDULE) return { nextRun: () => undefined, stop: async () => undefined };
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const fire = (): void => {
    if (ending.signal.aborted) return;
    if (running !== undefined) {
      log("Cycle left out: the last one still runs.");
      return;
    }
    running = runOnce(parts, ending.signal).finally(() => {
      running = undefined;
    });
  };
  const stopEach = timetable.each(schedule, fire);
  const stopSoon = timetable.after(SOON_MS, () => {
    void wasMissed(parts, timetable).then((isMissed) => isMissed && fire());
  });
  return {
    nextRun: () => timetable.next(schedule, parts.now()),
    async stop() {
      ending.abort();
      stopEach();
      stopSoon();
      await running;
    },
  };
}

/** A time of the schedule has passed since the last cycle, or there never was one. A log that cannot be read is told by the run. */
async function wasMissed({ schedule, lastRun, now }: DailyCycleParts, timetable: Timetable): Promise<boolean> {
  const last = await lastRun().catch(() => undefined);
  const due = timetable.previous(schedule, now());
  return last === undefined || (due !== undefined && last < due);
}

/** Never rejects. */
async function runOnce({ run, now, log }: DailyCycleParts, signal: AbortSignal): Promise<void> {
  const started = now();
  try {
    const result = await run(signal);
    log(describeCycle(result, now() - started));
  } catch (error) {
    log(describeFailure(error, signal, started));
  }
}

function describeCycle(
  { compacted, preserved, changedTotal, run, warning, errors = [], errorsTotal }: CycleResult,
  took: number,
) {
  const { llm = 0, extractive = 0, failed = 0 } = run?.texts ?? {};
  const faults = errorsTotal ?? errors.length;
  const parts = [
    compacted === 1 ? "1 decision" : `${compacted} decisions`,
    `${changedTotal} with another level`,
    `${preserved} preserved`,
    `texts ${extractive} by code, ${llm} by a model${failed === 0 ? "" : `, ${failed} failed`}`,
    ...(faults === 0 ? [] : [`records not served as they should be: ${faults}`]),
  ];
  return `Cycle done in ${took} ms: ${parts.join("; ")}.${warning === undefined ? "" : ` ${warning}`}`;
}

function describeFailure(error: unknown, signal: AbortSignal, started: number): string {
  if (signal.aborted) return "Cycle stopped: the server ends. What it had written stays.";
  if (!CompactError.isInstance(error)) return `Cycle failed unexpectedly: ${whereItFailed(error)}`;
  if (error.kind === "Conflict") return `Cycle left out: ${error.message}`;
  return `Cycle of ${isoTime(started)} failed: ${error.code}: ${error.message}`;
}
