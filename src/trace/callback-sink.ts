// Hands events to a function of the user's. What it throws, or rejects with, is counted and goes no further; what it
// never settles holds nobody up.
import type { Redacted } from "../redaction/redactor.ts";
import { PendingPromises } from "./bounded-queue.ts";
import type { CompactEvent } from "./compact-event.ts";
import { Sink, type TraceSink } from "./trace-sink.ts";

export interface CallbackSink extends TraceSink {
  /** How many calls failed. */
  readonly failures: number;
}

const LONGEST_WAIT_MS = 2_000;

/** Each call gets a copy of its own. `flush` waits for the promises that the function returned, 2 seconds at most. */
export function createCallbackSink(call: (event: Redacted<CompactEvent>) => unknown): CallbackSink {
  return new FunctionSink(call);
}

class FunctionSink extends Sink implements CallbackSink {
  readonly name = "callback";
  failures = 0;
  readonly #call: (event: Redacted<CompactEvent>) => unknown;
  readonly #pending = new PendingPromises();

  constructor(call: (event: Redacted<CompactEvent>) => unknown) {
    super();
    this.#call = call;
  }

  protected take(event: Redacted<CompactEvent>): void {
    const fail = () => void this.failures++;
    try {
      const result = this.#call(structuredClone(event));
      if (isPromiseLike(result)) this.#pending.add(result, fail);
    } catch {
      fail();
    }
  }

  override flush(): Promise<void> {
    return this.#pending.settle(LONGEST_WAIT_MS);
  }
}

function isPromiseLike(result: unknown): result is PromiseLike<unknown> {
  return typeof result === "object" && result !== null && typeof (result as { then?: unknown }).then === "function";
}
