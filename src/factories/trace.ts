// The one place that makes sinks of a configuration, and the traces of the parts that emit. Adding a sink that a file can
// name is one line here.
import type { ConfigFile } from "../config/file-schema.ts";
import type { Environment } from "../config/variables.ts";
import { OTLP_URL_VARIABLE, readOtlpHeaders } from "../config/variables.ts";
import { createRedactor, type RedactorOptions } from "../redaction/redactor.ts";
import type { Clock } from "../time.ts";
import { createAriadneSink } from "../trace/ariadne-sink.ts";
import { createConsoleSink, writeToConsole } from "../trace/console-sink.ts";
import { createTrace, type Trace } from "../trace/emit.ts";
import { createJsonlSink } from "../trace/jsonl-sink.ts";
import { createOtlpSink } from "../trace/otlp-sink.ts";
import type { TraceSink } from "../trace/trace-sink.ts";
import { DEFAULT_ARCHIVE_PATH } from "./archive.ts";

interface SinkSurroundings {
  /** Takes the lines of the console sink, and those of sinks that fail. By default standard error. */
  readonly write?: ((line: string) => void) | undefined;
  /** Where a collector's headers are looked for. Default: the process's own. */
  readonly environment?: Environment | undefined;
}

/** Those that the block `telemetry` names, but events.jsonl: whether that is due, and where, each part knows itself. */
export function sinksOf(
  { console, ariadneUrl, otlpUrl }: NonNullable<ConfigFile["telemetry"]> = {},
  { write = writeToConsole, environment }: SinkSurroundings = {},
): readonly TraceSink[] {
  return [
    ...(console === true ? [createConsoleSink({ write })] : []),
    ...(ariadneUrl === undefined ? [] : [createAriadneSink({ url: ariadneUrl, write })]),
    ...(otlpUrl === undefined ? [] : [otlpSinkOf(otlpUrl, { write, environment })]),
  ];
}

function otlpSinkOf(url: string, { write = writeToConsole, environment }: SinkSurroundings): TraceSink {
  const { headers, withheld } = readOtlpHeaders(url, environment);
  if (withheld !== undefined)
    write(`[OTLP] ${withheld} is not sent: no variable names this collector. Name it in ${OTLP_URL_VARIABLE}.`);
  return createOtlpSink({ url, headers, write });
}

/** The events of a conversation: to the sinks that are given, and to the sessions' events.jsonl below `eventsPath`. */
export function conversationTrace({ trace = [], ...rest }: TraceConfig, eventsPath: string | undefined): Trace {
  return createPartTrace({
    ...rest,
    trace: eventsPath === undefined ? trace : [createJsonlSink({ path: eventsPath }), ...trace],
  });
}

/** As `partTrace`, from a configuration file. Only one that asks for events.jsonl by name gets it beside the archive. */
export function partTraceOf({ telemetry, storage, redaction }: ConfigFile, surroundings: SinkSurroundings = {}): Trace {
  const sinks = sinksOf(telemetry, surroundings);
  const path = storage?.path ?? DEFAULT_ARCHIVE_PATH;
  return conversationTrace(
    { trace: sinks, redaction: redaction as RedactorOptions },
    telemetry?.jsonl === true ? path : undefined,
  );
}

// The trace of one part of the package, from the sinks and the redaction that a configuration has.

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

function createPartTrace({ trace = [], redaction, now = Date.now }: TraceConfig): Trace {
  return createTrace(trace, createRedactor(redaction), now);
}
