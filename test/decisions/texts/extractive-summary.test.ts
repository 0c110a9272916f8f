import { describe, expect, it } from "vitest";
import { extractiveSummary } from "../../../src/decisions/texts/extractive-texts.ts";
import { decisionOf, REVIEWED } from "./records.ts";

describe("a summary by code", () => {
  it("says why, by the strongest reasons, what came of it and what was learned", () => {
    expect(extractiveSummary(decisionOf(REVIEWED))).toBe(
      "Why: A list changes twice a day and is read 900 times a minute (empirical). The cluster must not be scaled before June (constraint). Simple things break less often (intuition). Result: p95 fell from 410 ms to 60 ms. One shop showed old prices for 20 minutes. Learned: Never cache without a way to drop the cache by hand.",
    );
  });

  it("names the context only where nothing else is known", () => {
    const context = "# Problem\n\nThe build takes 41 minutes on every branch. It blocks us.\n\n- one\n- two";
    expect(extractiveSummary(decisionOf({ decision: "Split the build", context }))).toBe(
      "Context: The build takes 41 minutes on every branch.",
    );
    expect(extractiveSummary(decisionOf({ decision: "Split the build", context, lessons: "Measure first" }))).toBe(
      "Learned: Measure first.",
    );
  });

  it("is empty where there is nothing, and where all of it stands in fields of its own", () => {
    expect(extractiveSummary(decisionOf({ decision: "Split the build" }))).toBe("");
    const same = {
      decision: "Split the build",
      pattern: "Measure first",
      reasons: ["Split the build."],
      lessons: "measure first",
    };
    expect(extractiveSummary(decisionOf(same))).toBe("");
    expect(extractiveSummary(decisionOf({ decision: "x", context: "X", actual_result: "Closed" }))).toBe("");
  });

  it("says a thing once", () => {
    const raw = { decision: "Split", actual_result: "It took 9 minutes.", lessons: "It took 9 minutes." };
    expect(extractiveSummary(decisionOf(raw))).toBe("Result: It took 9 minutes.");
  });

  it("leaves out whole sentences, never a part of one", () => {
    const sentences = Array.from({ length: 30 }, (_, at) => `Step ${at} must not run before step ${at + 1} is done.`);
    const raw = {
      decision: "Order the steps",
      actual_result: sentences.join(" "),
      lessons: sentences.slice(20).join("\n"),
    };
    const text = extractiveSummary(decisionOf(raw));
    expect(text.length).toBeLessThanOrEqual(400);
    const quoted = text.replace(/Result: |Learned: /g, "").match(/Step [^.]*\./g) ?? [];
    expect(quoted.length).toBeGreaterThan(4);
    for (const sentence of quoted) expect(sentences).toContain(sentence);
    expect(text).toContain("Learned: Step 20 must not run");
  });

  it("quotes one long sentence to its end, so that its negation stays", () => {
    const sentence = `The export ${"and the import ".repeat(30)}are never to run on the same day.`;
    const text = extractiveSummary(decisionOf({ decision: "Part them", lessons: sentence }));
    expect(text).toBe(`Learned: ${sentence}`);
    const endless = `The export ${"and the import ".repeat(300)}are never to run.`;
    const cut = extractiveSummary(decisionOf({ decision: "Part them", lessons: endless }));
    expect(cut.length).toBeLessThanOrEqual(400);
    expect(cut.endsWith("...")).toBe(true);
  });

  it("reads Markdown without its marks, code and tables", () => {
    const raw = {
      decision: "Use one pool",
      actual_result:
        "## Result\n\n**Good**: p95 is 60 ms.\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n\n- No errors since.",
    };
    expect(extractiveSummary(decisionOf(raw))).toBe("Result: Good: p95 is 60 ms. No errors since.");
  });

  it("is the same for the same record, and quick for a record of megabytes", () => {
    const raw = { decision: "x", context: `${"Long words. ".repeat(300_000)}`, lessons: "a ".repeat(2_000_000) };
    const text = extractiveSummary(decisionOf(raw));
    expect(extractiveSummary(decisionOf(raw))).toBe(text);
    expect(text.length).toBeLessThanOrEqual(600);
  });
});
