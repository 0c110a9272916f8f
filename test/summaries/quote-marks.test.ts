import { expect, it } from "vitest";
import { answerMark, type Marks } from "../../src/summaries/digest/quote-marks.ts";

it("words said twice carry the mark of the time at which they were the answer", () => {
  const answers: Marks["answers"] = new Map([
    ["1.2", { mark: " (refusal of [1.1])", opening: "leave it alone" }],
    ["1.4", { mark: " (correction of [1.3])", opening: "use tabs" }],
  ]);
  const source = { step: 1, message: 2 };
  const fact = { kind: "user_message", author: "user", blocks: ["use tabs"], source } as const;
  const words = { fact: { ...fact, blocks: [...fact.blocks] }, sources: [source, { step: 1, message: 4 }] };
  expect(answerMark(words, answers)).toBe(" (correction of [1.3])");
  expect(answerMark({ ...words, sources: [source] }, answers)).toBeUndefined();
});
