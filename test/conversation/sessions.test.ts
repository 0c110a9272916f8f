// What a session remembers, and what it must not: lists that stand by themselves, ids that are used twice,
// messages changed in place, calls nobody should make.
import { describe, expect, it } from "vitest";
import { CompactManager, createMemoryArchive, type Summarizer } from "../../src/index.ts";
import { bench, type ChatMessage, pair, summaryOf, textOf, turns, user } from "./support.ts";

describe("a list without our summary", () => {
  it("is whole by itself: compacting it again gives the same, in one process and in another", async () => {
    const archive = createMemoryArchive();
    const first = await bench({ archive }).manager.compact("s", turns(20));
    const inAnother = await bench({ archive }).manager.compact("s", turns(20));
    expect(inAnother.report.tokens_after).toBe(first.report.tokens_after);
    expect(inAnother.report.facts).toEqual(first.report.facts);
    expect(inAnother.report.summary.version).toBe(1);
    expect((await archive.steps("s")).map(({ step }) => step)).toEqual([1, 2]);
  });

  it("brings nothing of another conversation that used its id", async () => {
    const archive = createMemoryArchive();
    await bench({ archive }).manager.manualCompact(
      "s",
      turns(20, (n) => `ALPHA wish ${n}`),
    );
    const other = await bench({ archive }).manager.manualCompact(
      "s",
      turns(20, (n) => `beta wish ${n}`),
    );
    expect(textOf(other)).not.toContain("ALPHA");
    const edited = [user("BETA wish 1, edited"), ...turns(20, (n) => `beta wish ${n}`).slice(1)];
    expect(textOf(await bench({ archive }).manager.manualCompact("s", edited)).match(/beta wish 2\\n/g)).toHaveLength(
      1,
    );
  });

  it("takes a pasted copy of the summary for the record that it is, not for its user's words", async () => {
    const { manager } = bench();
    const first = await manager.manualCompact("s", turns(12));
    const pasted = user(summaryOf(first) ?? "");
    const second = await manager.manualCompact("s", [...first, pasted, ...turns(12, (n) => `later ${n}`)]);
    expect(summaryOf(second)).toMatch(/^<COMPACT-SUMMARY v2>/);
    expect(textOf(second)).not.toContain("‹COMPACT-SUMMARY v1>");
  });
});

describe("what finds no room", () => {
  it("is said in the report, the first and the newest words kept before others", async () => {
    const long = (n: number) => `wish ${n} ${"because it matters to us ".repeat(18)}`;
    const { manager } = bench({ maxContextTokens: 9000 });
    const { messages, report } = await manager.compact("s", turns(60, long));
    const warning = report.warnings.find(({ code }) => code === "facts_left_out");
    expect(warning?.message).toMatch(/\d/);
    const summary = summaryOf(messages) ?? "";
    expect(summary.indexOf(long(54).slice(0, 400))).toBeGreaterThan(0);
    // The first request is what all others serve.
    expect(summary).toContain("wish 1 because");
    expect(summary).not.toContain("wish 2 because");
  });

  it("is nothing while the goal leaves room", async () => {
    const long = (n: number) => `wish ${n} ${"because it matters to us ".repeat(6)}`;
    const { manager } = bench({ maxContextTokens: 128_000 });
    const { messages, report } = await manager.compact("s", turns(60, long), { targetTokens: 20_000 });
    expect(report.warnings.map(({ code }) => code)).not.toContain("facts_left_out");
    for (let n = 1; n <= 60; n += 1) expect(textOf(messages)).toContain(long(n).trim());
  });
});

describe("a summarizer that forgets", () => {
  it("loses neither words nor files nor what recurs: code adds what its text lacks", async () => {
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => ({ text: "Work continued.", source: "model" }),
    };
    const { manager } = bench({ summarizer });
    const facts = [
      "INC-40417",
      "eu-central-9",
      "2031-04-17 06:30 UTC",
      "src/pay/ledger_v3.ts:212",
      "s3://acme-cold/raw",
      "maxRetry=17",
      "ask Priya Raman",
      "4f2a91c7",
    ];
    let messages: readonly unknown[] = facts.flatMap((fact) => [
      user(`Remember: ${fact}.`),
      { role: "assistant", content: "noted" },
    ]);
    messages = [...messages, ...pair(["c1"], "ok", "edit_file", { path: "src/pay/ledger_v3.ts" })];
    for (let round = 1; round <= 5; round++) {
      messages = await manager.manualCompact("s", [...messages, ...turns(10, (n) => `filler ${round} ${n}`)]);
      for (const fact of facts) expect(textOf(messages), `round ${round}`).toContain(fact);
    }
    expect(summaryOf(messages)).toMatch(
      /^<COMPACT-SUMMARY v5>\n[\s\S]*Work continued\.[\s\S]*## Goals, decisions and results/,
    );
  });
});

describe("messages and calls", () => {
  it("measures a message again that was changed in place", async () => {
    const list = turns(8).map((message) => ({ ...message }));
    const { manager, of } = bench({ maxContextTokens: 9000 });
    await manager.preflight("s", list);
    (list[1] as { content: string }).content = "BIG ".repeat(7000);
    await manager.preflight("s", list);
    expect(of("compact.trigger_decision").map(({ triggered }) => triggered)).toEqual([false, true]);
  });

  it("keeps a protected call in flight at the tail", async () => {
    const [call, result] = pair(["a", "b"]) as [ChatMessage, ChatMessage];
    const { manager } = bench({ protect: (message) => message === call });
    const output = await manager.manualCompact("s", [...turns(12), user("go"), call, result]);
    expect(output.slice(-2)).toEqual([call, result]);
  });

  it.each([
    [undefined, [], {}, /session id/],
    ["", [], {}, /session id/],
    ["s", "text", {}, /must be a list/],
    ["s", [], { targetTokens: -1 }, /targetTokens/],
    ["s", [], { targetTokens: Number.NaN }, /targetTokens/],
    ["s", [], { strict: true }, /strict is not a known option/],
    ["s", [user("x"), 7], {}, /message 2 is the first/],
  ])("refuses compact(%j, %j, %j)", async (sessionId, messages, options, expected) => {
    const failure = await bench()
      .manager.compact(sessionId as string, messages as never, options as object)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "InvalidInput", message: expect.stringMatching(expected) });
  });

  it("refuses things that are no summarizer or archive", () => {
    for (const config of [{ summarizer: {} }, { archive: {} }, { trace: [{}] }, { tokenCounter: {} }]) {
      expect(() => new CompactManager(config as object), JSON.stringify(config)).toThrow(/must be/);
    }
  });

  it("compacts whatever half characters stand in the session's id and the note", async () => {
    const { messages } = await bench().manager.compact("s\ud800", turns(10), { note: "keep \udc00 this" });
    expect(JSON.stringify(messages)).not.toMatch(/\\ud[89a-f]/);
    expect(summaryOf(messages)).toContain("<COMPACT-SUMMARY v1>");
  });

  it("stops before anything is written when its caller aborts", async () => {
    const controller = new AbortController();
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        controller.abort();
        return { text: "late", source: "model" };
      },
    };
    const { manager, archive, of } = bench({ summarizer });
    await expect(manager.compact("s", turns(12), { signal: controller.signal })).rejects.toThrow(/abort/i);
    expect(of("compact.pruned_messages")).toEqual([]);
    expect(await archive.readState("s")).toBeUndefined();
  });

  it("gives commands that a shell runs as they are, whatever the id says", async () => {
    const { manager } = bench();
    const output = await manager.manualCompact("it's $(touch x)", turns(12), { note: "api_key=sk-abc123456" });
    expect(summaryOf(output)).toContain("--session-id 'it'\\''s $(touch x)'");
    expect(summaryOf(output)).toContain("api_key=<REDACTED>");
  });
});
