import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { createPieceMemo, createTextCounter } from "../../src/tokens/bpe/count-tokens.ts";
import { createRankTable } from "../../src/tokens/bpe/rank-table.ts";
import { createO200kSplitter } from "../../src/tokens/bpe/split.ts";
import {
  createGptTokenCounter,
  createScaledTokenCounter,
  type GptEncoding,
  provideRanks,
} from "../../src/tokens/gpt-token-counter.ts";

import type { LimitedTokenCounter } from "../../src/tokens/token-counter.ts";
import { verifies } from "../requirements/verifies.ts";
import { createTextGenerator, filled } from "./random-text.ts";

const ENCODINGS: readonly GptEncoding[] = ["o200k_base", "cl100k_base"];

function takeSteps(counter: LimitedTokenCounter, text: string): { tokens: number; pauses: number } {
  const steps = counter.countSteps?.(text);
  if (steps === undefined) throw new Error("no steps");
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { tokens: step.value, pauses };
  }
}

describe.each(ENCODINGS)("%s", (encoding) => {
  const counter = createGptTokenCounter({ encoding });
  const scaled = createScaledTokenCounter(counter, 1.25);
  const next = createTextGenerator(5);
  const texts = ["", "word", filled(200, next), filled(90_000, () => `${next()} `), "中".repeat(50_000)];

  it.each([
    ["itself", counter],
    ["an estimate made of it", scaled],
  ])("%s counts at most a limit: exact up to it, one more above it", (_, tested) => {
    for (const text of texts) {
      const tokens = tested.count(text);
      expect(tested.countAtMost(text, tokens)).toBe(tokens);
      expect(tested.countAtMost(text, tokens + 1)).toBe(tokens);
      expect(tested.countAtMost(text, Number.POSITIVE_INFINITY)).toBe(tokens);
      for (const limit of [tokens - 1, Math.floor(tokens / 2), 0]) {
        if (limit >= 0 && limit < tokens) expect(tested.countAtMost(text, limit)).toBe(limit + 1);
      }
    }
  });

  it("counts the same in steps, with other counts in between", () => {
    for (const tested of [counter, scaled]) {
      for (const text of texts) {
        const { tokens, pauses } = takeSteps(tested, text);
        expect(tokens).toBe(tested.count(text));
        if (text.length > 40_000) expect(pauses).toBeGreaterThan(4);
      }
    }
    const long = "中文".repeat(30_000);
    const steps = counter.countSteps?.(long);
    steps?.next();
    steps?.next();
    expect(counter.count("an unrelated text, 数据库连接失败")).toBeGreaterThan(5);
    let step = steps?.next();
    while (step?.done === false) step = steps?.next();
    expect(step?.value).toBe(counter.count(long));
  });

  it("finishes on unbroken runs that take a quadratic merge minutes, and counts double for the double", () => {
    verifies("field/hostile-text-in-the-tokenizer");
    // Periods divide the length, so the doubled text has just the double count but for its middle.
    const units = [
      "a",
      "-",
      " ",
      "\n",
      "=",
      "中",
      "😀",
      "e\u0301",
      "\ud800",
      "QUJD",
      "0123456789abcdef",
      "<|endoftext|>",
    ];
    for (const unit of units) {
      const text = unit.repeat(Math.floor(250_000 / unit.length));
      const tokens = counter.count(text);
      const doubled = counter.count(text + text);
      expect(tokens).toBeGreaterThan(1_000);
      expect(Math.abs(doubled - 2 * tokens)).toBeLessThanOrEqual(2);
    }
    const control = 'const eot = "<|endoftext|>"; // <|im_start|> <|fim_prefix|>';
    expect(counter.count(control.repeat(10_000))).toBeGreaterThan(10_000 * 10);
  });

  it("refuses ranks that are no rank file, and keeps counting with its own", () => {
    const tokens = counter.count("still here");
    for (const bytes of [new Uint8Array(0), new Uint8Array(100), new TextEncoder().encode("not found".repeat(20))]) {
      let caught: unknown;
      try {
        provideRanks(encoding, bytes);
      } catch (error) {
        caught = error;
      }
      expect(CompactError.isInstance(caught) && caught.code).toBe("INVALID_RANK_FILE");
    }
    expect(counter.count("still here")).toBe(tokens);
  });
});

describe("a limit", () => {
  it("is where splitting and looking up stop", () => {
    const splitter = createO200kSplitter();
    let pieces = 0;
    const counter = createTextCounter({
      table: createRankTable(readFileSync(new URL("../../src/tokens/ranks/o200k_base.ranks", import.meta.url))),
      findPieceEnd: (bytes, start) => {
        pieces++;
        return splitter(bytes, start);
      },
      memo: createPieceMemo(),
    });
    const text = "word ".repeat(100_000);
    expect(counter.count(text, 1_000)).toBe(1_001);
    expect(pieces).toBe(1_001);
    expect(counter.count(text, Number.POSITIVE_INFINITY)).toBeGreaterThan(99_999);
  });
});
