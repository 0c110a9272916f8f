// Expected values that were written down elsewhere and that a ruling replaced: each as it is ruled.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RawDecision } from "../../src/decisions/decision.ts";
import { getWisdom } from "../../src/decisions/wisdom/get-wisdom.ts";
import { specForm, structuredForm } from "../../src/decisions/wisdom/wisdom.ts";

import { createFsArchive } from "../../src/index.ts";
import { removableRanges } from "../../src/memory-files/plan/dedupe-lines.ts";
import { readTime } from "../../src/time.ts";
import { assistant, bench, flatCounter, pair, system, turns, user } from "../conversation/support.ts";
import { logOf, many, OPTIONS, old } from "../decisions/wisdom/records.ts";
import { appliedText, fileOf } from "../memory-files/planning/planned.ts";
import { verifies } from "../requirements/verifies.ts";

async function wisdomOf(...records: readonly RawDecision[]) {
  const wisdom = await getWisdom(await logOf(...records), { minDecisions: 1 }, OPTIONS);
  return { spec: specForm(wisdom).wisdom[0], structured: structuredForm(wisdom).wisdom[0] };
}

describe("values that a ruling replaced", () => {
  it("hold as they are ruled", async () => {
    verifies("rulings/replaced-expected-values");
    await expectConversations();
    await expectDecisions();
    expect(
      appliedText("\n\n# T\n\n\n- a\n- a\n\n- a\n", removableRanges(fileOf("\n\n# T\n\n\n- a\n- a\n\n- a\n"))),
    ).toBe("# T\n\n- a\n");
    await expectWholeTranscripts();
  });
});

async function expectConversations(): Promise<void> {
  const same = Array.from({ length: 10 }, () => [user("ok"), assistant("ok")]).flat();
  const wide = bench({ maxContextTokens: 100_000, policy: { keepRecentTurns: 6 }, tokenCounter: flatCounter(100) });
  const kept = await wide.manager.compact("s", same);
  expect([kept.report.pruned_count, kept.messages.slice(-12)]).toEqual([8, same.slice(8)]);

  const pairs = Array.from({ length: 5 }, (_, index) => pair([`p${index}`])).flat();
  const policy = { hardCapBuffer: 500, targetPct: 1, summaryMaxTokens: 100, keepRecentTurns: 6, keepToolIoPairs: 4 };
  const tight = bench({ maxContextTokens: 2500, policy, tokenCounter: flatCounter(100) });
  const { report } = await tight.manager.compact("s", [system("S1"), system("S2"), ...pairs, ...turns(10)]);
  expect(report).toMatchObject({ kept: { recent_turns: 5, tool_pairs: 3 }, pruned_count: 14, tokens_after: 2000 });

  const defaults = bench({ maxContextTokens: 100_000 });
  await defaults.manager.preflight("s", [user("a")]);
  const { limits } = defaults.of("compact.trigger_decision")[0] ?? {};
  expect(limits).toMatchObject({ trigger_tokens: 85_000, target_tokens: 75_000 });

  for (const [onSummaryFailure, status] of [
    ["pruning-only", "pruned_only"],
    ["extractive", "compacted"],
    ["keep", "skipped"],
  ] as const) {
    const model = () => Promise.resolve("");
    const policy = { triggerPct: 0.3, keepRecentTurns: 2, onSummaryFailure };
    const failing = bench({ maxContextTokens: 12_000, policy, summarizer: { model } });
    const result = await failing.manager.compact("s", [system("s"), ...turns(25), user("go")], { ifNeeded: true });
    expect([onSummaryFailure, result.report.status]).toEqual([onSummaryFailure, status]);
  }
}

async function expectDecisions(): Promise<void> {
  const ten = await wisdomOf(
    ...many(6, "s", "success", { confidence: 0.8, pattern: "Search first" }),
    old("f0", "failure", { confidence: 0.8, pattern: "Search first" }),
    old("f1", "failure", { confidence: 0.8, pattern: "Skip query" }),
    old("p0", "partial", { confidence: 0.8, pattern: "Skip query" }),
    old("a0", "abandoned", { confidence: 0.8 }),
  );
  expect(ten.spec).toMatchObject({
    key_principles: ["Search first (6 confirmations, 1 contradiction)"],
    common_failure_mode: "Skip query (1 failure)",
  });
  const seven = await wisdomOf(...many(3, "p", "partial"), ...many(4, "s", "success"));
  const sixteen = await wisdomOf(old("s", "success"), ...many(15, "f", "failure"));
  expect([seven, sixteen].map(({ spec, structured }) => [spec?.success_rate, structured?.successRate])).toEqual([
    [0.57, 0.571],
    [0.06, 0.063],
  ]);
  expect(readTime("soon")).toBeUndefined();
  expect(readTime("2026-02-09T01:00:00")).toBe(Date.UTC(2026, 1, 9, 1));
}

/** One transcript per step, which reads whole; what an earlier step holds is named in its file and not stored again. */
async function expectWholeTranscripts(): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), "replaced-values-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const { manager } = bench({ archive: createFsArchive({ path, compression: "gzip" }) });
  const first = [system("s"), ...turns(10), user("go")];
  const second = [...(await manager.manualCompact("s", first)), ...turns(3)];
  await manager.manualCompact("s", second);
  const files = readdirSync(join(path, "s")).filter((name) => name.startsWith("transcript"));
  expect(files).toEqual(["transcript-pre-compact-001.jsonl.gz", "transcript-pre-compact-002.jsonl.gz"]);
  const archive = createFsArchive({ path });
  const read = await Promise.all([1, 2].map((step) => archive.readTranscript("s", step, { strict: true })));
  expect(read).toEqual([first, second]);
  expect(gunzipSync(readFileSync(join(path, "s", files[1] ?? ""))).toString()).not.toContain("question 10");
}
