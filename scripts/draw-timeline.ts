// Draws the spans of one run as a viewer shows them: a bar each, placed by its own times. SVG that reads on light and
// dark pages.
import { type Span, spanOf } from "../src/trace/span.ts";

type Event = Parameters<typeof spanOf>[0];

const WIDTH = 760;
const LABEL = 230;
const TRACK = { left: LABEL, width: WIDTH - LABEL - 90 };
const ROW = 26;
const TOP = 34;
/** As viewers do: an instant must be seen. */
const LEAST_SHARE = 0.01;

export function drawTimeline(events: readonly unknown[], title: string): string {
  const spans = (events as readonly Event[]).map(spanOf).sort(inOrder);
  const from = Math.min(...spans.map(({ startedAt }) => startedAt));
  const length = Math.max(1, Math.max(...spans.map(({ endedAt }) => endedAt)) - from);
  const height = TOP + spans.length * ROW + 10;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${title}">`,
    "<style>text{font:13px system-ui,sans-serif;fill:#57606a}.track{fill:#8b949e;opacity:.15}.done{fill:#0891b2}.error{fill:#e11d48}.name{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#adbac7}}</style>",
    `<text class="name" x="8" y="20">${title}</text>`,
    ...spans.flatMap((span, row) => drawRow(span, TOP + row * ROW, from, length)),
    "</svg>",
    "",
  ].join("\n");
}

/** The root first, then by start; what began at once stays in the order in which it was told. */
function inOrder(left: Span, right: Span): number {
  if (left.parentId === undefined || right.parentId === undefined) return left.parentId === undefined ? -1 : 1;
  return left.startedAt - right.startedAt;
}

function drawRow({ event, parentId, isError, startedAt, endedAt }: Span, top: number, from: number, length: number) {
  const share = (endedAt - startedAt) / length;
  const x = TRACK.left + Math.min(1 - LEAST_SHARE, (startedAt - from) / length) * TRACK.width;
  const width = Math.max(LEAST_SHARE, share) * TRACK.width;
  const indent = parentId === undefined ? 8 : 24;
  return [
    `<text x="${indent}" y="${top + 16}">${event.event}${detailOf(event)}</text>`,
    `<rect class="track" x="${TRACK.left}" y="${top + 4}" width="${TRACK.width}" height="16"/>`,
    `<rect class="${isError ? "error" : "done"}" x="${round(x)}" y="${top + 4}" width="${round(width)}" height="16"/>`,
    `<text x="${WIDTH - 82}" y="${top + 16}">${durationText(endedAt - startedAt)}</text>`,
  ];
}

function detailOf(event: Event): string {
  if (event.event === "compact.archival") return ` (${event.what})`;
  return event.event === "compact.error" ? ` (${event.fallback})` : "";
}

function durationText(milliseconds: number): string {
  if (milliseconds < 1) return "&lt;1ms";
  return milliseconds < 1000 ? `${Math.round(milliseconds)}ms` : `${(milliseconds / 1000).toFixed(2)}s`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
