// What the filter hands to the manager beside the items, and what it gives back to the SDK.
import { Agent, type AgentInputItem, type CallModelInputFilterArgs, MemorySession, Runner } from "@openai/agents";
import { expect, it } from "vitest";
import { type CompactEvent, CompactManager, createCallbackSink, createMemoryArchive } from "../../../src/index.ts";
import { compactInputFilter } from "../../../src/integrations/openai-agents.ts";
import { read, reviewer } from "./agents.ts";
import { calls, says, scripted } from "./scripted.ts";
import { talk } from "./stores.ts";

function watched(config: ConstructorParameters<typeof CompactManager>[0] = {}) {
  const events: CompactEvent[] = [];
  const trace = [createCallbackSink((event) => void events.push(event))];
  return { events, manager: new CompactManager({ archive: createMemoryArchive(), trace, ...config }) };
}

type Caller = CallModelInputFilterArgs["agent"];

const agent = (model = "gpt-4o") => new Agent({ name: "reviewer", model }) as Caller;

async function filtered(manager: CompactManager, input: AgentInputItem[], by = agent()): Promise<AgentInputItem[]> {
  const filter = compactInputFilter(manager);
  return (await filter({ modelData: { input, instructions: "Review." }, agent: by, context: undefined })).input;
}

it("gives back the same objects when nothing is due, and counts instructions and tools", async () => {
  const { events, manager } = watched();
  const input = talk(8);
  const given = [...input];
  const sent = await filtered(manager, input, reviewer() as Caller);
  expect(sent.length === given.length && sent.every((item, at) => item === given[at])).toBe(true);
  const estimate = events.find(({ event }) => event === "compact.token_estimate") as unknown as {
    readonly model: string;
    readonly breakdown: Readonly<Record<string, number>>;
  };
  expect(estimate.model).toBe("gpt-4o");
  expect(estimate.breakdown.system).toBeGreaterThan(0);
  expect(estimate.breakdown.tools_schema).toBeGreaterThan(0);
});

it("takes the window of the agent's model, and guesses none where nobody knows the model", async () => {
  const { manager } = watched({ models: { "gpt-4o": { maxContextTokens: 8_000 } } });
  const items = talk(100);
  expect((await filtered(manager, [...items])).length).toBeLessThan(100);
  const ask = (asked: CompactManager) =>
    compactInputFilter(asked)({
      modelData: { input: [...items], instructions: "Review." },
      agent: agent("acme-1"),
      context: undefined,
    });
  await expect(ask(manager)).rejects.toMatchObject({
    code: "UNKNOWN_MODEL",
    hint: expect.stringContaining("maxContextTokens"),
  });
  expect((await ask(watched({ maxContextTokens: 8_000 }).manager)).input.length).toBeLessThan(100);
});

it("keeps a protected item, the same object with its meta", async () => {
  const { manager } = watched({ maxContextTokens: 8_000 });
  const rule = { type: "message", role: "user", content: "Never edit.", meta: { protected: true } } as AgentInputItem;
  const sent = await filtered(manager, [rule, ...talk(100)]);
  expect(sent.length).toBeLessThan(90);
  expect(sent).toContain(rule);
});

it("takes the provider's id off a call whose reasoning has left, and never the one that pairs it", async () => {
  const { manager } = watched({ maxContextTokens: 8_000, policy: { stripReasoning: true } });
  const step = (at: number): AgentInputItem[] => [
    { type: "reasoning", id: `rs_${at}`, content: [], providerData: { encrypted_content: "S".repeat(80) } },
    { type: "function_call", id: `fc_${at}`, callId: `call_${at}`, name: "read_file", arguments: "{}" },
    { type: "function_call_result", callId: `call_${at}`, name: "read_file", status: "completed", output: "text" },
  ];
  const input = [...talk(90), ...Array.from({ length: 6 }, (_, at) => step(at)).flat(), ...talk(1, 90)];
  const sent = await filtered(manager, input);
  const calls = sent.filter((item) => item.type === "function_call");
  expect(calls.length).toBeGreaterThan(0);
  for (const [at, item] of sent.entries()) {
    if (item.type !== "function_call") continue;
    expect(item.callId).toMatch(/^call_\d$/);
    expect(item.id).toBe(sent[at - 1]?.type === "reasoning" ? `fc_${item.callId.slice(-1)}` : undefined);
  }
});

it("stores a run's own input as it was given, and a summary only where it stands for input that was never sent", async () => {
  const { manager } = watched({ maxContextTokens: 8_000 });
  const { model } = scripted(() => [says("done")]);
  const by = new Agent({ name: "reader", model });
  const callModelInputFilter = compactInputFilter(manager);
  const runner = new Runner({ tracingDisabled: true });

  const history = talk(100);
  const resumed = new MemorySession({ initialItems: history });
  await runner.run(by, "Go on.", { session: resumed, callModelInputFilter });
  const stored = await resumed.getItems();
  expect(stored.slice(0, 100)).toEqual(history);
  expect(stored.slice(100)).toMatchObject([{ role: "user", content: "Go on." }, { role: "assistant" }]);

  const fresh = new MemorySession();
  await runner.run(by, talk(101), { session: fresh, callModelInputFilter });
  const texts = (await fresh.getItems()).map((item) => JSON.stringify(item));
  expect(texts.filter((text) => text.includes("<COMPACT-SUMMARY v1>"))).toHaveLength(1);
  expect(texts.at(-2)).toContain("Item 100 of the talk.");
});

it("stores input that left the list after it was sent as it was given, not as the summary that covers it", async () => {
  const { events, manager } = watched({ maxContextTokens: 8_000 });
  const { model } = scripted((step) =>
    step > 40 ? [says("done")] : [calls("read_file", `call_${step}`, { path: `src/${step}.ts` })],
  );
  const by = new Agent({ name: "reader", model, tools: [read] });
  const session = new MemorySession();
  const input = talk(9);
  const callModelInputFilter = compactInputFilter(manager);
  await new Runner({ tracingDisabled: true }).run(by, [...input], { session, callModelInputFilter, maxTurns: 50 });
  const stored = await session.getItems();
  expect(events.some(({ event }) => event === "compact.summary_created")).toBe(true);
  expect(stored.slice(0, 9)).toEqual(input);
  expect(stored.filter((item) => item.type === "function_call_result")).toHaveLength(40);
  expect(JSON.stringify(stored)).not.toContain("<COMPACT-SUMMARY");
});

it("stores the summary of new input though a history before it left the list too", async () => {
  const { manager } = watched({ maxContextTokens: 8_000 });
  const by = new Agent({ name: "reader", model: scripted(() => [says("done")]).model });
  const history = talk(60);
  const session = new MemorySession({ initialItems: history });
  const callModelInputFilter = compactInputFilter(manager);
  await new Runner({ tracingDisabled: true }).run(by, talk(61, 60), { session, callModelInputFilter });
  const stored = await session.getItems();
  expect(stored.slice(0, 60)).toEqual(history);
  expect(stored.filter((item) => JSON.stringify(item).includes("<COMPACT-SUMMARY v1>"))).toHaveLength(1);
  expect(JSON.stringify(stored.at(-2))).toContain("Item 120 of the talk.");
});
