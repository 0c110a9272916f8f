// What the viewer's page makes of records, as a model: the tree of a trace, each bar of its 12rem track, the words beside it, and the text of the
// response tab. So that what a person would see is an assertion.
import type { SpanRecord, TraceRecord, ViewerRecord } from "./ingest.ts";

export interface Row {
  readonly span: SpanRecord;
  readonly depth: number;
  readonly bar: Bar | undefined;
}

export interface Bar {
  /** Percent of the track. */
  readonly left: number;
  readonly width: number;
  readonly text: string;
  readonly color: "amber" | "rose" | "cyan";
}

export interface Group {
  readonly label: string;
  readonly traces: readonly string[];
}

/** Rows of one trace, as listed; `records` in the order of their arrival. */
export function timelineOf(records: readonly ViewerRecord[], traceId: string): readonly Row[] {
  const ofTrace = records.filter((record) => record.trace_id === traceId);
  const spans = earliestOfEach(ofTrace.filter((record) => record.type === "span"));
  const bounds = boundsOf(ofTrace);
  const rows: Row[] = [];
  const list = (parent: string | undefined, depth: number): void => {
    for (const span of inOrder(spans.filter((candidate) => parentOf(candidate, spans) === parent))) {
      rows.push({ span, depth, bar: barOf(span, bounds) });
      list(span.span_id, depth + 1);
    }
  };
  // Starts at the roots: spans in a circle are never reached, and vanish.
  list(undefined, 0);
  return rows;
}

/** Traces under their headings, the newest first. */
export function groupsOf(records: readonly ViewerRecord[]): readonly Group[] {
  const groups = new Map<string, { label: string; traces: string[] }>();
  for (const id of new Set(records.toReversed().map((record) => record.trace_id))) {
    const trace = records.find((record): record is TraceRecord => record.type === "trace" && record.trace_id === id);
    const of = trace?.metadata ?? {};
    const key = of.agent ?? of.agent_id ?? of.agent_name ?? trace?.group_id ?? trace?.name ?? id;
    const label = of.agent_name ?? of.agent ?? of.agent_id ?? trace?.name ?? key;
    const group = groups.get(key) ?? { label, traces: [] };
    group.traces.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function earliestOfEach(spans: readonly SpanRecord[]): readonly SpanRecord[] {
  return spans.filter((span, at) => spans.findIndex(({ span_id }) => span_id === span.span_id) === at);
}

function parentOf({ parent_id }: SpanRecord, spans: readonly SpanRecord[]): string | undefined {
  return spans.some(({ span_id }) => span_id === parent_id) ? parent_id : undefined;
}

/** Equal starts in the reverse order of arrival; without a start first. */
function inOrder(spans: readonly SpanRecord[]): readonly SpanRecord[] {
  const startOf = ({ started_at }: SpanRecord) => (started_at === undefined ? 0 : Date.parse(started_at));
  return [...spans].reverse().sort((first, second) => startOf(first) - startOf(second));
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

function boundsOf(records: readonly ViewerRecord[]): Bounds {
  const times = records
    .flatMap(({ started_at, ended_at }) => [started_at, ended_at])
    .flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  return { from: Math.min(...times), to: Math.max(...times) };
}

function barOf({ started_at, ended_at, status }: SpanRecord, { from, to }: Bounds): Bar | undefined {
  if (started_at === undefined) return undefined;
  const start = Date.parse(started_at);
  const percent = (time: number) => (to === from ? 0 : (time / (to - from)) * 100);
  const left = percent(start - from);
  if (ended_at === undefined) return { left, width: 100 - left, text: "in progress", color: "amber" };
  const duration = Date.parse(ended_at) - start;
  const color = status === "error" ? "rose" : "cyan";
  return { left, width: Math.max(1, percent(duration)), text: durationText(duration), color };
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 1) return "<1ms";
  if (milliseconds < 1_000) return `${Math.round(milliseconds)}ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(2)}s`;
  return `${(milliseconds / 60_000).toFixed(2)}m`;
}

const RESPONSE_PATHS = [
  ...["final_output", "output_text", "response.final_output", "response.output_text", "response.text"],
  ...["response.output", "output.final_output", "output.text", "output.output_text", "output.choices", "output"],
  ...["result", "message", "messages", "content", "tool_output"],
];

/** Text of the response tab after "Reveal Data"; undefined: "No response data available". */
export function responseText(data: Readonly<Record<string, unknown>> = {}): string | undefined {
  for (const path of RESPONSE_PATHS) {
    const found = path
      .split(".")
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], data);
    if (typeof found === "string" && found !== "") return found;
  }
  const spoken = Object.entries(data).find(
    ([key, value]) =>
      /output|response|result|message|final/.test(key) &&
      typeof value === "string" &&
      value.trim().split(/\s+/).length > 3,
  );
  return spoken?.[1] as string | undefined;
}
