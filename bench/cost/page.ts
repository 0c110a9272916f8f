// The figures as a page: what was asked, the tables, what they mean.

import { COST_WEIGHTS } from "../../src/conversation/report.ts";
import type { Held } from "../facts/held.ts";
import { median, percent, table, whole } from "../page/markdown.ts";
import type { Measured } from "./measure.ts";
import { SYSTEM_TOKENS } from "./measure.ts";
import { type Cost, weightOf } from "./prices.ts";
import { TRIGGER, WINDOW } from "./ways.ts";

export interface SessionRow {
  readonly label: string;
  readonly tokens: number;
  readonly nothing: Measured;
  readonly window: Measured;
  readonly extractive: Measured;
  readonly model: Measured;
}

export interface JoinedRow {
  readonly name: string;
  readonly sent: Measured;
  readonly plain: Measured;
}

export interface TargetRow {
  /** Undefined for the default. */
  readonly targetPct: number | undefined;
  readonly measured: Measured;
}

export interface PageFigures {
  readonly sessions: readonly SessionRow[];
  readonly joined: readonly JoinedRow[];
  readonly targets: readonly TargetRow[];
}

export function renderPage({ sessions, joined, targets }: PageFigures): string {
  return `# What a session costs

<!-- Written by \`npm run bench:cost\`; needs real sessions (\`AGENT_CORPUS\`). -->

Each session is replayed step by step: one model call before each answer, with the prompt that is there by then. Figures are weighted tokens, in units of one token of plain input: read from the cache ${COST_WEIGHTS.cached_read}, written to it ${COST_WEIGHTS.cache_write}, plain input ${COST_WEIGHTS.input}, output ${COST_WEIGHTS.output}. What a prompt shares with the one before it, from its start and in whole messages, is read from the cache; the rest is written. A system prompt of ${whole(SYSTEM_TOKENS)} tokens stands before every prompt. Ways that keep the prompt small act at ${whole(TRIGGER)} tokens of a window of ${whole(WINDOW)}, everything else by default. A sliding window drops its oldest messages, with the results of their calls, until it is under the trigger.

"With a model's summaries" adds the calls that write them, uncached. The model follows a script and is sent what any model would be: the instruction, the record so far, the passages that leave. It answers with one line a passage, newest first, up to 3,000 tokens; code completes that from the ledger, as it does with every model. The figures are the same on every machine; a model that writes more costs five for each token.

Words of users (the first 500 characters of each message) and identifiers (named by at least two messages) are looked for in the list that is left at the end, by the same plain reading as in [promises.md](promises.md).

## Each session

Millions of weighted tokens; a session that never reaches the trigger costs the same in every way.

${sessionTable(sessions)}

## Two sessions as one

${joinedTable(joined)}

"Prompts only" leaves out the answers' own tokens, which are the same in every way. "Plain text" does so too, and counts what can be read only: no ids, no frames of messages and calls.

A sliding window saves reading and pays for it with writing: once it slides, each call's prompt begins differently, and all but the system prompt is written anew. A compaction does that once a round.

## How far down

The same session, extractive, by \`policy.target_pct\`; where a round lands and what it keeps are medians.

${targetTable(targets)}

The lower the target, the smaller the prompts that are read at each call, and the fewer the rounds. It is paid for with recent turns, which go into the summary sooner, and with detail of the summary: changed files stay, users' words beyond a third of its room and names that recur only as far as they are worth it. The default (the trigger less 0.10) keeps the recent layer that the policy asks for and gives the summary what room is left. A host with many calls between two turns of its user does well with a target near two fifths of the trigger; below a quarter there is little to win, because what is left is what must stay.
`;
}

function sessionTable(rows: readonly SessionRow[]): string {
  return table(
    [
      "session",
      "tokens",
      "calls",
      "no compaction",
      "sliding window",
      "extractive",
      "with a model's summaries",
      "rounds",
      "reduction",
      "users' words",
      "identifiers",
      "in the window: words",
      "identifiers",
    ],
    rows.map(({ label, tokens, nothing, window, extractive, model }) => [
      label,
      whole(tokens),
      whole(nothing.cost.calls),
      ...[nothing, window, extractive, model].map(({ all }) => millions(all)),
      whole(extractive.rounds),
      percent(extractive.reduction),
      share(extractive.retention.users),
      share(extractive.retention.identifiers),
      share(window.retention.users),
      share(window.retention.identifiers),
    ]),
  );
}

function joinedTable(rows: readonly JoinedRow[]): string {
  return table(
    ["way", "everything", "prompts only", "plain text", "rounds", "mean prompt", "users' words", "identifiers"],
    rows.map(({ name, sent, plain }) => [
      name,
      millions(sent.all),
      millions(withoutAnswers(sent)),
      millions(withoutAnswers(plain)),
      whole(sent.rounds),
      whole(Math.round(sent.meanPrompt)),
      share(sent.retention.users),
      share(sent.retention.identifiers),
    ]),
  );
}

function targetTable(rows: readonly TargetRow[]): string {
  return table(
    [
      "target",
      "everything",
      "prompts only",
      "rounds",
      "mean prompt",
      "a round lands at",
      "recent turns kept",
      "users' words",
      "identifiers",
    ],
    rows.map(({ targetPct, measured }) => [
      targetPct === undefined ? "default" : String(targetPct),
      millions(measured.all),
      millions(withoutAnswers(measured)),
      whole(measured.rounds),
      whole(Math.round(measured.meanPrompt)),
      whole(median(measured.landings.map(({ tokens }) => tokens))),
      whole(median(measured.landings.map(({ keptTurns }) => keptTurns))),
      share(measured.retention.users),
      share(measured.retention.identifiers),
    ]),
  );
}

/** The summaries' own output stays: it is part of what keeping small costs. */
function withoutAnswers({ all, summaries }: Measured): Cost {
  return { ...all, output: summaries.output };
}

function millions(cost: Cost): string {
  return `${(weightOf(cost) / 1e6).toFixed(2)} M`;
}

function share({ held, of }: Held): string {
  return of === 0 ? "-" : `${held}/${of}`;
}
