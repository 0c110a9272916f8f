// Hands events to a function of the user's. What it throws, or rejects with, is counted and goes no further; what it
// never settles holds nobody up.
import type { Redacted } from "../redaction/redactor.ts";
import { PendingPromises } from "./bounded-queue.ts";
import type { CompactEvent } from "./compact-event.ts";
import type { TraceSink } from "./trace-sink.ts";

export interface CallbackSink extends TraceSink {
  /** How many calls failed. */
  readonly failures: number;
}

const LONGEST_WAIT_MS = 2_000;

/** Each call gets a copy of its own. `flush` waits for the promises that the function returned, 2 seconds at most. */
export function createCallbackSink(call: (event: Redacted<CompactEvent>) => unknown): CallbackSink {
  const pending = new PendingPromises();
  let failures = 0;
  let dropped = 0;
  let isClosed = false;
  const fail = (): void => {
    failures++;
  };
  const flush = () => pending.settle(LONGEST_WAIT_MS);
  return {
    name: "callback",
    get failures() {
      return failures;
    },
    get dropped() {
      return dropped;
    },
    emit(event) {
      if (isClosed) {
        dropped++;
        return;
      }
      try {
        const result = call(structuredClone(event));
        if (isPromiseLike(result)) pending.add(result, fail);
      } catch {
        fail();
      }
    },
    flush,
    shutdown() {
      isClosed = true;
      return flush();
    },
    open() {
      isClosed = false;
    },
  };
}

function isPromiseLike(result: unknown): result is PromiseLike<unknown> {
  return typeof result === "object" && result !== null && typeof (result as { then?: unknown }).then === "function";
}
