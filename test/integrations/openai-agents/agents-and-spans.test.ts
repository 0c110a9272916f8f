// Several agents through one filter: each conversation is a session of its own, and the spans stand in the run's trace.
import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  BatchTraceProcessor,
  getGlobalTraceProvider,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
} from "@openai/agents";
import { afterEach, describe, expect, it } from "vitest";
import { CompactManager, createMemoryArchive, createOpenAIAgentsSink } from "../../../src/index.ts";
import { compactInputFilter } from "../../../src/integrations/openai-agents.ts";
import { WINDOW, watchedManager } from "../long-task.ts";
import { read } from "./agents.ts";
import { calls, says, scripted } from "./scripted.ts";

afterEach(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

const STEPS = 36;
/** Reads files of its own folder, some 12,000 tokens, then says that it is done. */
const reads = (folder: string, last: (step: number) => readonly AgentOutputItem[] = () => [says("done")]) =>
  scripted((step) =>
    step > STEPS ? last(step - STEPS) : [calls("read_file", `${folder}_${step}`, { path: `src/${folder}/${step}.ts` })],
  );
const runner = () => new Runner({ tracingDisabled: true });
const isSummary = (item: AgentInputItem) => JSON.stringify(item).includes("<COMPACT-SUMMARY v");
const mentions = (inputs: readonly unknown[], text: string) =>
  inputs.filter((one) => JSON.stringify(one).includes(text));
const maxTurns = 3 * STEPS;

describe("agents", () => {
  it("run side by side through one filter", async () => {
    const { manager, rounds, sessions, errors } = watchedManager({ maxContextTokens: 8_000 });
    const callModelInputFilter = compactInputFilter(manager);
    const folders = ["alpha", "beta", "gamma"];
    const scripts = folders.map((folder) => reads(folder));
    await Promise.all(
      scripts.map(({ model }, at) =>
        runner().run(new Agent({ name: "reader", model, tools: [read] }), `Read src/${folders[at]}.`, {
          callModelInputFilter,
          maxTurns,
        }),
      ),
    );
    expect([sessions().length, errors()]).toEqual([3, []]);
    expect(rounds()).toBeGreaterThanOrEqual(3);
    for (const [at, { inputs }] of scripts.entries()) {
      expect(inputs.some((input) => input.some(isSummary))).toBe(true);
      const others = folders.filter((_, other) => other !== at);
      expect(others.map((other) => mentions(inputs, `src/${other}`).length)).toEqual([0, 0]);
    }
  });

  it("keep the conversation of an agent that is a tool apart from the one that calls it", async () => {
    const { manager, sessions, errors } = watchedManager({ maxContextTokens: 8_000 });
    const callModelInputFilter = compactInputFilter(manager);
    const child = reads("child");
    const parent = reads("parent", (step) =>
      step === 1 ? [calls("ask_child", "ask_1", { input: "Read the other folder." })] : [says("done")],
    );
    const helper = new Agent({ name: "child", model: child.model, tools: [read] });
    const asTool = helper.asTool({
      toolName: "ask_child",
      toolDescription: "Reads the other folder.",
      runOptions: { callModelInputFilter, maxTurns },
    });
    const agent = new Agent({ name: "parent", model: parent.model, tools: [read, asTool] });
    const { finalOutput } = await runner().run(agent, "Read src/parent.", { callModelInputFilter, maxTurns });
    expect([finalOutput, sessions().length, errors()]).toEqual(["done", 2, []]);
    expect([parent, child].every(({ inputs }) => inputs.some((input) => input.some(isSummary)))).toBe(true);
    expect([mentions(parent.inputs, "src/child").length, mentions(child.inputs, "src/parent").length]).toEqual([0, 0]);
  });

  it("go on with one conversation over a handoff", async () => {
    const { manager, sessions, errors } = watchedManager({ maxContextTokens: 8_000 });
    const second = reads("second");
    const first = reads("first", () => [calls("transfer_to_second", "hand_1", {})]);
    const other = new Agent({ name: "second", model: second.model, tools: [read] });
    const agent = new Agent({ name: "first", model: first.model, tools: [read], handoffs: [other] });
    const callModelInputFilter = compactInputFilter(manager);
    const { lastAgent } = await runner().run(agent, "Read all.", { callModelInputFilter, maxTurns });
    expect([lastAgent?.name, sessions().length, errors()]).toEqual(["second", 1, []]);
    expect(second.inputs.every((input) => input.filter(isSummary).length === 1)).toBe(true);
  });
});

it("the spans of a compaction stand in the run's own trace, below its agent", async () => {
  interface Exported {
    readonly object: string;
    readonly id: string;
    readonly trace_id?: string;
    readonly parent_id?: string | null;
    readonly span_data?: { readonly type: string; readonly name?: string };
  }
  const exported: Exported[] = [];
  const exporter = {
    export: async (batch: readonly { toJSON(): object | null }[]) => {
      exported.push(...batch.map((item) => item.toJSON() as Exported));
    },
  };
  setTraceProcessors([new BatchTraceProcessor(exporter)]);
  setTracingDisabled(false);
  const sink = createOpenAIAgentsSink();
  await sink.flush();
  const archive = createMemoryArchive();
  const manager = new CompactManager({ maxContextTokens: WINDOW / 2, archive, trace: [sink] });
  const { model } = reads("alpha");
  const agent = new Agent({ name: "reader", model, tools: [read] });
  await new Runner().run(agent, "Read.", { callModelInputFilter: compactInputFilter(manager), maxTurns });
  await manager.flush();
  await getGlobalTraceProvider().forceFlush();
  const spans = exported.filter(({ object }) => object === "trace.span");
  const traces = exported.filter(({ object }) => object === "trace");
  expect(traces).toHaveLength(1);
  expect(new Set(spans.map(({ trace_id }) => trace_id))).toEqual(new Set([traces[0]?.id]));
  const preflights = spans.filter(({ span_data }) => span_data?.name === "compact.preflight");
  expect(preflights).toHaveLength(STEPS + 1);
  const byId = new Map(spans.map((span) => [span.id, span]));
  const typesAbove = (span: Exported): string[] => {
    const parent = byId.get(span.parent_id ?? "");
    return parent === undefined ? [] : [parent.span_data?.type ?? "", ...typesAbove(parent)];
  };
  expect(preflights.every((span) => typesAbove(span).includes("agent"))).toBe(true);
  expect(spans.some(({ span_data }) => span_data?.name === "compact.summary_created")).toBe(true);
});
