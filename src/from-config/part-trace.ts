// The trace of one part of the package, from the sinks and the redaction that a configuration has.
import { createRedactor, type RedactorOptions } from "../redaction/redactor.ts";
import type { Clock } from "../time.ts";
import { createTrace, type Trace } from "../trace/emit.ts";
import type { TraceSink } from "../trace/trace-sink.ts";

/** What the trace of a part needs of the configuration of `CompactManager`. */
export interface TraceConfig {
  readonly trace?: readonly TraceSink[];
  readonly redaction?: RedactorOptions;
  readonly now?: Clock;
}

/** The events of a store's or a log's compactions, to the sinks that a configuration names. Throws `InvalidConfig`. */
export async function partTrace(config: TraceConfig): Promise<Trace> {
  return createPartTrace(config);
}

export function createPartTrace({ trace = [], redaction, now = Date.now }: TraceConfig): Trace {
  return createTrace(trace, createRedactor(redaction), now);
}
