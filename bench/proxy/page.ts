// The page of `npm run bench:proxy`.
import { figure } from "../../src/text/figures.ts";
import type { Measured } from "./measure.ts";
import { SYSTEM_TOKENS } from "./replay.ts";
import { type Added, HEAP_MEGABYTES, MESSAGES, type Shares, type Soaked } from "./speed.ts";

export interface SessionRow {
  readonly label: string;
  /** Of the host's model. */
  readonly ownWindow: number;
  /** Saved share by target. */
  readonly curve: readonly (readonly [number, number])[];
  readonly small: Measured;
  readonly own: Measured;
}

export interface Page {
  readonly rows: readonly SessionRow[];
  readonly added: Added;
  readonly soaked: Soaked;
  readonly agents: number;
  readonly window: number;
}

export function renderPage({ rows, added, soaked, agents, window }: Page): string {
  const targets = rows[0]?.curve.map(([target]) => String(target)) ?? [];
  return `# What the proxy costs and saves

<!-- Written by \`npm run bench:proxy\`; needs real sessions (\`AGENT_CORPUS\`). -->

Real sessions are replayed turn by turn, each request whole as its host sends it, through \`agent-compact proxy\` and without it. The provider at the other end checks every request by its API's rules, refuses prompts above its window, and caches prompts by their beginning, in whole messages, behind a system prompt of ${figure(SYSTEM_TOKENS)} tokens. Figures are weighted tokens: read from the cache 0.1, written to it 1.25, plain input 1, output 5. "Without" is the same requests sent whole, under the same cache, with no window at all.

## In a window of ${figure(window)}

${table(
  [
    "session",
    "calls",
    "without",
    "through the proxy",
    "saved",
    "compactions",
    "largest prompt",
    "refused",
    "invalid",
    "cost before the first compaction",
    "bytes changed before it",
  ],
  rows.map(({ label, small }) => [
    ...[label, figure(small.calls), millions(small.direct), millions(small.proxied), saved(small)],
    ...[String(small.compactions), figure(small.largest), String(small.tooLong), String(small.invalid)],
    ...[(small.proxiedBefore / small.directBefore).toFixed(2), String(small.changed)],
  ]),
)}

## In the host's own window

Where the whole session fits into the window nothing is compacted, and nothing is saved or lost.

${table(
  ["session", "window", "without", "through the proxy", "saved", "compactions", "refused"],
  rows.map(({ label, ownWindow, own }) => [
    ...[label, figure(ownWindow), millions(own.direct), millions(own.proxied), saved(own)],
    ...[String(own.compactions), String(own.tooLong + own.invalid)],
  ]),
)}

## How far down

Saved in a window of ${figure(window)}, by \`policy.target_pct\`, the share of the window that a compaction comes down to. The deeper, the cheaper: each request reads the whole prompt again. It is paid for with what stays, so the proxy's default is 0.3, near which the curve grows flat.

${table(
  ["session", ...targets, "0.3 (default)"],
  rows.map(({ label, curve, small }) => [label, ...curve.map(([, share]) => percent(share)), saved(small)]),
)}

## What it adds

A request of ${figure(MESSAGES)} messages (${figure(Math.round(added.bytes / 1024))} KB) that is not due, growing by two messages a time, each beside the same one without the proxy, in milliseconds.

${table(
  ["", "p50", "p99"],
  [
    ["without", ...shares(added.direct)],
    ["through the proxy", ...shares(added.through)],
    ["added", ...shares(added.added)],
    ["added by @portkey-ai/gateway 1.15.2, which compacts nothing", ...shares(added.peer)],
  ],
)}

${agents} agents at once, ${figure(soaked.requests)} requests, as many as they send in an hour, in ${Math.round(soaked.seconds)} s: ${figure(soaked.compactions)} compactions, ${soaked.failed} failed requests. Memory of the process after each tenth, with ${HEAP_MEGABYTES} MB for what it keeps (without a limit Node collects late): ${soaked.megabytes.join(", ")} MB.
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function millions(tokens: number): string {
  return `${(tokens / 1e6).toFixed(2)} M`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function saved({ direct, proxied }: Measured): string {
  return percent(1 - proxied / direct);
}

function shares({ p50, p99 }: Shares): readonly string[] {
  return [p50.toFixed(1), p99.toFixed(1)];
}
