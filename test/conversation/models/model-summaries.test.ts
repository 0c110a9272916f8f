// A model behind the manager, from its answer to the list that is left: what it loses code puts back, what it invents is
// struck out, and whatever goes wrong with it ends in a list that is valid, archived and says what left.
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CompactError, type ConversationConfig, type ModelFunction } from "../../../src/index.ts";
import {
  createScriptedModel,
  type ModelCall,
  type ModelStep,
  startScriptedServer,
} from "../../../src/testing/testing.ts";
import { verifies } from "../../requirements/verifies.ts";
import { assistant, bench, pair, summaryOf, textOf, turns, user } from "../support.ts";

const sleepless = { timeoutMs: 500 };
const GOOD = [
  "## Goals and success criteria",
  "- Move the ledger to version 3 [1.1]",
  "## Outstanding actions and blockers",
  "- None are open [1.1]",
].join("\n");
const history = (name = "ledger") => [
  user(`Move the ${name} to version 3. Never touch the audit table.`),
  assistant("I will start with the schema."),
  ...turns(12),
  user("go on"),
];

function scripted(steps: readonly ModelStep[] | ((call: ModelCall) => ModelStep), config: ConversationConfig = {}) {
  const model = createScriptedModel(steps as never);
  return { model, ...bench({ ...config, summarizer: { model, ...sleepless } }) };
}

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
    expect(report.warnings).toContainEqual(expect.objectContaining({ code: "invented_identifiers" }));
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

describe("over real HTTP", () => {
  let mock: LLMock;
  beforeAll(async () => {
    mock = new LLMock({ port: 0, host: "127.0.0.1" } as never);
    await mock.start();
  });
  afterAll(() => mock.stop());

  it.each(["openai-compatible", "anthropic"] as const)("%s: a summary comes back, with its usage", async (type) => {
    mock.reset();
    mock.onMessage(/.*/s, { content: GOOD });
    const baseUrl = type === "anthropic" ? mock.url : `${mock.url}/v1`;
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
