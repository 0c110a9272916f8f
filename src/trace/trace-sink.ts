// The contract of a sink: takes redacted events, never throws, never makes the caller wait.
import type { Redacted } from "../redaction/redactor.ts";
import type { CompactEvent } from "./compact-event.ts";

export interface TraceSink {
  readonly name: string;
  /** Events that will never arrive: pushed out of a full queue, or given up. Absent where none can be lost. */
  readonly dropped?: number;
  emit(event: Redacted<CompactEvent>): void;
  /** Resolves when everything emitted so far has left, or was given up. */
  flush(): Promise<void>;
  /**
   * Flushes, then lets go of what it holds; events after it are dropped. Called when the last of those that share the sink
   * closes. Absent where there is nothing to let go of.
   */
  shutdown?(): Promise<void>;
  /** Called by each that takes it up: after a shutdown it takes events again. */
  open?(): void;
}

/** One that may lose events and holds something. */
export type ClosableSink = TraceSink & Required<Pick<TraceSink, "dropped" | "shutdown" | "open">>;

/** What sinks have in common: a closed one takes nothing until it is opened again. */
export abstract class Sink implements ClosableSink {
  abstract readonly name: string;
  dropped = 0;
  protected isClosed = false;

  /** Must not throw. */
  protected abstract take(event: Redacted<CompactEvent>): void;

  emit(event: Redacted<CompactEvent>): void {
    if (this.isClosed) this.dropped++;
    else this.take(event);
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    this.isClosed = true;
    return this.flush();
  }

  open(): void {
    this.isClosed = false;
  }
}
