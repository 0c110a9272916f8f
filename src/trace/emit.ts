// The one way events leave: stamped with the time, redacted once, handed to every sink. A sink that fails reaches
// neither the caller nor another sink.
import type { Redactor } from "../redaction/redacted.ts";
import { type Clock, isoTime } from "../time.ts";
import type { CompactEvent } from "./compact-event.ts";
import type { TraceSink } from "./trace-sink.ts";

type WithoutTime<Event> = Event extends CompactEvent ? Omit<Event, "at"> : never;

/** An event before `createTrace` stamps it. */
export type NewCompactEvent = WithoutTime<CompactEvent>;

export interface Trace {
  /** Never throws, never waits. */
  emit(event: NewCompactEvent): void;
  /** Waits for all sinks; never rejects. */
  flush(): Promise<void>;
  /** Flushes all sinks and lets go of what they hold; never rejects. */
  shutdown(): Promise<void>;
  /** Sinks that broke their contract by throwing, and events that could not be redacted (those are not sent). */
  readonly failures: number;
}

export function createTrace(sinks: readonly TraceSink[], redactor: Redactor, clock: Clock): Trace {
  let failures = 0;
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
    shutdown: () => ask((sink) => (sink.shutdown ?? sink.flush).call(sink)),
  };
}
