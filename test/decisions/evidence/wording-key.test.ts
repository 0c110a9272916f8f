// Wordings that meet under one key, and those that never do.
import { describe, expect, it } from "vitest";
import { evidenceOf, wordingKey } from "../../../src/decisions/evidence.ts";

import { readDecision } from "../../../src/decisions/read-decision.ts";

const ONE: readonly (readonly string[])[] = [
  [
    "Search-first prevents duplicate work",
    "search first prevents duplicate work.",
    "  Search  First Prevents Duplicate Work ",
    "SEARCH-FIRST PREVENTS DUPLICATE WORK!",
    "Searching first prevented duplicate work",
    "Search\u2011first really prevents the duplicate work",
    "Searches first prevents duplicate work",
    "**Search-first** prevents duplicate work",
  ],
  ["Skipping pre-decision query", "Skipped the pre-decision query", "skip pre-decision queries"],
  ["Never deploy on Friday", "NEVER deploy on Friday", "never deploying on friday"],
  ["Don't merge without review", "Do not merge without a review", "do NOT merge without reviews"],
  ["Keep batches under 500 rows", "keep batches under five hundred rows", "Keep the batch under 500 rows"],
  ["Wait 5 ms between retries", "wait five milliseconds between retries", "Wait 5ms between retry"],
  ["We should document assumptions", "should document an assumption"],
  ["Release on 2026-03-01", "release on March 1, 2026", "Release on 1 March 2026"],
  ["Use “small” batches", 'use "small" batches', "Use small batch"],
  ["Caching helped", "Caches help", "cache helps"],
  ["Children hypotheses", "child hypothesis"],
  ["Replicas lag behind", "replica lags behind"],
  ["Avoid glitches in tarballs", "avoid glitch in tarball"],
  ["先搜索，再动手", "先搜索 再动手。"],
];

const TWO: readonly (readonly [string, string, string])[] = [
  ["a number", "Keep batches under 500 rows", "Keep batches under 50 rows"],
  ["a number in words", "Retry three times", "Retry four times"],
  ["a date", "Freeze from 2026-03-01", "Freeze from 2026-03-02"],
  ["a day of the week", "Never deploy on Friday", "Never deploy on Thursday"],
  ["a version", "Pin the client to v2", "Pin the client to v3"],
  ["a negation", "Deploys are allowed", "Deploys are not allowed"],
  ["a negation in a contraction", "Do merge early", "Don't merge early"],
  ["a prefix that denies", "Use blocking calls", "Use non-blocking calls"],
  ["never and always", "Never search first", "Always search first"],
  ["with and without", "Merge with review", "Merge without review"],
  ["a name", "Ask Anna before the deploy", "Ask Berta before the deploy"],
  ["one name's plural", "Use Windows runners", "Use window runners"],
  ["a word in s that is no plural", "Trust the redis status", "Trust the redi statu"],
  ["an always that is no way", "Always measure", "Alway measure"],
  ["a host", "Write to db-1", "Write to db-2"],
  ["a place", "Deploy to staging", "Deploy to stage"],
  ["a direction", "Test before the release", "Test after the release"],
  ["more and less", "More small batches", "Less small batches"],
  ["a sign", "Reasons > arguments", "Reasons < arguments"],
  ["must and may", "Reviews must be small", "Reviews may be small"],
  ["an order of words", "Search then write", "Write then search"],
  ["a word", "Search first saves time", "Search first saves money"],
  ["police and policy", "Follow the policy", "Follow the police"],
  ["import and important", "Make the import explicit", "Make the important explicit"],
  ["general and generally", "Write general rules", "Write generally rules"],
  ["a question", "Search first?", "Search first"],
  ["who does and who is done to", "Avoid blocking calls", "Avoid blocked calls"],
  ["is doing and is done", "The job is caching", "The job is cached"],
  ["planned and planed", "We planned tables", "We planed tables"],
  ["capitals that are a name", "Use REST", "Use rest"],
  ["a character", "先搜索", "先检索"],
  ["a negation in Chinese", "可以部署", "不可以部署"],
];

describe("the key of a wording", () => {
  it.each(ONE.map((texts) => [texts[0], texts] as const))("is one for all dresses of %s", (_, texts) => {
    expect(new Set(texts.map(wordingKey)).size).toBe(1);
    expect(wordingKey(texts[0] ?? "")).not.toBe("");
  });

  it.each(TWO)("differs with %s", (_, a, b) => {
    expect(wordingKey(a)).not.toBe(wordingKey(b));
  });

  it("is empty for what says nothing", () => {
    for (const text of [
      "",
      "  ",
      "...",
      "-",
      "N/A",
      "n/a",
      "None",
      "none.",
      "TBD",
      "Done.",
      "Fixed",
      "No lessons learned",
      "Not applicable",
    ]) {
      expect(wordingKey(text)).toBe("");
    }
  });

  it("keeps a text of words without weight", () => {
    expect(wordingKey("really just")).not.toBe("");
  });

  it("is its own key's key, so that keys of stored texts stay", () => {
    for (const texts of ONE) for (const text of texts) expect(wordingKey(wordingKey(text))).toBe(wordingKey(text));
  });

  it("takes words that every object has for words", () => {
    for (const word of ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "isPrototypeOf"])
      expect(wordingKey(`Keep the ${word} private`)).toBe(`keep ${word.toLowerCase()} private`);
  });

  it("takes long and hostile texts in time", () => {
    const word = "Ab-".repeat(20_000);
    for (const text of [word, "A ".repeat(50_000), "-".repeat(100_000), "searches ".repeat(20_000)]) {
      expect(typeof wordingKey(text)).toBe("string");
    }
  });
});

describe("the evidence of a decision", () => {
  it("is told once for each key, with all the places where it stands", () => {
    const { decision } = readDecision(
      {
        id: "a",
        decision: "Search",
        pattern: "Search first",
        lessons: "Searching first.",
        reasons: [{ type: "pattern", text: "SEARCH FIRST" }, "Cheap to try", { text: "none" }],
      },
      { name: "a" },
    );
    expect(decision && evidenceOf(decision)).toEqual([
      {
        key: wordingKey("search first"),
        text: "Search first",
        isPattern: true,
        isReason: true,
        isFailureMode: true,
        rank: 0,
      },
      {
        key: wordingKey("cheap to try"),
        text: "Cheap to try",
        isPattern: false,
        isReason: true,
        isFailureMode: false,
        rank: 2,
      },
    ]);
  });

  it.each([
    ["the pattern", "Skip the check", ["Skip the check"]],
    ["what was decided where there is no pattern", undefined, ["Deploy"]],
    ["what was decided where the pattern says nothing", "n/a", ["Deploy"]],
  ])("has as its way to fail %s", (_, pattern, expected) => {
    const raw = {
      id: "a",
      decision: "Deploy",
      outcome: "failure",
      pattern,
      lessons: "Always check",
      reasons: ["It was late"],
    };
    const { decision } = readDecision(raw, { name: "a" });
    const modes = decision && evidenceOf(decision).filter(({ isFailureMode }) => isFailureMode);
    expect(modes?.map(({ text }) => text)).toEqual(expected);
  });
});
