// Prints each event as one line of JSON for a person or a log collector. The only place outside the CLI that may use
// the console.
import type { TraceSink } from "./trace-sink.ts";

export interface ConsoleSinkOptions {
  /** Takes one line without its line break. By default standard error, in a browser the console. */
  readonly write?: (line: string) => void;
}

export function createConsoleSink(options: ConsoleSinkOptions = {}): TraceSink {
  // console.error goes to standard error on Node, and unlike a bare write survives a closed pipe.
  const write = options.write ?? ((line: string) => console.error(line));
  return {
    name: "console",
    emit(event) {
      try {
        write(`[compact] ${JSON.stringify(event)}`);
      } catch {
        // A log that cannot be written is never worth stopping an agent for.
      }
    },
    flush: () => Promise.resolve(),
  };
}
