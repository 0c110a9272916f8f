// Digests that a model words: its text within the frame of code, and what happens when it answers nothing of use.
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../src/redaction/redactor.ts";
import { createModelSummarizer } from "../../../src/summaries/model-summarizer.ts";
import { createExtractiveSummarizer } from "../../../src/summaries/record.ts";
import type { Summarizer } from "../../../src/summaries/summarizer.ts";
import { createScriptedModel, type ModelCall, type ModelStep } from "../../../src/testing/scripted-model.ts";
import { count, digestsOf, FEBRUARY, notesOf } from "./months.ts";

function modelled(script: ModelStep | ((call: ModelCall) => ModelStep)) {
  const model = createScriptedModel(typeof script === "function" ? script : [script]);
  const summarizer: Summarizer = createModelSummarizer({
    model,
    redactor: createRedactor(),
    extractive: createExtractiveSummarizer(),
    sleep: async () => undefined,
    random: () => 0,
  });
  return { model, summarizer };
}

/** Ids of the passages, as the model is shown them. */
const idsIn = ({ prompt }: ModelCall): readonly string[] =>
  [...prompt.matchAll(/^\[([^\]]+)\] record/gm)].map(([, id]) => id ?? "");

const FILES = notesOf([...FEBRUARY, "2031-01-02", "2031-01-03"], { "2031-02-04": "\n- [ ] tell the office\n" });

describe("a model's digest", () => {
  it("has its words, cited by dates, and the lines of code around them", async () => {
    const { model, summarizer } = modelled((call) => {
      const ids = idsIn(call);
      return `## Findings and results\n- The backup was rebuilt after two failed runs [${ids[0]}].\n- # The export came next [${ids[1]}, ${ids[2]}].`;
    });
    const { changes, held } = await digestsOf(FILES, { summarizer });
    expect(held).toEqual([]);
    expect(model.calls).toHaveLength(2);
    const [, february] = changes;
    expect(["model", "model+ledger"]).toContain(february?.source);
    const text = february?.text ?? "";
    expect(text).toContain("## Findings and results\n- The backup was rebuilt after two failed runs [2031-02-03].");
    expect(text).toMatch(/^- (?:\\# )?The export came next \[2031-02-04, 2031-02-05\]\.?$/m);
    expect(text).toContain("- [ ] tell the office (2031-02-04)");
    expect(text).toContain("- [2031-02-18]");
    expect(text).toContain("d81f0c4");
    expect(text).not.toMatch(/777\./);
    expect(count(text)).toBeLessThan((february?.tokens_before ?? 0) * 0.45);
  });

  it("holds no identifier that the model invented", async () => {
    const { summarizer } = modelled(
      (call) =>
        `## Findings and results\n- The backup moved to src/invented/nowhere.ts in commit 9f8e7d6 [${idsIn(call)[0]}].\n- It is version 2.18.0 [${idsIn(call)[3]}], as [999.1] says.`,
    );
    const { changes } = await digestsOf(notesOf(FEBRUARY), { summarizer });
    expect(changes).toHaveLength(1);
    expect(changes[0]?.text).not.toMatch(/invented|9f8e7d6|999\.1/);
  });

  it("is held when there is none, and the model is asked for no other month", async () => {
    const { model, summarizer } = modelled("");
    const { changes, held } = await digestsOf(FILES, { summarizer });
    expect(changes).toEqual([]);
    expect(held.map(({ file }) => file)).toEqual(["memory/2031-01.md", "memory/2031-02.md"]);
    expect(new Set(held.map(({ code }) => code)).size).toBe(1);
    expect(model.calls.every(({ prompt }) => prompt.includes("run 62") && !prompt.includes("run 558"))).toBe(true);
  });

  it("is not asked for where no digest would be worth it", async () => {
    const { model, summarizer } = modelled("## Values in force\n- a = 1");
    const short = { "memory/2031-02-03.md": "# One\n\nBought milk.\n", "memory/2031-02-04.md": "# Two\n\nSold it.\n" };
    expect((await digestsOf(short, { summarizer })).held).toMatchObject([{ code: "not_beneficial" }]);
    expect(model.calls).toEqual([]);
  });

  it("stops with the signal", async () => {
    const abort = new AbortController();
    const { summarizer } = modelled(() => {
      abort.abort(new Error("enough"));
      return { hang: true };
    });
    await expect(digestsOf(FILES, { summarizer, signal: abort.signal })).rejects.toThrow("enough");
  });
});
