// Prints each event as one line of JSON for a person or a log collector. The only place outside the CLI that may use
// the console: sinks that have something to say to an operator say it through here.
import { printable } from "../text/printable.ts";
import type { TraceSink } from "./trace-sink.ts";

export interface ConsoleSinkOptions {
  /** Takes one line without its line break. By default standard error, in a browser the console. */
  readonly write?: (line: string) => void;
}

export function createConsoleSink({ write = writeToConsole }: ConsoleSinkOptions = {}): TraceSink {
  let dropped = 0;
  let isClosed = false;
  return {
    name: "console",
    get dropped() {
      return dropped;
    },
    emit(event) {
      try {
        if (isClosed) dropped++;
        else write(`[compact] ${printable(JSON.stringify(event))}`);
      } catch {
        // A log that cannot be written is never worth stopping an agent for.
        dropped++;
      }
    },
    flush: () => Promise.resolve(),
    shutdown: () => {
      isClosed = true;
      return Promise.resolve();
    },
    open: () => {
      isClosed = false;
    },
  };
}

/** Goes to standard error on Node, and unlike a bare write survives a closed pipe. */
export function writeToConsole(line: string): void {
  console.error(line);
}
