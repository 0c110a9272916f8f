// Serves a decision log on this machine until it is stopped, and runs its cycle at the times of a schedule. Running calls
// come to their end; a running cycle is aborted, what it had written stays.
import { compactDecisions } from "../../decisions/compact-decisions.ts";
import type { CstpContext } from "../../decisions/cstp/method.ts";
import { readTime } from "../../time.ts";
import { openLoopbackServer } from "../loopback-server.ts";
import { CSTP_PATH, type CstpAppParts, createCstpApp } from "./cstp-app.ts";
import { type DailyCycle, startDailyCycle } from "./daily-cycle.ts";
import type { Timetable } from "./timetable.ts";

export interface ServeCstpParts extends CstpAppParts {
  readonly context: Omit<CstpContext, "agent" | "signal">;
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
const GRACE_MS = 5000;

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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
