// Drives one long session and measures what compaction takes of it.
import { setTimeout as sleep } from "node:timers/promises";
import { CompactManager, createCallbackSink, createMemoryArchive } from "../../src/index.ts";
import { OPENING, type SessionTurn } from "./session-turns.ts";
import { timed, watched } from "./watch-gaps.ts";

export interface SessionFigures {
  readonly summarizer: "extractive" | "model";
  /** Tokens. */
  readonly window: number;
  readonly turns: number;
  /** Of everything that was said, with the frames of messages and calls. */
  readonly tokens: number;
  readonly rounds: number;
  readonly wallMs: number;
  readonly preflightMs: number;
  readonly medianMs: number;
  readonly slowestMs: number;
  readonly gapMs: number;
  /** Of the list that is left. */
  readonly finalTokens: number;
}

/** What a model might answer: a few statements that cite their messages. */
const ANSWER = [
  "## Goals and success criteria",
  "- The code base is migrated part by part [1.2]",
  "## Outstanding actions and blockers",
  "- The parts that follow [1.2]",
].join("\n");

/** Once before each call of the model; the model takes `latencyMs` a turn. */
export async function runSession(
  summarizer: SessionFigures["summarizer"],
  turns: readonly SessionTurn[],
  latencyMs: number,
  window: number,
): Promise<SessionFigures> {
  const model = async () => {
    await sleep(latencyMs);
    return ANSWER;
  };
  let rounds = 0;
  let removed = 0;
  let size = 0;
  const sink = createCallbackSink((event) => {
    if (event.event === "compact.token_estimate") size = event.t_est;
    if (event.event !== "compact.pruned_messages") return;
    rounds += 1;
    removed += event.tokens_before - event.tokens_after;
  });
  const manager = new CompactManager({
    archive: createMemoryArchive(),
    maxContextTokens: window,
    trace: [sink],
    ...(summarizer === "model" ? { summarizer: { model } } : {}),
  });
  const times: number[] = [];
  let list = OPENING;
  const before = async (added: readonly unknown[]) => {
    const { result, ms } = await timed(() => manager.preflight("soak", [...list, ...added]));
    list = result;
    times.push(ms);
  };
  const { ms: wallMs, gapMs } = await watched(async () => {
    for (const { request, step, answer } of turns) {
      await before(request);
      await sleep(latencyMs);
      if (step.length > 0) await before(step);
      list = [...list, ...answer];
    }
  });
  await before([]);
  const ascending = times.toSorted((a, b) => a - b);
  return {
    summarizer,
    window,
    turns: turns.length,
    tokens: size + removed,
    rounds,
    wallMs,
    preflightMs: times.reduce((sum, ms) => sum + ms, 0),
    medianMs: ascending[Math.floor(ascending.length / 2)] ?? 0,
    slowestMs: ascending.at(-1) ?? 0,
    gapMs,
    finalTokens: size,
  };
}
