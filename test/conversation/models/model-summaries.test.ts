// A model behind the manager, from its answer to the list that is left: what it loses code puts back, what it invents is
// struck out, and no secret reaches it. How it fails is in failing-models.test.ts.
import { describe, expect, it, onTestFinished } from "vitest";
import { createScriptedModel, type ModelCall, type ModelStep, startScriptedServer } from "../../../src/testing.ts";
import { verifies } from "../../requirements/verifies.ts";
import { assistant, bench, pair, summaryOf, textOf, turns, user } from "../support.ts";
import { GOOD, history, scripted } from "./scripted-bench.ts";

describe("planted facts", () => {
  const facts = [
    "INC-40417",
    "eu-central-9",
    "2031-04-17 06:30 UTC",
    "src/pay/ledger_v3.ts:212",
    "s3://acme-cold/raw",
    "maxRetry=17",
    "Priya Raman",
    "9f3c2ab1d",
  ];
  const planted = [
    user("The incident is INC-40417 in eu-central-9; the deadline is 2031-04-17 06:30 UTC."),
    assistant("I found it at src/pay/ledger_v3.ts:212, the raw files are in s3://acme-cold/raw."),
    user("Set maxRetry=17. Ask Priya Raman from finance; the bad commit is 9f3c2ab1d."),
    assistant("Done."),
  ];

  it.each<[string, ModelStep[] | ((call: ModelCall) => ModelStep)]>([
    ["says only that work continued", ["Work continued."]],
    ["keeps one section and forgets the rest", [GOOD]],
    ["drops half of what it sees", (call) => call.prompt.slice(0, call.prompt.length / 2)],
    ["always fails", [{ error: "rejected" }]],
  ])("are all there after five rounds with a model that %s", async (_name, steps) => {
    verifies("field/exact-facts-decay");
    const { manager } = scripted(steps, { policy: { keepRecentTurns: 2 } });
    let list: readonly unknown[] = planted;
    for (let round = 1; round <= 5; round++) {
      list = await manager.manualCompact("s", [...list, ...turns(10, (n) => `round ${round} filler ${n}`), user("on")]);
    }
    for (const fact of facts) expect(textOf(list), fact).toContain(fact);
  });
});

describe("a good answer", () => {
  it("becomes the summary, completed by code, and the report says what it took", async () => {
    const { manager, model, of } = scripted([{ text: GOOD, usage: { inputTokens: 5000, outputTokens: 60 } }]);
    const { messages, report } = await manager.compact("s", history(), { note: "mind the audit table" });
    expect(summaryOf(messages)).toContain("Move the ledger to version 3 [1.1]");
    expect(summaryOf(messages)).toContain("Never touch the audit table.");
    expect(report.summary).toMatchObject({
      source: "model+ledger",
      strategy: "task_state",
      usage: { calls: 1, input_tokens: 5000, output_tokens: 60 },
    });
    expect(of("compact.summary_created")[0]?.usage).toEqual(report.summary.usage);
    const [call] = model.calls;
    expect(call).toMatchObject({ temperature: 0, seed: 42 });
    expect(call?.prompt).toContain("mind the audit table");
    expect(of("compact.error")).toEqual([]);
  });

  it("that names what the conversation does not is struck, and the report warns", async () => {
    verifies("rulings/no-model-needed");
    const answer = GOOD.replace("version 3", "version 3, see INC-99117 and src/made/up.ts");
    const { manager } = scripted([answer]);
    const { messages, report } = await manager.compact("s", history());
    expect(textOf(messages)).not.toMatch(/INC-99117|made\/up/);
    const message = report.warnings.find(({ code }) => code === "invented_identifiers")?.message;
    expect(message).toContain('"INC-99117" (named nowhere in the conversation)');
    expect(message).toContain('"src/made/up.ts"');
  });

  it("for the same messages is asked for once", async () => {
    const { manager, model } = scripted([GOOD]);
    await manager.manualCompact("a", history());
    await manager.manualCompact("b", history());
    expect(model.calls).toHaveLength(1);
  });
});

describe("secrets", () => {
  const secret = "sk-live-51Hq8ZyT3mB7vN2cX9wL4kP6";
  const withSecret = () => [user(`api_key=${secret} is the key`), ...history()];

  it("never reach the model, the summary, the events or the archive; the live messages keep theirs", async () => {
    verifies("field/secrets-reach-the-summarizer");
    const { manager, model, events, archive } = scripted([`${GOOD}\n- The key is known [1.1]`]);
    const list = [...withSecret(), user(`again: api_key=${secret}`)];
    const { messages } = await manager.compact("s", list);
    expect(model.calls).toHaveLength(1);
    expect(textOf([...model.calls])).not.toContain(secret);
    expect(textOf(events)).not.toContain(secret);
    expect(summaryOf(messages)).not.toContain(secret);
    expect(
      textOf([await archive.readTranscript("s", 1), await archive.readSummary("s", 1), await archive.readState("s")]),
    ).not.toContain(secret);
    expect(messages.at(-1)).toBe(list.at(-1));
  });

  it("reach it where that was asked for, and still nothing else", async () => {
    const model = createScriptedModel([GOOD]);
    const { manager, archive, events } = bench({ summarizer: { model, redactInput: false } });
    await manager.manualCompact("s", withSecret());
    expect(model.calls[0]?.prompt).toContain(secret);
    expect(textOf([...events, await archive.readTranscript("s", 1), await archive.readState("s")])).not.toContain(
      secret,
    );
  });
});

describe("over real HTTP", () => {
  it.each(["openai-compatible", "anthropic"] as const)("%s: a summary comes back, with its usage", async (type) => {
    const server = await startScriptedServer([GOOD]);
    onTestFinished(() => server.close());
    const baseUrl = type === "anthropic" ? server.url : server.openaiUrl;
    const { manager } = bench({
      summarizer: { type, model: type === "anthropic" ? "claude-haiku-4" : "gpt-4o-mini", baseUrl },
    });
    const { report, messages } = await manager.compact("s", history());
    expect(report.summary).toMatchObject({ source: "model+ledger", usage: { calls: 1 } });
    expect(summaryOf(messages)).toContain("Move the ledger to version 3 [1.1]");
  });

  it("a server that is down for a moment is asked again", async () => {
    const server = await startScriptedServer([{ status: 503, retryAfterMs: 1 } as never, { text: GOOD } as never]);
    try {
      const { manager, of } = bench({
        summarizer: { type: "openai-compatible", model: "local", baseUrl: `${server.url}/v1` },
      });
      const { report } = await manager.compact("s", history());
      expect(report.status).toBe("compacted");
      expect(of("compact.error").map(({ fallback }) => fallback)).toEqual(["retry"]);
    } finally {
      await server.close();
    }
  });
});

describe("a remainder larger than the model's window", () => {
  it("is summarized in bounded passes that see every message that left", async () => {
    verifies("field/summary-request-does-not-fit");
    const model = createScriptedModel([GOOD], { maxContextTokens: 60_000, maxOutputTokens: 8000 });
    const { manager, of } = bench({ summarizer: { model }, maxContextTokens: 500_000 });
    const filler = (n: number) => Array.from({ length: 300 }, (_, word) => `w${(word * n) % 9973}`).join(" ");
    const list = [
      user("Move the ledger."),
      ...Array.from({ length: 250 }, (_, n) => [
        user(`MARK-${n}`),
        assistant(filler(n)),
        ...pair([`c${n}`], filler(n + 1)),
      ]).flat(),
      user("go on"),
    ];
    const { report } = await manager.compact("s", list);
    expect(report.tokens_before).toBeGreaterThan(300_000);
    expect(report.status).toBe("compacted");
    const prompts = model.calls.map(({ prompt }) => prompt).join("\n");
    const removed = of("compact.pruned_messages")[0]?.pruned ?? [];
    expect(removed.length).toBeGreaterThan(900);
    for (const number of removed) expect(prompts).toMatch(new RegExp(`\\b1\\.${number}\\b`));
    expect(model.calls.length).toBeLessThanOrEqual(14);
    for (const { maxTokens } of model.calls) expect(maxTokens).toBeLessThanOrEqual(8000);
  }, 60_000);
});
