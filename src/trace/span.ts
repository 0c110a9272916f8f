// An event as a span: what every viewer draws. A run's last event is the root of its trace, its other events are the
// children; an event outside a run is a trace of its own. Each event is one span, ended when it is made.
import type { Redacted } from "../redaction/redacted.ts";
import type { CompactEvent } from "./compact-event.ts";
import { randomHex } from "./run.ts";

export interface Span {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits, unique over all traces. */
  readonly spanId: string;
  /** Absent for the root. */
  readonly parentId?: string;
  /** Milliseconds since the epoch; equal for what took no time. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isError: boolean;
  readonly event: Redacted<CompactEvent>;
}

export function spanOf(event: Redacted<CompactEvent>): Span {
  const traceId = event.run_id ?? randomHex(32);
  // Known before the root is: children leave as soon as they have ended.
  const rootId = traceId.slice(0, 16);
  const isRoot = event.run_id === undefined || isRunEnd(event);
  return {
    traceId,
    ...(isRoot ? { spanId: rootId } : { spanId: randomHex(16), parentId: rootId }),
    ...timesOf(event),
    isError: event.event === "compact.error" || (isRunEnd(event) && event.outcome === "failed"),
    event,
  };
}

export function isRunEnd(event: CompactEvent): event is Extract<CompactEvent, { outcome: string }> {
  return event.event === "compact.preflight" || event.event === "compact.manual";
}

/** Without a start of its own an event with a duration ended when it was emitted. */
function timesOf({ at, started_at, duration_ms = 0 }: CompactEvent): Pick<Span, "startedAt" | "endedAt"> {
  const emitted = Date.parse(at);
  const startedAt = started_at === undefined ? emitted - duration_ms : Date.parse(started_at);
  return { startedAt, endedAt: startedAt + duration_ms };
}
