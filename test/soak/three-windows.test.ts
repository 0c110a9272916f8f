// Long sessions: three windows' worth of tokens, and a thousand turns. Every list that goes out fits, and compaction is
// little work beside what the model does. Work is counted in what is tokenized, which no other load of the machine can
// change; seconds are looked at in full length only: npm run soak.
import { describe, expect, it } from "vitest";
import { OPENING, type SessionTurn, sessionTurns } from "../../bench/soak/session-turns.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { createScriptedModel } from "../../src/testing.ts";
import { createTokenCounter, type TokenCounter } from "../../src/tokens.ts";
import { bench } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";

const isWhole = process.env.AGENT_SOAK_RUNS !== undefined;
const SEED = 20310417;
const LATENCY_MS = 50;
/** How many times the session's own length may be tokenized, summaries and fitting included. */
const MOST_COUNTED = 4;
const counter = createTokenCounter({ encoding: "o200k_base" });

const ANSWER = "## Goals and success criteria\n- The code base is migrated part by part [1.2]";

interface Run {
  readonly rounds: number;
  readonly said: number;
  /** Tokens that were counted by the manager's own counter, in all. */
  readonly counted: number;
  readonly processorMs: number;
  readonly checks: readonly number[];
}

/** Throws where a list would not fit. Time is the processor's, of this process: other work of the machine is not in it. */
async function run(turns: readonly SessionTurn[], maxContextTokens: number, withModel: boolean): Promise<Run> {
  const model = createScriptedModel([{ text: ANSWER }]);
  let counted = 0;
  const tokenCounter: TokenCounter = {
    name: "tallied",
    isExact: true,
    count: (text) => {
      const tokens = counter.count(text);
      counted += tokens;
      return tokens;
    },
  };
  const { manager, of } = bench({ maxContextTokens, tokenCounter, ...(withModel ? { summarizer: { model } } : {}) });
  const budget = maxContextTokens - 1500;
  const checks: number[] = [];
  let list = OPENING;
  let said = counter.countMessages(OPENING);
  const send = async (added: readonly unknown[]) => {
    said += counter.countMessages(added);
    const started = process.cpuUsage();
    list = await manager.preflight("s", [...list, ...added]);
    const { user, system } = process.cpuUsage(started);
    checks.push((user + system) / 1000);
    expect(counter.countMessages(list)).toBeLessThanOrEqual(budget);
  };
  for (const { request, step, answer } of turns) {
    await send(request);
    if (step.length > 0) await send(step);
    said += counter.countMessages(answer);
    list = [...list, ...answer];
  }
  expect(of("compact.error")).toEqual([]);
  expect(openaiChatFormat.validate(list, { allowOpenTail: true })).toEqual([]);
  expect(model.calls.length > 0).toBe(withModel);
  const rounds = of("compact.pruned_messages").length;
  return { rounds, said, counted, processorMs: checks.reduce((sum, ms) => sum + ms, 0), checks };
}

describe("a session of three windows, in messages of at most 2,000 tokens", () => {
  it.each([
    ["the extractive summarizer", false],
    ["a model", true],
  ])("goes through in several rounds with %s", { timeout: 300_000 }, async (_name, withModel) => {
    verifies("conversation/three-windows-session", "values/random-histories-and-three-windows");
    const window = isWhole ? 128_000 : 32_000;
    const { rounds, said } = await run(sessionTurns(SEED, window / 128, 3.3 * window), window, withModel);
    expect(said).toBeGreaterThanOrEqual(3 * window);
    expect(rounds).toBeGreaterThanOrEqual(3);
  });
});

describe("a session of many turns", () => {
  it("spends less than a tenth of its time on compaction", { timeout: 300_000 }, async () => {
    verifies("conversation/overhead-below-ten-percent");
    const turns = isWhole ? 1000 : 200;
    const { rounds, said, counted, processorMs, checks } = await run(
      sessionTurns(SEED, turns, turns * 400),
      turns * 90,
      false,
    );
    expect(rounds).toBeGreaterThanOrEqual(5);
    expect(counted / said).toBeLessThan(MOST_COUNTED);
    if (!isWhole) return;
    // The model's time is added, not waited for.
    expect(processorMs / (processorMs + turns * LATENCY_MS)).toBeLessThan(0.1);
    const ascending = checks.toSorted((a, b) => a - b);
    expect(ascending[Math.floor(ascending.length / 2)]).toBeLessThan(10);
  });
});
