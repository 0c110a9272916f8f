// The one way events leave: stamped with the time, redacted once, handed to every sink. A sink that fails reaches
// neither the caller nor another sink.
import type { Redactor } from "../redaction/redactor.ts";
import { type Clock, isoTime } from "../time.ts";
import type { CompactEvent, RunEvent } from "./compact-event.ts";
import type { TraceSink } from "./trace-sink.ts";

type WithoutTime<Event> = Event extends CompactEvent ? Omit<Event, "at"> : never;

/** An event before `createTrace` stamps it. */
export type NewCompactEvent = WithoutTime<CompactEvent>;

export interface Trace {
  /** Never throws, never waits. */
  emit(event: NewCompactEvent): void;
  /** Waits for all sinks; never rejects. */
  flush(): Promise<void>;
  /** Flushes all sinks and lets go of those that no other trace holds; never rejects. */
  shutdown(): Promise<void>;
  /** Sinks that broke their contract by throwing, and events that could not be redacted (those are not sent). */
  readonly failures: number;
}

/** How many traces hold a sink: several managers may share one. */
const holders = new WeakMap<TraceSink, number>();

export function createTrace(sinks: readonly TraceSink[], redactor: Redactor, clock: Clock): Trace {
  let failures = 0;
  let isClosed = false;
  const fail = (): void => {
    failures++;
  };
  const attempt = (action: () => unknown): void => {
    try {
      const result = action();
      // A sink of the user's may be an async function: nobody else looks at what it is rejected with.
      if (result instanceof Promise) result.catch(fail);
    } catch {
      fail();
    }
  };
  const ask = async (what: (sink: TraceSink) => Promise<void>): Promise<void> => {
    const settled = await Promise.allSettled(sinks.map(async (sink) => what(sink)));
    failures += settled.filter((result) => result.status === "rejected").length;
  };
  /** To be let go of by this one: whoever closes last. */
  const release = (sink: TraceSink): boolean => {
    const left = (holders.get(sink) ?? 1) - (isClosed ? 0 : 1);
    holders.set(sink, left);
    return left <= 0;
  };
  for (const sink of sinks) {
    holders.set(sink, (holders.get(sink) ?? 0) + 1);
    attempt(() => sink.open?.());
  }
  return {
    get failures() {
      return failures;
    },
    emit(event) {
      if (sinks.length === 0) return;
      attempt(() => {
        const stamped = { ...event, at: isoTime(clock()) } as CompactEvent;
        // Shared by all sinks: none may take from the others what it does not like.
        const redacted = Object.freeze(redactor.json(stamped));
        for (const sink of sinks) attempt(() => sink.emit(redacted));
      });
    },
    flush: () => ask((sink) => sink.flush()),
    shutdown: () => {
      const last = new Set(sinks.filter(release));
      isClosed = true;
      return ask((sink) => (last.has(sink) && sink.shutdown ? sink.shutdown() : sink.flush()));
    },
  };
}

// One attempt as a trace of its own: what is emitted through it carries its id, and it ends exactly once.

export type RunEnd = Pick<RunEvent, "outcome" | "reason"> &
  Partial<Pick<RunEvent, "step" | "tokens_before" | "tokens_after">>;

interface Run {
  /** As `Trace.emit`, stamped with the run. */
  emit(event: NewCompactEvent): void;
  /** Emits the run's last event; a second call does nothing. */
  end(how: RunEnd): void;
}

type RunStart = Pick<RunEvent, "event" | "session_id" | "note">;

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

// When something began and how long it took, in the words of the events: both by one clock.

export interface Times {
  /** ISO 8601 with `Z`. */
  readonly started_at: string;
  readonly duration_ms: number;
}

/** Begins now. What it gives tells the times up to each call of it. */
export function startWatch(clock: Clock): () => Times {
  const startedAt = clock();
  // A clock may be set back meanwhile.
  return () => ({ started_at: isoTime(startedAt), duration_ms: Math.max(0, clock() - startedAt) });
}
