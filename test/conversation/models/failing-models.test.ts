// A model that fails in each way there is: what is tried, what stands in, and that nothing of its words is kept.
import { describe, expect, it } from "vitest";
import { CompactError, type ModelFunction } from "../../../src/index.ts";
import type { ModelStep } from "../../../src/testing.ts";
import { verifies } from "../../requirements/verifies.ts";
import { bench, summaryOf, textOf, turns, user } from "../support.ts";
import { GOOD, history, scripted } from "./scripted-bench.ts";

describe("the failure ladder", () => {
  const long = `${GOOD}\n${Array.from({ length: 1200 }, (_, n) => `- point ${n} of the ledger [1.1]`).join("\n")}`;

  it("asks for half of a text that is too long, twice, then prunes", async () => {
    verifies("values/too-long-summary-halves", "conversation/oversized-summary-retry");
    const { manager, model, of } = scripted([long], { policy: { summaryMaxTokens: 800 } });
    const { report, messages } = await manager.compact("s", history());
    expect(model.calls.map(({ maxTokens }) => maxTokens)).toEqual([800, 400, 200]);
    expect(report).toMatchObject({ status: "pruned_only", summary: { source: "none" } });
    expect(of("compact.error").map(({ fallback }) => fallback)).toEqual(["halve-cap", "halve-cap", "pruning-only"]);
    expect(textOf(messages)).toContain("<COMPACT-NOTICE>");
  });

  it("accepts the second answer when that one fits", async () => {
    verifies("values/too-long-summary-halves", "conversation/oversized-summary-retry");
    const { manager, model } = scripted([long, GOOD], { policy: { summaryMaxTokens: 800 } });
    const { report } = await manager.compact("s", history());
    expect(model.calls).toHaveLength(2);
    expect(report.status).toBe("compacted");
  });

  it("moves a refused task to brief, then prunes, with two events", async () => {
    verifies("values/refusal-moves-to-brief", "conversation/model-refusal");
    const { manager, model, of } = scripted([
      { error: "refused" },
      { text: "I can't help with that.", finish: "refusal" },
    ]);
    const { report } = await manager.compact("s", history());
    expect(model.calls).toHaveLength(2);
    expect(model.calls[1]?.system).not.toBe(model.calls[0]?.system);
    expect(report.status).toBe("pruned_only");
    expect(of("compact.error").map(({ error_type, fallback }) => [error_type, fallback])).toEqual([
      ["REFUSED", "brief"],
      ["SummarizationFailed", "pruning-only"],
    ]);
  });

  it("keeps the brief summary of a model that refused the long one", async () => {
    verifies("values/refusal-moves-to-brief", "conversation/model-refusal");
    const brief = "The ledger is being moved to version 3 [1.1].";
    const { manager, model, of } = scripted([{ text: "", finish: "refusal" }, brief]);
    const { messages, report } = await manager.compact("s", history());
    expect(model.calls).toHaveLength(2);
    expect(summaryOf(messages)).toContain(brief);
    expect(report).toMatchObject({ status: "compacted", summary: { strategy: "brief" } });
    expect(of("compact.summary_created")[0]?.strategy).toBe("brief");
  });

  it.each<[string, ModelStep[], number]>([
    ["empty answers", [""], 3],
    ["answers of blanks", ["   \n"], 3],
    ["reasoning that used up the cap", [{ text: "", finish: "length" }], 3],
    ["half a sentence", [{ text: "## Goals and success criteria\n- ship the lex", finish: "length" }], 3],
    ["an error as text", ["Error: 429 rate limited"], 2],
    ["a chat reply", ["Great, running the tests now…"], 2],
    ["a tool call", [{ text: "", finish: "calls" }], 2],
    ["an unclosed scratch block", ["<analysis>the user wants"], 2],
  ])("never stores %s", async (_name, steps, calls) => {
    verifies("field/failed-summary-replaces-history", "rulings/failing-model-ladder");
    const { manager, model, of, archive } = scripted(steps);
    const list = history();
    const { report, messages } = await manager.compact("s", list);
    expect(model.calls.length).toBe(calls);
    expect(report).toMatchObject({ status: "pruned_only" });
    expect(textOf(messages)).not.toMatch(/429|running the tests|ship the lex|<analysis>/);
    expect(textOf(messages)).toContain("Never touch the audit table.");
    expect(textOf(messages)).toMatch(/\d+ messages left this conversation and could not be summarized/);
    expect(await archive.readTranscript("s", 1)).toHaveLength(list.length);
    expect(of("compact.error").at(-1)?.fallback).toBe("pruning-only");
  });

  it("keeps a good earlier summary's facts when the next one fails", async () => {
    verifies("field/failed-summary-replaces-history");
    const { manager } = scripted([GOOD, { error: "rejected" }]);
    const first = await manager.manualCompact("s", [user("Use port 8443 for the ledger."), ...history()]);
    const second = await manager.manualCompact("s", [...first, ...turns(12, (n) => `later ${n}`), user("on")]);
    expect(textOf(second)).toContain("8443");
    expect(textOf(second)).toContain("Never touch the audit table.");
  });
});

describe("a failure", () => {
  it.each(["pruning-only", "extractive"] as const)(
    "is in the report and its cost, whatever stands in (%s)",
    async (onSummaryFailure) => {
      const cut = {
        text: "## Goals and success criteria\n- ship the lex",
        finish: "length",
        usage: { inputTokens: 9000, outputTokens: 800 },
      } as const;
      const { manager, of } = scripted([cut], { policy: { onSummaryFailure } });
      const { report } = await manager.compact("s", history());
      const warning = report.warnings.find(({ code }) => code === "summary_failed");
      expect(warning?.message).toMatch(/TRUNCATED_ANSWER/);
      expect(report.summary.usage).toEqual({ calls: 3, input_tokens: 27_000, output_tokens: 2400 });
      expect(report.cost?.cost_weighted).toBeGreaterThan(27_000 + 5 * 2400);
      expect(of("compact.error").at(-1)).toMatchObject({ code: "TRUNCATED_ANSWER", fallback: onSummaryFailure });
      for (const { message } of of("compact.error")) expect(message).toMatch(/[.!?]$/);
    },
  );

  it("to read the whole prompt shows in what the server reports, and is a warning", async () => {
    const usage = (inputTokens: number) => ({ text: GOOD, usage: { inputTokens, outputTokens: 60 } });
    const long = () => [...history(), ...turns(40, (n) => `more ${n}`), user("go on")];
    const codesFor = async (inputTokens: number) => {
      const { manager } = scripted([usage(inputTokens)]);
      return (await manager.compact("s", long())).report.warnings.map(({ code }) => code);
    };
    expect(await codesFor(2048)).toContain("summary_input_cut");
    expect(await codesFor(14_000)).not.toContain("summary_input_cut");
    expect(await codesFor(10)).not.toContain("summary_input_cut");
  });

  it("of loading the model is one like any other: the agent goes on", async () => {
    const missing = async () => {
      throw new CompactError("MissingDependency", "The package ai is not installed.");
    };
    const { manager } = bench({ summarizer: { model: missing } });
    const { report } = await manager.compact("s", history());
    expect(report).toMatchObject({ status: "pruned_only" });
  });
});

describe("a model that hangs", () => {
  it("is given up after its time-out, and the fallback is used", async () => {
    verifies("field/slow-compaction-blocks");
    const hanging: ModelFunction = () => new Promise(() => {});
    const { manager, of } = bench({ summarizer: { model: hanging, timeoutMs: 100 } });
    const { report } = await manager.compact("s", history());
    expect(report.status).toBe("pruned_only");
    expect(of("compact.error").map(({ fallback }) => fallback)).toEqual(["retry", "retry", "pruning-only"]);
  }, 20_000);
});
