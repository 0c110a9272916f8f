// Wordings beyond one key that are one principle, and those that only look like it.
import { describe, expect, it } from "vitest";
import { wordingKey } from "../../../src/decisions/evidence.ts";
import { mergeWordings, weightOf } from "../../../src/decisions/wisdom/merge-wordings.ts";
import { verifies } from "../../requirements/verifies.ts";
import { randomFrom, shuffled } from "./records.ts";

const counted = (text: string, confirmations = 1, decisions = confirmations) =>
  withKey(wordingKey(text), confirmations, decisions);
const withKey = (key: string, confirmations = 1, decisions = confirmations) => ({
  key,
  weight: weightOf(key),
  confirmations,
  contradictions: 0,
  failures: 0,
  decisions,
  rank: 0,
});
const groupsOf = (...texts: readonly string[]) => mergeWordings(texts.map((text) => counted(text))).length;

const ONE: readonly (readonly [string, string])[] = [
  ["Search-first prevents duplicate work", "Search-first reliably prevents duplicate work"],
  ["Search-first prevents duplicate work", "Searching first prevents costly duplicate work"],
  ["Never deploy the gateway without a rollback plan", "Never deploy the gateway without your rollback plan"],
  ["Small batches keep latency of reads flat", "Small batches consistently keep latency of reads flat"],
  ["Document assumptions before writing code", "Document our assumptions before writing code"],
  ["Retry with 3 attempts and jitter", "Retry with 3 attempts and again jitter"],
];

const TWO: readonly (readonly [string, string, string])[] = [
  [
    "a negation",
    "Search first prevents duplicate work in teams",
    "Search first never prevents duplicate work in teams",
  ],
  [
    "an added not",
    "Deploys on Friday are allowed after the review",
    "Deploys on Friday are not allowed after the review",
  ],
  ["a number", "Keep batches of rows under 500 entries", "Keep batches of rows under 50 entries"],
  ["an added number", "Retry calls with jitter and backoff", "Retry calls 3 with jitter and backoff"],
  ["an added date", "Freeze all releases of the gateway", "Freeze all releases of the gateway 2026-03-01"],
  ["an added name", "Ask before every deploy of the gateway", "Ask Anna before every deploy of the gateway"],
  [
    "an added name in small letters",
    "Ask before every deploy of the gateway",
    "Ask anna before every deploy of the gateway",
  ],
  ["a direction", "Review the plan before the release starts", "Review the plan after the release starts"],
  ["an added direction", "Review the plan as the release starts", "Review the plan down as the release starts"],
  ["an added modality", "Reviews of large changes find defects", "Reviews of large changes sometimes find defects"],
  ["an added condition", "Cache reads of the user table", "Cache reads if of the user table"],
  [
    "an added doing that takes back",
    "Review code before every deploy to production",
    "Skip review code before every deploy to production",
  ],
  ["an added thing", "Deploy the database before a release", "Deploy the test database before a release"],
  ["another word", "Search first prevents duplicate work", "Search first prevents duplicate meetings"],
  [
    "words that came in place of others",
    "Search first reliably prevents duplicate work",
    "Search first clearly prevents duplicate work",
  ],
  ["another order", "Write tests then code with care", "Write code then tests with care"],
  ["too much that is added", "Search first", "Search first carefully and thoroughly"],
  ["words without weight alone", "carefully and again", "carefully and again properly"],
];

describe("wordings that are merged", () => {
  it.each(ONE)("%s | %s", (a, b) => {
    expect(wordingKey(a)).not.toBe(wordingKey(b));
    expect(groupsOf(a, b)).toBe(1);
    expect(groupsOf(b, a)).toBe(1);
  });
});

describe("wordings that stay two", () => {
  it.each(TWO)("with %s", (_, a, b) => {
    verifies("field/different-facts-merged");
    expect(groupsOf(a, b)).toBe(2);
    expect(groupsOf(b, a)).toBe(2);
  });
});

describe("groups", () => {
  const base = "search first prevent duplicate work";
  const [a, b, c] = [base, `${base} reliably`, `${base} reliably again`].map((key) => withKey(key));

  it("never come about by a chain", () => {
    if (a === undefined || b === undefined || c === undefined) throw new Error("Three wordings were made.");
    // a is near b, and b is near c, but a is not near c.
    expect(mergeWordings([a, b])).toHaveLength(1);
    expect(mergeWordings([b, c])).toHaveLength(1);
    expect(mergeWordings([a, c])).toHaveLength(2);
    expect(mergeWordings([{ ...a, confirmations: 9 }, b, c])).toHaveLength(2);
    expect(mergeWordings([a, { ...b, confirmations: 9 }, c])).toHaveLength(1);
  });

  it("are headed by most confirmations, then most decisions, then the key", () => {
    if (a === undefined || b === undefined) throw new Error("Two wordings were made.");
    expect(mergeWordings([a, { ...b, confirmations: 2 }])[0]?.[0]?.key).toBe(b.key);
    expect(mergeWordings([a, { ...b, decisions: 7 }])[0]?.[0]?.key).toBe(b.key);
    expect(mergeWordings([b, a])[0]?.[0]?.key).toBe(a.key);
  });

  it("are the same in whatever order wordings come", () => {
    const random = randomFrom(7);
    const words = ["reliably", "clearly", "again", "costly", "thoroughly", "own"];
    const wordings = Array.from({ length: 300 }, (_, at) => {
      const padding = words.filter(() => random() < 0.3).join(" ");
      const weight = `keep batch ${at % 9} below limit with long tail`;
      return withKey(`${weight} ${padding}`.trim(), Math.floor(random() * 4));
    });
    const unique = [...new Map(wordings.map((wording) => [wording.key, wording])).values()];
    const told = (items: typeof unique) => mergeWordings(items).map((group) => group.map(({ key }) => key));
    const expected = told(unique);
    expect(expected.length).toBeGreaterThan(9);
    expect(expected.length).toBeLessThan(unique.length);
    for (let round = 0; round < 10; round += 1) expect(told([...shuffled(unique, random)])).toEqual(expected);
  });

  it("hold every wording once", () => {
    const wordings = ["Search first", "Search very first thing", "Cache reads", "Never cache reads"].map((text) =>
      counted(text),
    );
    const keys = mergeWordings(wordings)
      .flat()
      .map(({ key }) => key);
    expect([...keys].sort()).toEqual(wordings.map(({ key }) => key).sort());
  });
});
