// The cost model of the bench, worked out by hand on a few messages.
import { describe, expect, it } from "vitest";
import { PromptCache, weightOf } from "../../bench/cost/prices.ts";
import { type KeepSmall, replay } from "../../bench/cost/replay.ts";
import { nothing, slidingWindow, TRIGGER } from "../../bench/cost/ways.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";

const say = (role: "user" | "assistant", tokens: number) => ({ role, content: "x".repeat(tokens) });
const count = (message: unknown) => (message as { content: string }).content.length;
const a = say("user", 10);
const b = say("assistant", 20);
const c = say("user", 30);
const d = say("assistant", 40);
const session = { messages: [a, b, c, d], format: anthropicFormat, systemTokens: 100, count };

describe("the cost of replaying a session", () => {
  it("reads what a prompt shares with the one before it, and writes the rest", () => {
    const cache = new PromptCache(100, count);
    expect(cache.call([a], 20)).toMatchObject({ cachedRead: 0, cacheWrite: 110, output: 20 });
    expect(cache.call([a, b, c], 40)).toMatchObject({ cachedRead: 110, cacheWrite: 50 });
    // A prompt that begins differently shares the system prompt only; whole messages count.
    expect(cache.call([b, c], 0)).toMatchObject({ cachedRead: 100, cacheWrite: 50 });
    expect(cache.call([b, { ...c }], 0)).toMatchObject({ cachedRead: 120, cacheWrite: 30 });
  });

  it("weighs each kind of token", () => {
    const cost = { calls: 1, cachedRead: 100, cacheWrite: 100, input: 100, output: 100 };
    expect(weightOf(cost)).toBeCloseTo(10 + 125 + 100 + 500);
  });

  it("makes one call before each answer, however many items the answer has", async () => {
    const replayed = await replay({ ...session, messages: [a, b, d, c, d] }, nothing);
    expect(replayed.cost).toEqual({ calls: 2, cachedRead: 110, cacheWrite: 110 + 90, input: 0, output: 60 + 40 });
    expect(replayed.left).toEqual([a, b, d, c, d]);
    expect(replayed.largestPrompt).toBe(200);
    expect(replayed.rounds).toBe(0);
  });

  it("goes on from what a way leaves, and pays for what it changed", async () => {
    const note = say("user", 5);
    const keepSmall: KeepSmall = (messages) => (messages.length > 2 ? [note, ...messages.slice(-1)] : messages);
    const replayed = await replay(session, keepSmall);
    expect(replayed.rounds).toBe(1);
    expect(replayed.left).toEqual([note, c, d]);
    expect(replayed.cost).toMatchObject({ cachedRead: 100, cacheWrite: 110 + 35 });
  });

  it("has a sliding window drop whole units, oldest first, until the prompt is under the trigger", () => {
    const call = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read", input: {} }] };
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "ok" }] };
    const sizes = new Map<unknown, number>([
      [a, 10],
      [call, 10],
      [result, TRIGGER],
      [d, 10],
      [c, 10],
    ]);
    const window = slidingWindow({ ...session, count: (message) => sizes.get(message) ?? 0 });
    expect(window([a, call, result, d, c])).toEqual([d, c]);
    const few = [a, d, c];
    expect(window(few)).toBe(few);
  });
});
