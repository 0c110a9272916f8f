// The figures of the soak as a page.
import { availableParallelism, cpus, loadavg } from "node:os";
import type { SessionFigures } from "./long-session.ts";
import type { ManyFigures } from "./many-messages.ts";
import type { ManySessionsFigures } from "./many-sessions.ts";

export interface SoakFigures {
  readonly latencyMs: number;
  readonly sessions: readonly SessionFigures[];
  readonly many: readonly ManyFigures[];
  readonly together: ManySessionsFigures;
}

export function renderSoakPage({ latencyMs, sessions, many, together }: SoakFigures): string {
  return `# Long sessions

<!-- Written by \`npm run bench:soak\`. -->

${machine()}. Times are of the clock, so a busy machine makes them longer; every other figure is the same everywhere. The texts come from a seed (bench/tokens/session-text.mjs): code, logs, listings, JSON and prose with names that are new all the time, which is more for code to find than most sessions hold.

## A session of four windows

Defaults, an archive in memory. Each turn is a request, often a step with calls and their results, and an answer; \`preflight\` runs before each call of the model, about twice a turn. The model that is worked with takes ${latencyMs} ms a turn, and so does the one that writes summaries.

${sessionTable(sessions)}

The share is that of all calls of \`preflight\`, the summarizing model's answers included, in the time of the whole session. The longest gap is how long a timer had to wait at most.

## Many messages at once

A list that nobody has looked at before, and the same list with one message more.

${manyTable(many)}

## Many sessions in one process

${togetherText(together)}
`;
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const load = loadavg()[0] ?? 0;
  return `${model}, ${availableParallelism()} threads, Node ${process.versions.node}, load ${load.toFixed(1)} at the end`;
}

function sessionTable(sessions: readonly SessionFigures[]): string {
  return table(
    [
      "summaries by",
      "window",
      "turns",
      "tokens",
      "left",
      "rounds",
      "share of the time",
      "median preflight",
      "slowest",
      "longest gap",
    ],
    sessions.map((session) => [
      session.summarizer === "model" ? "a model" : "code",
      whole(session.window),
      whole(session.turns),
      whole(session.tokens),
      whole(session.finalTokens),
      whole(session.rounds),
      `${((100 * session.preflightMs) / session.wallMs).toFixed(1)} %`,
      milliseconds(session.medianMs),
      milliseconds(session.slowestMs),
      milliseconds(session.gapMs),
    ]),
  );
}

function manyTable(many: readonly ManyFigures[]): string {
  return table(
    ["messages", "first look", "its longest gap", "next look", "its longest gap"],
    many.map(({ messages, compacts, firstMs, firstGapMs, secondMs, secondGapMs }) => [
      `${whole(messages)}${compacts ? ", compacted" : ""}`,
      milliseconds(firstMs),
      milliseconds(firstGapMs),
      milliseconds(secondMs),
      milliseconds(secondGapMs),
    ]),
  );
}

function togetherText({ sessions, turns, rounds, firstTenthMs, lastTenthMs, ...left }: ManySessionsFigures): string {
  const { megabytes, megabytesForgotten, openFiles } = left;
  const each = ((megabytes - megabytesForgotten) * 1000) / sessions;
  return `${whole(sessions)} sessions of ${turns} turns each take turns in windows of 8,000 tokens, with an archive on disk: ${whole(rounds)} compactions. The median \`preflight\` takes ${milliseconds(firstTenthMs)} among the first tenth of the calls and ${milliseconds(lastTenthMs)} among the last. A session holds ${whole(each)} KB until it is forgotten; ${openFiles} files are left open.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : whole(value)} ms`;
}
