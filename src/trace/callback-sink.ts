// Hands events to a function of the user's. What it throws, or rejects with, is counted and goes no further.
import type { Redacted } from "../redaction/redacted.ts";
import type { CompactEvent } from "./compact-event.ts";
import type { TraceSink } from "./trace-sink.ts";

export interface CallbackSink extends TraceSink {
  /** How many calls failed. */
  readonly failures: number;
}

/** Each call gets a copy of its own. `flush` waits for the promises that the function returned. */
export function createCallbackSink(call: (event: Redacted<CompactEvent>) => unknown): CallbackSink {
  const pending = new Set<Promise<unknown>>();
  let failures = 0;
  const fail = (): void => {
    failures++;
  };
  return {
    name: "callback",
    get failures() {
      return failures;
    },
    emit(event) {
      try {
        const result = call(structuredClone(event));
        if (!(result instanceof Promise)) return;
        const settled: Promise<unknown> = result.catch(fail).finally(() => pending.delete(settled));
        pending.add(settled);
      } catch {
        fail();
      }
    },
    async flush() {
      await Promise.all(pending);
    },
  };
}
