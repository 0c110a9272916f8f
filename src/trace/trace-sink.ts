// The contract of a sink: takes redacted events, never throws, never makes the caller wait.
import type { Redacted } from "../redaction/redacted.ts";
import type { CompactEvent } from "./compact-event.ts";

export interface TraceSink {
  readonly name: string;
  emit(event: Redacted<CompactEvent>): void;
  /** Resolves when everything emitted so far has left, or was given up. */
  flush(): Promise<void>;
}
