// A model of a cycle says which near wordings are one principle; wisdom counts them so from then on.
import { describe, expect, it } from "vitest";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import type { TextWriter } from "../../../src/decisions/texts/text-writer.ts";
import { getWisdom } from "../../../src/decisions/wisdom/get-wisdom.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";
import { scriptedTexts } from "./cycles.ts";

const RECORDS = [
  "Search first prevents duplicate work",
  "Search first prevents duplicate work",
  "Search-first stops you from doing work twice",
  "Search first prevents duplicate meetings",
  "Search first never prevents duplicate work",
].map((pattern, at) => aged(`d${at}`, 100 + at, { pattern }));

/** Asks `answer` of each pair, and notes the pairs. */
function judging(answer: (texts: readonly [string, string]) => boolean | undefined) {
  const pairs: string[] = [];
  const isSame: TextWriter["isSame"] = async (texts) => {
    pairs.push([...texts].sort().join(" | "));
    return answer(texts);
  };
  return { pairs, texts: { ...scriptedTexts(), isSame } };
}

describe.each(logs)("a cycle with a model over a %s log", (_, open) => {
  const principles = async (log: Parameters<typeof getWisdom>[0]) =>
    (await getWisdom(log, { minDecisions: 1 }, options)).categories.flatMap((category) =>
      category.principles.map(({ text, confirmations }) => `${text} ${confirmations}`),
    );

  it("merges the wordings that it says are one, and asks of each pair once", async () => {
    verifies("rulings/principles-by-kind");
    const log = await filled(open, RECORDS);
    expect(await principles(log)).toEqual(["Search first prevents duplicate work 2"]);
    const { pairs, texts } = judging((both) => !both.join().includes("meetings"));
    await compactDecisions(log, {}, { ...options, texts });
    expect(await principles(log)).toEqual(["Search first prevents duplicate work 3"]);
    expect(pairs).toContain("Search first prevents duplicate work | Search-first stops you from doing work twice");
    // What differs by a negation is no question.
    expect(pairs.join()).not.toContain("never");
    const before = pairs.length;
    await compactDecisions(log, {}, { ...options, texts });
    expect(pairs).toHaveLength(before);
  });

  it("goes on where the model fails, and asks again the next time", async () => {
    const log = await filled(open, RECORDS);
    const { pairs, texts } = judging(() => {
      throw new Error("down");
    });
    await compactDecisions(log, {}, { ...options, texts });
    await compactDecisions(log, {}, { ...options, texts });
    expect(pairs).toHaveLength(2);
    expect(await principles(log)).toEqual(["Search first prevents duplicate work 2"]);
  });
});
