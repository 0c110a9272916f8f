// Serves a decision log on this machine until it is stopped, and runs its cycle at the times of a schedule. Running calls
// come to their end; a running cycle is aborted, what it had written stays.
import { Cron } from "croner";
import { NO_SCHEDULE } from "../config/memories-schema.ts";
import { type CycleResult, compactDecisions } from "../decisions/compaction/compact-decisions.ts";
import { CompactError } from "../errors.ts";
import type { DecisionContext } from "../operations/decisions/context.ts";
import { isoTime, readTime } from "../time.ts";
import { aborted } from "../timeout.ts";
import { CSTP_PATH, type CstpAppParts, createCstpApp, whereItFailed } from "./cstp-app.ts";
import { openLoopbackServer } from "./loopback.ts";

export interface ServeCstpParts extends CstpAppParts {
  readonly context: Omit<DecisionContext, "agent" | "signal">;
  /** 0: any free one. */
  readonly port: number;
  /** A cron pattern in local time, or `off`. */
  readonly schedule: string;
  /** Aborted: no more calls are taken. */
  readonly signal: AbortSignal;
  readonly onListening: (listening: Listening) => void;
  /** Default: croner. */
  readonly timetable?: Timetable;
}

export interface Listening {
  /** `http://127.0.0.1:PORT/cstp`. */
  readonly url: string;
  /** Of the cycle, in milliseconds since the epoch. */
  readonly nextRun: number | undefined;
}

/** How long a call may go on after the end was asked for. */
const GRACE_MS = 1400;

/** Resolves when the server was stopped and is closed. Throws as `openLoopbackServer` does. */
export async function serveCstp(parts: ServeCstpParts): Promise<void> {
  const { port, log, signal, onListening } = parts;
  const app = await createCstpApp({ ...parts, context: { ...parts.context, signal } });
  const server = await openLoopbackServer({ port, log, fetch: (request) => app.fetch(request) });
  const cycle = cycleOf(parts);
  onListening({ url: `${server.address}${CSTP_PATH}`, nextRun: cycle.nextRun() });
  await aborted(signal);
  await Promise.all([server.close(GRACE_MS), cycle.stop()]);
}

function cycleOf({ context, schedule, log, timetable }: ServeCstpParts): DailyCycle {
  const { policies, now, trace, texts } = context;
  return startDailyCycle({
    schedule,
    now,
    log,
    ...(timetable === undefined ? {} : { timetable }),
    run: async (signal) => {
      const options = { policies, now: now(), clock: now, trace, texts, signal };
      return compactDecisions(await context.log(), { trigger: "schedule" }, options);
    },
    lastRun: async () => {
      const decisions = await context.log();
      const [last] = await decisions.read((reader) => reader.runs(1));
      return last === undefined ? undefined : readTime(last.started_at);
    },
  });
}

// Runs the cycle at the times of a schedule, and soon after the start where a time was missed. One run at a time; whatever
// comes of it is one line of the log, and nothing ends the server.

export interface DailyCycleParts {
  /** A cron pattern in local time, or `off`. */
  readonly schedule: string;
  /** Runs one cycle. */
  readonly run: (signal: AbortSignal) => Promise<CycleResult>;
  /** When the last cycle began, by schedule or by request; undefined before the first. */
  readonly lastRun: () => Promise<number | undefined>;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Default: croner. */
  readonly timetable?: Timetable;
}

interface DailyCycle {
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

// When a schedule's times are, and calling at them. The clock of this machine, its local time; a time that passed while the
// machine slept is called when it wakes.

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
