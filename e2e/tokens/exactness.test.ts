// The oracle is OpenAI's own tiktoken: slow to load, exact, never shipped. More strings: FUZZ_STRINGS=50000.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { get_encoding } from "tiktoken";
import { describe, expect, it } from "vitest";
import { createGptTokenCounter, type GptEncoding } from "../../src/tokens/gpt-token-counter.ts";
import { verifies } from "../../test/requirements/verifies.ts";
import { createRandom, createTextGenerator, filled, pick } from "../../test/tokens/random-text.ts";

const ENCODINGS: readonly GptEncoding[] = ["o200k_base", "cl100k_base"];
const corpus = process.env.AGENT_CORPUS;
const fuzzStrings = Number(process.env.FUZZ_STRINGS ?? 2_000);

describe.each(ENCODINGS)("%s equals tiktoken", (encoding) => {
  const counter = createGptTokenCounter({ encoding });
  const oracle = get_encoding(encoding);
  const truth = (text: string): number => oracle.encode(text, [], []).length;

  function differences(texts: Iterable<string>): string[] {
    const wrong: string[] = [];
    for (const text of texts) {
      const tokens = counter.count(text);
      const expected = truth(text.toWellFormed());
      if (tokens !== expected) wrong.push(`${JSON.stringify(text)}: ${tokens}, not ${expected}`);
    }
    return wrong;
  }

  it(`on ${fuzzStrings} random strings of every category of Unicode`, { timeout: 600_000 }, () => {
    const next = createTextGenerator(20_31);
    const texts = Array.from({ length: fuzzStrings }, next);
    expect(new Set(texts).size).toBeGreaterThan(fuzzStrings * 0.9);
    expect(differences(texts)).toEqual([]);
  });

  it("on every character of the basic plane, in the middle of words, numbers, signs and line ends", () => {
    const points = Array.from({ length: 0x10000 }, (_, point) => point).filter(
      (point) => point < 0xd800 || point > 0xdfff,
    );
    // Blocks of one script in one text: 50 characters each, so that the oracle is called a thousand times and no more.
    const texts = Array.from({ length: Math.ceil(points.length / 50) }, (_, block) =>
      points
        .slice(50 * block, 50 * (block + 1))
        .map((point) => String.fromCharCode(point))
        .map((character) => `A${character}s 1${character}\n${character}'ll .${character}/`)
        .join(" "),
    );
    expect(differences(texts)).toEqual([]);
  });

  it("on eight scripts and kinds of text", () => {
    verifies("field/wide-text-misestimated");
    const kinds = {
      chinese: "数据库连接失败，请稍后再试。系统会在五分钟后自动重启。",
      japanese: "データベースに接続できません。しばらくしてからもう一度お試しください。",
      korean: "데이터베이스에 연결할 수 없습니다. 잠시 후 다시 시도해 주세요. ",
      arabic: "تعذر الاتصال بقاعدة البيانات، يرجى المحاولة مرة أخرى لاحقًا. ",
      cyrillic: "Не удалось подключиться к базе данных, повторите попытку позже. ",
      emoji: "👩‍👩‍👧‍👦🎉🇫🇷👍🏽❤️😀",
      "code with Chinese": "if (状态 === 'error') { throw new Error('连接失败: ' + 原因); }\n",
      urls: "https://example.org/a/b?c=d&e=f#g\nhttps://例え.jp/パス?q=%E3%81%82\n",
    };
    for (const text of Object.values(kinds)) {
      expect(differences([text, text.repeat(Math.ceil(4_000 / text.length))])).toEqual([]);
    }
  });

  it("on text that looks like control tokens, which is text", () => {
    const texts = ["<|endoftext|>", 'const eot = "<|endoftext|>"; // <|im_start|> <|fim_prefix|> <|endofprompt|>'];
    expect(differences(texts)).toEqual([]);
    for (const text of texts) expect(counter.count(text)).toBeGreaterThan(1);
  });

  it("on lone surrogates, which count as the replacement character", () => {
    expect(counter.count("a\ud800b")).toBe(truth("a\ufffdb"));
    expect(counter.count("\udc00")).toBe(truth("\ufffd"));
    expect(counter.count("")).toBe(0);
  });

  it("on long unbroken runs", () => {
    const random = createRandom(7);
    const letter = (): string => String.fromCharCode(97 + Math.floor(random() * 26));
    const runs = [
      ..."a =\n中😀é-".split("").map((unit) => unit.repeat(2_500)),
      "\r\n".repeat(1_500),
      "e\u0301".repeat(1_500),
      "\ud800".repeat(1_000),
      "ab".repeat(1_500),
      filled(4_000, letter),
      filled(4_000, letter).toUpperCase(),
      filled(3_000, () => String.fromCharCode(0x4e00 + Math.floor(random() * 8_000))),
      filled(3_000, () => String.fromCodePoint(0x1f300 + Math.floor(random() * 600))),
      filled(4_000, () => pick(random, [..."ABCDEFGHabcdefgh01234567+/"])),
      filled(4_000, () => pick(random, ["a", "aa", " ", "  ", "b"])),
    ];
    expect(differences(runs)).toEqual([]);
  });

  it("on texts much longer than what is encoded at a time", () => {
    const next = createTextGenerator(99);
    const words = (): string => `${next()} and more `;
    expect(differences([filled(150_000, words), filled(100_000, next), `${"word ".repeat(20_000)}'s`])).toEqual([]);
  });

  it.skipIf(corpus === undefined)("on the 419 texts of the corpus, as recorded and as counted now", () => {
    const lines = gunzipSync(readFileSync(join(corpus ?? "", "derived/token-golden-dev.jsonl.gz"))).toString("utf8");
    const rows = lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { id: number; text: string; o200k: number; cl100k: number });
    expect(rows.length).toBe(419);
    const recorded = rows.map((row) => (encoding === "o200k_base" ? row.o200k : row.cl100k));
    expect(rows.map((row) => counter.count(row.text))).toEqual(recorded);
    expect(differences(rows.map((row) => row.text))).toEqual([]);
  });
});
