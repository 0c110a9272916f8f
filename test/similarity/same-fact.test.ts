import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createUnknownTokens,
  differenceOf,
  factKey,
  factTokens,
  gravestOf,
  saysTheSame,
} from "../../src/similarity/same-fact.ts";
import { verifies } from "../requirements/verifies.ts";
import { DIFFERENT, SAME } from "./pairs.ts";

const WORDS = "redis keeps sessions for users while the billing worker retries each call and logs Berlin orders".split(
  " ",
);
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 30 });
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .array(
      fc.constantFrom(
        ...WORDS,
        "\n",
        "- ",
        "# ",
        "not",
        "12",
        "。",
        "不",
        "**",
        "_",
        "`",
        "```\n",
        "|",
        "? ",
        ". ",
        "[ ] ",
      ),
      {
        maxLength: 30,
      },
    )
    .map((parts) => parts.join(" ")),
);

describe("texts that differ in a fact", () => {
  for (const [kind, pairs] of Object.entries(DIFFERENT)) {
    it.each(pairs)(`${kind}: %j is not %j`, (a, b) => {
      verifies("rulings/false-duplicate-guard");
      expect(saysTheSame(a, b)).toBe(false);
      expect(saysTheSame(b, a)).toBe(false);
    });
  }

  it("are many, and of every kind", () => {
    expect(Object.values(DIFFERENT).flat().length).toBeGreaterThanOrEqual(60);
  });

  it("are told apart in long texts too", () => {
    const long = Array.from({ length: 400 }, (_, i) => `Item ${i} is kept by ${WORDS[i % WORDS.length]}.`).join("\n\n");
    for (const [a, b] of Object.values(DIFFERENT).flat()) {
      expect(saysTheSame(`${long}\n\n${a}\n\n${long}`, `${long}\n\n${b}\n\n${long}`)).toBe(false);
    }
  });

  it("say in what they differ", () => {
    const kinds = ["number", "date", "negation", "name", "modality", "direction", "task"];
    const firsts = kinds.map((kind) => differenceOf(...(DIFFERENT[kind]?.[0] ?? ["", ""])));
    expect(firsts).toEqual(["number", "date", "negation", "wording", "modality", "order", "task"]);
    expect(differenceOf("The owner is Alice Meyer", "The owner is Alina Meyer")).toBe("name");
    expect(differenceOf("Run it before tests", "Run it after tests")).toBe("direction");
    expect(differenceOf("a b", "A  b.")).toBeUndefined();
  });
});

describe("texts that differ in their dress only", () => {
  it.each(SAME)("%j says what %j says", (a, b) => {
    expect(factKey(a)).toBe(factKey(b));
    expect(saysTheSame(a, b)).toBe(true);
    expect(differenceOf(a, b)).toBeUndefined();
  });

  it("are many", () => {
    expect(SAME.length).toBeGreaterThanOrEqual(40);
  });
});

describe("texts that stay, read once", () => {
  it("name the words of sentences they do not have", () => {
    const unknownTokens = createUnknownTokens(["- Cache is Redis\n- Queue is NATS"]);
    expect(unknownTokens("Queue is NATS. Cache is Valkey.")).toEqual(["cache", "is", "valkey"]);
    expect(unknownTokens("* Queue is **NATS**")).toEqual([]);
    expect(gravestOf(["valkey", "7"], "Cache is Valkey 7")).toBe("number");
    expect(gravestOf([], "")).toBe("wording");
    expect(factTokens("The Cache is Redis.")).toEqual(["cache", "is", "redis"]);
  });
});

describe("for any texts", () => {
  it("a text says what it says", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(saysTheSame(text, text)).toBe(true);
        expect(saysTheSame(text, `  ${text}\n`) || /^\s*(```|~~~)/m.test(text)).toBe(true);
      }),
    );
  });

  it("both sides are asked alike", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(saysTheSame(a, b)).toBe(saysTheSame(b, a));
        expect(differenceOf(a, b)).toBe(differenceOf(b, a));
        expect(differenceOf(a, b) === undefined).toBe(saysTheSame(a, b));
      }),
    );
  });

  it("another number makes it another fact", () => {
    verifies("rulings/false-duplicate-guard");
    const number = fc.oneof(
      fc.integer({ min: 0, max: 10_000_000 }).map(String),
      fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 1, max: 9 })).map(([a, b]) => `${a}.${b}`),
    );
    fc.assert(
      fc.property(
        sentence,
        number,
        number,
        fc.nat(),
        fc.constantFrom("", "%", "s", " MB", "k", "."),
        (words, a, b, at, unit) => {
          fc.pre(a !== b);
          const write = (value: string) => words.toSpliced(at % words.length, 0, value + unit).join(" ");
          expect(saysTheSame(write(a), write(b))).toBe(false);
        },
      ),
    );
  });

  it("a negation or any other word put in or left out makes it another fact", () => {
    verifies("rulings/false-duplicate-guard");
    const extra = fc.constantFrom(
      "not",
      "never",
      "no",
      "without",
      "nicht",
      "pas",
      "不",
      "Alice",
      "db-7",
      "must",
      "staging",
      "?",
    );
    fc.assert(
      fc.property(sentence, extra, fc.nat(), (words, word, at) => {
        const other = words.toSpliced(at % (words.length + 1), 0, word);
        expect(saysTheSame(words.join(" "), other.join(" "))).toBe(false);
      }),
    );
  });

  it("two words that change places make it another fact", () => {
    fc.assert(
      fc.property(sentence, fc.nat(), fc.nat(), (words, first, second) => {
        const kept = words.filter((word) => word !== "the");
        const [i, j] = [first % Math.max(1, kept.length), second % Math.max(1, kept.length)];
        fc.pre(kept.length > 1 && kept[i] !== kept[j]);
        const other = [...kept];
        [other[i], other[j]] = [kept[j] ?? "", kept[i] ?? ""];
        expect(saysTheSame(kept.join(" "), other.join(" "))).toBe(false);
      }),
    );
  });

  it("marks, case and spacing change nothing", () => {
    fc.assert(
      fc.property(sentence, fc.constantFrom("**", "_", "`", '"'), (words, mark) => {
        const dressed = words.map((word, at) => (at === 1 ? `${mark}${word}${mark}` : word)).join("  ");
        expect(saysTheSame(words.join(" "), `- ${dressed}.`)).toBe(true);
      }),
    );
  });
});

describe("hostile texts", () => {
  const many = 240_000;
  const whole = 1_000_000;
  const texts: Readonly<Record<string, string>> = {
    "one letter": "a".repeat(whole),
    digits: "7".repeat(whole),
    stars: "*".repeat(many),
    "stars and letters": "*a".repeat(many / 2),
    underlines: "_a ".repeat(many / 3),
    quotes: '"'.repeat(many),
    spaces: `a${" ".repeat(many)}b`,
    hyphens: "ab-".repeat(many / 3),
    commas: "1,".repeat(many / 2),
    dots: "1.".repeat(many / 2),
    "open fences": "```\n".repeat(many / 4),
    "nested quotes": `${">".repeat(many / 2)}\n`.repeat(2),
    "nested items": Array.from({ length: 700 }, (_, i) => `${" ".repeat(i)}- a`).join("\n"),
    headings: "# a\n".repeat(many / 4),
    "one sentence again and again": "It is kept. ".repeat(many / 12),
    "CJK without an end": "記".repeat(many),
    apostrophes: "a'".repeat(many / 2),
    "number words": "twenty five thousand ".repeat(many / 21),
    dates: "1 of march ".repeat(many / 11),
    surrogates: "\ud83d".repeat(many),
    "table rules": "|-".repeat(many / 2),
  };

  it.each(Object.keys(texts))("%s are read in linear time", (name) => {
    const text = texts[name] ?? "";
    expect(saysTheSame(text, `${text} x`)).toBe(false);
  });
});
