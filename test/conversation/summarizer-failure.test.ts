// A summarizer that fails: what the policy asks for happens, its words never become a summary, and the context
// still says what left and where it is.
import { describe, expect, it } from "vitest";
import { CompactError, type Summarizer } from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { bench, pair, summaryOf, textOf, turns, user } from "./support.ts";

const failing = (error: unknown): Summarizer => ({ kind: "model", summarize: () => Promise.reject(error) });
const saying = (text: string): Summarizer => ({ kind: "model", summarize: async () => ({ text, source: "model" }) });
const history = () => [
  user("Never touch the audit table."),
  ...pair(["c1"], "ok", "edit_file", { path: "src/pay/ledger.ts" }),
  ...turns(12),
  user("go on"),
  ...pair(["c2"]),
];

describe("a failing summarizer", () => {
  it.each([
    ["a network error", failing(new Error("fetch failed: ECONNRESET"))],
    ["its own failure", failing(new CompactError("SummarizationFailed", "503 from the model"))],
    ["an empty answer", saying("  \n")],
    ["a text beyond its room", saying("word ".repeat(20_000))],
    ["one of code", { ...saying("word ".repeat(1200)), kind: "extractive" as const }],
  ])("prunes with a notice after %s", async (_name, summarizer) => {
    verifies("conversation/summarizer-failure-fallback", "values/network-error-prunes-only");
    const { manager, archive, of } = bench({ summarizer, policy: { keepToolIoPairs: 1 } });
    const { messages, report } = await manager.compact("s", history());
    expect(report).toMatchObject({ status: "pruned_only", summary: { version: null, source: "none" } });
    expect(summaryOf(messages)).toBeUndefined();
    const [notice] = messages as readonly { content: string }[];
    expect(notice?.content).toMatch(
      /^<COMPACT-NOTICE>\n\d+ messages left this conversation and could not be summarized/,
    );
    expect(notice?.content).toContain("Never touch the audit table.");
    expect(notice?.content).toContain("src/pay/ledger.ts");
    expect(textOf(messages)).not.toMatch(/ECONNRESET|503/);
    expect(of("compact.error")[0]).toMatchObject({ status: "error", fallback: "pruning-only" });
    expect(of("compact.summary_created")).toEqual([]);
    expect(await archive.readTranscript("s", 1)).toHaveLength(history().length);
  });

  it("replaces the notice by a summary when one works again, with everything in it", async () => {
    let isDown = true;
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        if (isDown) throw new Error("down");
        return { text: "All is well.", source: "model" };
      },
    };
    const { manager } = bench({ summarizer });
    const first = await manager.manualCompact("s", history());
    isDown = false;
    const second = await manager.manualCompact("s", [...first, ...turns(10, (n) => `later ${n}`)]);
    expect(textOf(second)).not.toContain("COMPACT-NOTICE");
    expect(summaryOf(second)).toMatch(/^<COMPACT-SUMMARY v1>/);
  });

  it("writes the extractive summary instead where the policy says so", async () => {
    const { manager, of } = bench({
      summarizer: failing(new Error("down")),
      policy: { onSummaryFailure: "extractive" },
    });
    const { messages, report } = await manager.compact("s", history());
    expect(report).toMatchObject({ status: "compacted", summary: { version: 1, source: "extractive" } });
    expect(summaryOf(messages)).toContain("Never touch the audit table.");
    expect(of("compact.error")[0]?.fallback).toBe("extractive");
  });

  it("leaves the list alone under the limit where the policy says keep", async () => {
    const messages = history();
    const { manager, of } = bench({
      summarizer: failing(new CompactError("SummarizationFailed", "down")),
      policy: { onSummaryFailure: "keep" },
    });
    await expect(manager.compact("s", messages)).rejects.toMatchObject({ kind: "SummarizationFailed" });
    expect(of("compact.error")[0]?.fallback).toBe("kept-original");
    expect(of("compact.pruned_messages")).toEqual([]);
  });
});
