// What a model is asked, and what becomes of its answer, word for word, for every strategy. A change of wording shows as
// a difference in these files: read it, and update with `npx vitest run test/golden -u` when it is what you wanted.
import { describe, expect, it } from "vitest";
import { STRATEGIES } from "../../src/summaries/summarizer.ts";
import { verifies } from "../requirements/verifies.ts";
import { REPAIR, requestOf, summarizerBench } from "../summaries/session.ts";
import { MODEL_ANSWERS } from "./model-answers.ts";

describe("golden summaries by a model, seed 42 and temperature 0", () => {
  it.each(STRATEGIES)("%s", async (strategy) => {
    verifies("conversation/seeded-golden-summaries");
    const run = async () => {
      const { summarizer, model } = summarizerBench([MODEL_ANSWERS[strategy]], { seed: 42, temperature: 0 });
      const summary = await summarizer.summarize(requestOf(REPAIR, { strategy, note: "the data team reads this" }));
      return { summary, asked: model.requests.map(({ signal: _, ...request }) => request) };
    };
    const { summary, asked } = await run();
    expect(await run()).toEqual({ summary, asked });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ seed: 42, temperature: 0, maxTokens: 1500 });
    const prompt = `${asked[0]?.system}\n\n--- prompt ---\n\n${asked[0]?.prompt}\n`;
    await expect(prompt).toMatchFileSnapshot(`model/repair.${strategy}.prompt.md`);
    const { text, ...figures } = summary;
    await expect(`${text}\n\n--- ${JSON.stringify(figures)}\n`).toMatchFileSnapshot(
      `model/repair.${strategy}.summary.md`,
    );
  });
});
