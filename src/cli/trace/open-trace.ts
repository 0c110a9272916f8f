// The trace of a command: made from its configuration, and ended with the command, however that ends. A viewer that does
// not answer holds up nobody for more than two seconds.
import type { ConfigFile } from "../../config/file-schema.ts";
import { partTraceOf } from "../../from-config/trace.ts";
import type { Trace } from "../../trace/emit.ts";
import { withinTime } from "../../trace/hosted/within-time.ts";
import { archiveAt } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";
import { LONGEST_END_MS } from "./last-steps.ts";

/** For a part besides the conversation. Throws `InvalidConfig`. */
export function openTrace(config: ConfigFile, terminal: Terminal): Trace {
  const { storage } = archiveAt({}, terminal, config.storage);
  const write = (line: string) => void terminal.stderr.write(`${line}\n`);
  return partTraceOf({ ...config, storage }, { write, environment: terminal.env });
}

/** Within two seconds, whatever a disk or a viewer does. */
export function closeTrace(trace: Trace, milliseconds = LONGEST_END_MS): Promise<void> {
  return withinTime(trace.shutdown(), milliseconds);
}

/** As `openTrace`, for the time of `work`. */
export function withTrace<T>(config: ConfigFile, terminal: Terminal, work: (trace: Trace) => Promise<T>): Promise<T> {
  const trace = openTrace(config, terminal);
  return endingWith(
    () => closeTrace(trace),
    terminal,
    () => work(trace),
  );
}

/** Calls `close` when the work is over, and when a signal, or a reader that left, ends the process before. */
export async function endingWith<T>(
  close: () => Promise<void>,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  const forget = terminal.beforeExit?.(close);
  try {
    return await work();
  } finally {
    await close();
    forget?.();
  }
}
