// The GenAI conventions of OpenTelemetry, held against real runs at a strict collector: what is a call of a model says
// whose, which and how it went; what is none does not.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CompactManager, createMemoryArchive, createOtlpSink } from "../../../src/index.ts";
import { createAnthropicModel } from "../../../src/models/anthropic-model.ts";
import { createOpenaiCompatibleModel } from "../../../src/models/openai-compatible-model.ts";
import { createScriptedModel } from "../../../src/testing.ts";
import { verifies } from "../../requirements/verifies.ts";
import { valuesOf } from "./check-traces.ts";
import { type Collector, startCollector } from "./collector.ts";

const CLIENT = 3;
const ANSWER = "## Goals and success criteria\n- Find the ferry [1.1]";

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

const talk = Array.from({ length: 60 }, (_, n) => [
  { role: "user", content: `Question ${n}: ${"where is the ferry ".repeat(20)}?` },
  { role: "assistant", content: `Answer ${n}: ${"it is at the pier ".repeat(20)}.` },
]).flat();

/** The spans of one compaction, with their attributes. */
async function spansOf(options: object, calls = 1) {
  const sink = createOtlpSink({ url: collector.url });
  const manager = new CompactManager({
    model: "gpt-4o",
    maxContextTokens: 10_000,
    archive: createMemoryArchive(),
    trace: [sink],
    ...options,
  });
  for (let call = 0; call < calls; call++) await manager.manualCompact(`s${call}`, talk).catch(() => undefined);
  for (let count = 0; count < 3; count++) await manager.flush();
  return collector.spans.map(({ name, kind, attributes }) => ({ name, kind, ...valuesOf(attributes) }));
}
type Told = Awaited<ReturnType<typeof spansOf>>[number] & Readonly<Record<string, unknown>>;
const chats = (spans: readonly Told[]) => spans.filter((span) => span["gen_ai.operation.name"] === "chat");

describe("a call of a model", () => {
  it("is a client's, with the model's and the provider's name, when it is of use and when it is not", async () => {
    verifies("fault/spans-without-conventions");
    const model = {
      ...createScriptedModel([{ error: "refused" }, ANSWER], { name: "north-7b" }),
      provider: "mistral_ai",
    };
    const spans = await spansOf({ summarizer: { model } });
    expect(chats(spans).map(({ name }) => name)).toEqual(["compact.error", "compact.summary_created"]);
    for (const span of chats(spans))
      expect(span).toMatchObject({
        kind: CLIENT,
        "gen_ai.request.model": "north-7b",
        "gen_ai.provider.name": "mistral_ai",
      });
    for (const span of spans.filter((one) => !chats(spans).includes(one))) expect(span.kind).not.toBe(CLIENT);
  });

  it("names a provider whatever the model is", async () => {
    expect(createAnthropicModel({ model: "m", apiKey: "k" })).toMatchObject({ name: "m", provider: "anthropic" });
    expect(createOpenaiCompatibleModel({ model: "m" })).toMatchObject({ provider: "openai" });
    const [chat] = chats(await spansOf({ summarizer: { model: async () => ANSWER } }));
    expect(chat).toMatchObject({ "gen_ai.request.model": "function", "gen_ai.provider.name": "_OTHER" });
  });

  it("is none where code wrote, where the answer was remembered, and where the model is not asked", async () => {
    expect(chats(await spansOf({}))).toEqual([]);
    const model = createScriptedModel([{ error: "rejected" }], { name: "north-7b" });
    const policy = { onSummaryFailure: "extractive" };
    const fallen = await spansOf({ summarizer: { model }, policy });
    expect(chats(fallen).map(({ name }) => name)).toEqual(["compact.error"]);
    expect(fallen.findLast(({ name }) => name === "compact.summary_created")).not.toHaveProperty([
      "gen_ai.request.model",
    ]);
    await collector.close();
    collector = await startCollector();
    const remembered = createScriptedModel([ANSWER], { name: "north-7b" });
    const twice = await spansOf({ summarizer: { model: remembered }, archive: false }, 2);
    const made = twice.filter(({ name }) => name === "compact.summary_created");
    expect(made.map((span) => (span as Told)["agent_compact.usage.calls"])).toEqual([1, 0]);
    expect(chats(twice)).toHaveLength(1);
  });
});

describe("an error", () => {
  it("of a model says at which step, for which strategy, and which model it was", async () => {
    const model = createScriptedModel([{ error: "refused" }, { error: "rejected" }], { name: "north-7b" });
    const spans = await spansOf({ summarizer: { model }, policy: { strategy: "decision_log" } });
    const errors = spans.filter(({ name }) => name === "compact.error");
    expect(errors).toHaveLength(2);
    for (const error of errors)
      expect(error).toMatchObject({
        "agent_compact.step": 1,
        "agent_compact.strategy": "decision_log",
        "gen_ai.request.model": "north-7b",
      });
  });

  it("of anything else says it, too", async () => {
    const tight = { policy: { rolesNeverPrune: ["user", "assistant"] } };
    const [error] = (await spansOf(tight)).filter(({ name }) => name === "compact.error");
    expect(error).toMatchObject({
      "error.type": "INSUFFICIENT_BUDGET",
      "agent_compact.step": 1,
      "agent_compact.strategy": "task_state",
      "gen_ai.request.model": "gpt-4o",
    });
  });

  it.each<[string, unknown, RegExp]>([
    ["a bug", new TypeError("x is not a function"), /^TypeError at /],
    ["a system's", Object.assign(new Error("open /home/dev/secret-plan"), { code: "ENOSPC" }), /^Error ENOSPC at /],
    ["one below another", new Error("outer", { cause: new RangeError("inner") }), /^Error at \S.* < RangeError at /],
    ["what is no error", { name: "Odd", code: "E_ODD" }, /^Odd E_ODD$/],
  ])("that was thrown by others is recorded, but not what it says: %s", async (_name, thrown, cause) => {
    const archive = { ...createMemoryArchive(), saveTranscript: () => Promise.reject(thrown) };
    const model = async () => {
      throw thrown;
    };
    for (const options of [{ archive }, { summarizer: { model } }]) {
      await collector.close();
      collector = await startCollector();
      const spans = await spansOf(options);
      const error = spans.find(({ name }) => name === "compact.error") as Told;
      expect(error["agent_compact.cause"]).toMatch(cause);
      expect(JSON.stringify(spans)).not.toMatch(/secret-plan|not a function|outer|inner|\/home|file:/);
    }
  });
});
