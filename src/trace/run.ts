// One attempt as a trace of its own: what is emitted through it carries its id, and it ends exactly once.
import type { Clock } from "../time.ts";
import type { RunEvent } from "./compact-event.ts";
import type { NewCompactEvent } from "./emit.ts";
import { startWatch } from "./watch.ts";

export type RunEnd = Pick<RunEvent, "outcome" | "reason"> &
  Partial<Pick<RunEvent, "step" | "tokens_before" | "tokens_after">>;

export interface Run {
  /** As `Trace.emit`, stamped with the run. */
  emit(event: NewCompactEvent): void;
  /** Emits the run's last event; a second call does nothing. */
  end(how: RunEnd): void;
}

export type RunStart = Pick<RunEvent, "event" | "session_id" | "note">;

export function startRun(trace: Pick<Run, "emit">, start: RunStart, clock: Clock): Run {
  const run_id = randomHex(32);
  const watch = startWatch(clock);
  let hasEnded = false;
  const emit = (event: NewCompactEvent) => trace.emit({ ...event, run_id } as NewCompactEvent);
  return {
    emit,
    end(how) {
      if (hasEnded) return;
      hasEnded = true;
      emit({ ...start, ...how, run_id, ...watch() });
    },
  };
}

/** Random, never 0 as a whole: tracing takes that for no id. */
export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(digits / 2));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return /^0+$/.test(hex) ? `${hex.slice(1)}1` : hex;
}
