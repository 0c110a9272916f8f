// Inputs larger than the model's window: passes that see everything, in bounded number, and a cache of what was asked.
import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import type { ModelRequest } from "../../src/models/model.ts";
import { MOST_CALLS } from "../../src/summaries/ask.ts";
import { MOST_PASSES } from "../../src/summaries/passes.ts";
import type { Passage, SummaryRequest } from "../../src/summaries/summarizer.ts";
import { verifies } from "../requirements/verifies.ts";
import { GOOD, REPAIR, requestOf, type Script, summarizerBench } from "./session.ts";

const idsIn = (text: string) =>
  [...text.matchAll(/^\[(\d+\.\d+)\] (?:user|assistant|tool)/gm)].map(([, id]) => id ?? "");

/** Words that differ, so that they cost what they cost in a real session. */
const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, n) => `word${(n * 31 + seed * 17) % 9973}`).join(" ");

const passages = (count: number, tokensEach: number, source: Passage["source"] = "assistant"): readonly Passage[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `1.${n + 1}`,
    source: n % 5 === 0 ? "user" : source,
    text: `Step ${n + 1}: ${words(Math.floor(tokensEach / 3), n)}`,
  }));

/** A model with a window: too large a request fails as a provider's does; a good answer cites what it saw. */
function windowed(window: number, maxOutput: number, count: (text: string) => number) {
  const accepted = new Set<string>();
  const answer: Script = (request: ModelRequest) => {
    const size = count(request.system) + count(request.prompt) + request.maxTokens;
    if (size > window || request.maxTokens > maxOutput || request.maxTokens < 1) {
      throw new CompactError("SummarizationFailed", "too long", { code: "MODEL_INPUT_TOO_LONG" });
    }
    const ids = idsIn(request.prompt);
    for (const id of ids) accepted.add(id);
    return `## Progress\n- Steps were taken [${ids[0]}]\n- The last of them [${ids.at(-1)}]`;
  };
  return { answer, accepted };
}

const request = (list: readonly Passage[], rest: Partial<SummaryRequest> = {}) => ({
  ...requestOf(REPAIR, rest),
  passages: list,
});

describe("an input above the model's window", () => {
  it("is read in passes that see every message, with a cap within the model's", async () => {
    verifies("field/summary-request-does-not-fit");
    const list = passages(400, 1000);
    const asked = request(list, { maxTokens: 20_000 });
    expect(list.reduce((sum, { text }) => sum + asked.count(text), 0)).toBeGreaterThan(350_000);
    const { answer, accepted } = windowed(60_000, 8_000, asked.count);
    const { summarizer, model } = summarizerBench([answer], {}, { maxContextTokens: 60_000, maxOutputTokens: 8_000 });
    const summary = await summarizer.summarize(asked);
    expect(accepted.size).toBe(400);
    expect(model.requests.length).toBeLessThanOrEqual(MOST_PASSES);
    expect(model.requests.length).toBeGreaterThan(1);
    for (const { maxTokens } of model.requests) expect(maxTokens).toBe(8_000);
    expect(summary.usage?.calls).toBe(model.requests.length);
    expect(summary.text).toContain("The last of them [1.400]");
  });

  it("hands the record so far to the next pass", async () => {
    const asked = request(passages(60, 400), { previous: "- The first goal [1.1]" });
    const { answer } = windowed(16_000, 4_000, asked.count);
    const { summarizer, model } = summarizerBench([answer], {}, { maxContextTokens: 16_000, maxOutputTokens: 4_000 });
    await summarizer.summarize(asked);
    expect(model.requests[0]?.prompt).toMatch(/<record-[0-9a-f]{16}>\n\| - The first goal \[1\.1\]/);
    const last = idsIn(model.requests[0]?.prompt ?? "").at(-1);
    expect(model.requests[1]?.prompt).toContain(`| - The last of them [${last}]`);
    expect(model.requests[1]?.prompt).toMatch(/\(part 2 of \d+; the other parts come/);
  });

  it("splits a passage that is larger than a request in labelled parts of whole characters", async () => {
    const text = Array.from({ length: 9000 }, (_, n) => `𠮷👨‍👩‍👧${n}`).join(" ");
    const asked = request([{ id: "1.1", source: "user", text }]);
    const { answer } = windowed(16_000, 4_000, asked.count);
    const { summarizer, model } = summarizerBench([answer], {}, { maxContextTokens: 16_000, maxOutputTokens: 4_000 });
    await summarizer.summarize(asked);
    const parts = model.requests.map(({ prompt }) => /^\[1\.1\] user \(part (\d+) of (\d+)\)\n\| (.*)$/m.exec(prompt));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map((part) => Number(part?.[1]))).toEqual(parts.map((_, n) => n + 1));
    for (const part of parts) {
      expect(part?.[3]?.isWellFormed()).toBe(true);
      expect(part?.[3]?.replace(/𠮷|👨‍👩‍👧|\d|\s/gu, "")).not.toMatch(/\S{20}/);
    }
  });

  it("shortens tools' output harder before it asks more often", async () => {
    const list = passages(600, 900, "tool");
    const asked = request(list);
    const { answer, accepted } = windowed(20_000, 4_000, asked.count);
    const { summarizer, model } = summarizerBench([answer], {}, { maxContextTokens: 20_000, maxOutputTokens: 4_000 });
    await summarizer.summarize(asked);
    expect(accepted.size).toBe(600);
    expect(model.requests.length).toBeLessThanOrEqual(MOST_PASSES + 1);
  });

  it("is split further when the model finds it too long, and a bounded number of times", async () => {
    const asked = request(passages(100, 300));
    const { answer, accepted } = windowed(9_000, 4_000, asked.count);
    const { summarizer } = summarizerBench([answer], { maxContextTokens: 30_000 });
    const setbacks: string[] = [];
    await summarizer.summarize({ ...asked, onSetback: ({ code, next }) => setbacks.push(`${code} ${next}`) });
    expect(accepted.size).toBe(100);
    expect(setbacks.length).toBeGreaterThan(0);
    expect(new Set(setbacks)).toEqual(new Set(["MODEL_INPUT_TOO_LONG split-input"]));

    const never = new CompactError("SummarizationFailed", "too long", { code: "MODEL_INPUT_TOO_LONG" });
    const hopeless = summarizerBench([never]);
    await expect(hopeless.summarizer.summarize(asked)).rejects.toMatchObject({ code: "MODEL_INPUT_TOO_LONG" });
    expect(hopeless.model.requests.length).toBeLessThanOrEqual(5);
  });

  it("stays within a small window, with a summary cap that would fill it", async () => {
    const asked = request(passages(40, 300), { maxTokens: 4_000 });
    const { answer, accepted } = windowed(6_000, 4_000, asked.count);
    const { summarizer, model } = summarizerBench([answer], { maxContextTokens: 6_000 });
    await summarizer.summarize(asked);
    expect(accepted.size).toBe(40);
    expect(model.requests.length).toBeLessThanOrEqual(MOST_PASSES + 4);
  });

  it("is given up before the first call when it would take more calls than the bound", async () => {
    const list = Array.from({ length: 8000 }, (_, n) => ({
      id: `1.${n + 1}`,
      source: "tool" as const,
      text: `ok ${n}`,
    }));
    const { summarizer, model } = summarizerBench([GOOD], { maxContextTokens: 4000 });
    await expect(summarizer.summarize(request(list))).rejects.toMatchObject({
      code: "MODEL_INPUT_TOO_LONG",
      data: { failures: 1, calls: 0 },
    });
    expect(model.requests).toHaveLength(0);
  });

  it("never takes more calls than the bound, whatever the answers", async () => {
    const asked = request(passages(200, 600));
    const { answer } = windowed(16_000, 4_000, asked.count);
    const good = answer as (request: ModelRequest) => string;
    let calls = 0;
    const moody: Script = (modelRequest) => {
      calls += 1;
      if (calls % 4 === 1) return { text: "", finish: "length" };
      if (calls % 4 === 2) return "Great, running the tests now…";
      return calls % 4 === 3 ? "word ".repeat(9000) : good(modelRequest);
    };
    const { summarizer } = summarizerBench([moody], {}, { maxContextTokens: 16_000, maxOutputTokens: 1500 });
    await summarizer
      .summarize(asked)
      .catch((error: unknown) => expect(error).toMatchObject({ kind: "SummarizationFailed" }));
    expect(calls).toBeGreaterThan(20);
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
  });

  it("fails as a whole when one pass fails", async () => {
    const asked = request(passages(60, 400));
    const { answer } = windowed(16_000, 4_000, asked.count);
    const { summarizer } = summarizerBench([answer, "Great, running the tests now…"], { maxContextTokens: 16_000 });
    await expect(summarizer.summarize(asked)).rejects.toMatchObject({ code: "NO_SUMMARY" });
  });
});

describe("an identical request", () => {
  it("is answered without a call, with the same text", async () => {
    const { summarizer, model } = summarizerBench([{ text: "", finish: "length" }, GOOD]);
    const first = await summarizer.summarize(requestOf(REPAIR));
    const again = await summarizer.summarize(requestOf(REPAIR));
    expect(model.requests).toHaveLength(2);
    expect(again.text).toBe(first.text);
    expect(again.usage).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0 });
  });

  it("differs by strategy, cap, note and passages", async () => {
    const { summarizer, model } = summarizerBench([GOOD]);
    await summarizer.summarize(requestOf(REPAIR));
    for (const rest of [{ strategy: "code_delta" as const }, { maxTokens: 1400 }, { note: "x" }]) {
      await summarizer.summarize(requestOf(REPAIR, rest));
    }
    await summarizer.summarize(requestOf(REPAIR.slice(0, -1)));
    expect(model.requests).toHaveLength(5);
  });

  it("is forgotten once a dozen others were asked", async () => {
    const { summarizer, model } = summarizerBench([GOOD]);
    const ask = (n: number) => summarizer.summarize(requestOf(REPAIR, { note: `wish ${n}` }));
    for (let n = 0; n < 12; n++) await ask(n);
    await ask(0);
    expect(model.requests).toHaveLength(12);
    await ask(12);
    await ask(1);
    expect(model.requests).toHaveLength(14);
  });

  it("is not remembered when it failed", async () => {
    const { summarizer, model } = summarizerBench(["Error: 429", "Error: 429", GOOD]);
    await expect(summarizer.summarize(requestOf(REPAIR))).rejects.toThrow();
    expect((await summarizer.summarize(requestOf(REPAIR))).text).toContain("parseRow takes options");
    expect(model.requests).toHaveLength(3);
  });
});
