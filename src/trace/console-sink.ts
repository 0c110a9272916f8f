// Prints each event as one line of JSON for a person or a log collector. The only place outside the CLI that may use
// the console: sinks that have something to say to an operator say it through here.
import type { Redacted } from "../redaction/redactor.ts";
import { printable } from "../text/printable.ts";
import type { CompactEvent } from "./compact-event.ts";
import { Sink, type TraceSink } from "./trace-sink.ts";

export interface ConsoleSinkOptions {
  /** Takes one line without its line break. By default standard error, in a browser the console. */
  readonly write?: (line: string) => void;
}

export function createConsoleSink({ write = writeToConsole }: ConsoleSinkOptions = {}): TraceSink {
  return new ConsoleSink(write);
}

class ConsoleSink extends Sink {
  readonly name = "console";
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    super();
    this.#write = write;
  }

  protected take(event: Redacted<CompactEvent>): void {
    try {
      this.#write(`[compact] ${printable(JSON.stringify(event))}`);
    } catch {
      // A log that cannot be written is never worth stopping an agent for.
      this.dropped++;
    }
  }
}

/** Goes to standard error on Node, and unlike a bare write survives a closed pipe. */
export function writeToConsole(line: string): void {
  console.error(line);
}
