// The oracle is tiktoken: slow to load, exact, never shipped.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { get_encoding } from "tiktoken";
import { describe, expect, it } from "vitest";
import { createGptTokenCounter, type GptEncoding } from "../../src/tokens/gpt-token-counter.ts";
import { findRunCuts } from "../../src/tokens/long-runs.ts";
import { verifies } from "../requirements/verifies.ts";

const ENCODINGS: readonly GptEncoding[] = ["o200k_base", "cl100k_base"];
const corpus = process.env.AGENT_CORPUS;

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function filled(length: number, next: () => string): string {
  let text = "";
  while (text.length < length) text += next();
  return text;
}

const FRAGMENTS = [
  "the quick brown fox",
  "  ",
  "\n\n\t",
  "\r\n",
  "const x = await load(env);",
  "数据库连接失败，请稍后再试。",
  "こんにちは世界",
  "Привет, мир",
  "مرحبا",
  "👩‍👩‍👧‍👦",
  "🎉🎉",
  "1234567890",
  "3.14159",
  "<|endoftext|>",
  "<|im_start|>",
  "<|fim_prefix|>",
  "<|endofprompt|>",
  "don't I'LL we've",
  "e\u0301\u0302",
  '{"key": [1, 2, null]}',
  "https://example.org/a/b?c=d&e=f#g",
  "=====",
  "//////",
  "aGVsbG8gd29ybGQ",
  "\u00a0",
  "\u3000",
  "ß",
  "İ",
];

describe.each(ENCODINGS)("%s", (encoding) => {
  const counter = createGptTokenCounter({ encoding });
  const oracle = get_encoding(encoding);
  const truth = (text: string): number => oracle.encode(text, [], []).length;

  it("equals the oracle on 400 random mixtures, control-token text among them", () => {
    verifies("field/wide-text-misestimated");
    const random = createRandom(20_31);
    for (let round = 0; round < 400; round++) {
      const text = filled(1 + Math.floor(random() * 120), () => pick(random, FRAGMENTS));
      expect({ text, tokens: counter.count(text) }).toEqual({ text, tokens: truth(text) });
    }
  });

  it("counts control-token text as text, not as one token", () => {
    for (const text of ["<|endoftext|>", 'const eot = "<|endoftext|>"; // <|im_start|> <|fim_prefix|>']) {
      expect(counter.count(text)).toBe(truth(text));
      expect(counter.count(text)).toBeGreaterThan(1);
    }
  });

  it("counts a lone surrogate as the replacement character", () => {
    expect(counter.count("a\ud800b")).toBe(truth("a\ufffdb"));
    expect(counter.count("\udc00")).toBe(truth("\ufffd"));
    expect(counter.count("")).toBe(0);
  });

  it("stays within 15 % on long unbroken runs", () => {
    const random = createRandom(7);
    const runs: Record<string, string> = {
      letters: "a".repeat(6_000),
      "random letters": filled(6_000, () => String.fromCharCode(97 + Math.floor(random() * 26))),
      blanks: " ".repeat(6_000),
      newlines: "\n".repeat(6_000),
      windows: "\r\n".repeat(3_000),
      equals: "=".repeat(6_000),
      chinese: filled(4_000, () => String.fromCharCode(0x4e00 + Math.floor(random() * 8_000))),
      emoji: filled(4_000, () => String.fromCodePoint(0x1f300 + Math.floor(random() * 600))),
      base64: filled(6_000, () => pick(random, [..."ABCDEFGHabcdefgh01234567+/"])),
      accents: "e\u0301".repeat(3_000),
    };
    for (const [name, text] of Object.entries(runs)) {
      const share = counter.count(text) / truth(text);
      expect({ name, isClose: share > 0.85 && share < 1.15 }).toEqual({ name, isClose: true });
    }
  });

  it("finishes on runs that take a quadratic merge minutes", () => {
    verifies("field/hostile-text-in-the-tokenizer");
    const hostile = ["a", " ", "\n", "=", "中", "😀", "e\u0301", "\ud800"].map((unit) => unit.repeat(300_000));
    for (const text of hostile) expect(counter.count(text)).toBeGreaterThan(1_000);
    // Linear growth, in tokens: the doubled text costs double.
    const half = counter.count("a".repeat(384 * 100));
    expect(counter.count("a".repeat(384 * 200))).toBe(2 * half);
  });

  it.skipIf(corpus === undefined)("equals the recorded counts of the 419 corpus texts", () => {
    const lines = gunzipSync(readFileSync(join(corpus ?? "", "derived/token-golden-dev.jsonl.gz"))).toString("utf8");
    const rows = lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { id: number; text: string; o200k: number; cl100k: number });
    expect(rows.length).toBe(419);
    const wrong = rows.filter(
      (row) => counter.count(row.text) !== (encoding === "o200k_base" ? row.o200k : row.cl100k),
    );
    // The package reads U+FEFF as white space, the encodings' own splitter does not.
    expect(wrong.filter((row) => !row.text.includes("\ufeff")).map((row) => row.id)).toEqual([]);
    expect(wrong.length).toBeLessThanOrEqual(1);
  });
});

describe("findRunCuts", () => {
  it("leaves ordinary text whole", () => {
    expect(findRunCuts("An ordinary sentence, with words. ".repeat(500))).toEqual([]);
    expect(findRunCuts("这是一个普通的句子，有标点。".repeat(500))).toEqual([]);
    expect(findRunCuts("0123456789".repeat(5_000))).toEqual([]);
  });

  it("never cuts inside a surrogate pair", () => {
    for (const lead of ["", "x", "ab", "="]) {
      const text = lead + "😀".repeat(2_000);
      const cuts = findRunCuts(text);
      expect(cuts.length).toBeGreaterThan(5);
      for (const cut of cuts) expect(text.charCodeAt(cut)).toBe(0xd83d);
    }
  });
});
