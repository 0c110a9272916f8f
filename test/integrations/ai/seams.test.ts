// What the seams of `ai` do besides the long task: marks, limits of models, what the provider reports, approvals.
import { generateText, type ModelMessage, stepCountIs, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { CompactManager, createMemoryArchive, markProtected } from "../../../src/index.ts";
import { compactMiddleware, compactPrepareStep } from "../../../src/integrations/ai.ts";
import { readFile } from "../long-task.ts";

const usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const answering = (modelId = "gpt-4o") =>
  new MockLanguageModelV3({
    modelId,
    doGenerate: async () => ({
      content: [{ type: "text", text: "Done." }],
      finishReason: { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    }),
  });
const sentTo = (model: MockLanguageModelV3) => JSON.stringify(model.doGenerateCalls.map(({ prompt }) => prompt));

const managerWith = (config: ConstructorParameters<typeof CompactManager>[0] = {}) =>
  new CompactManager({ archive: createMemoryArchive(), maxContextTokens: 16_000, ...config });

/** Some 20,000 tokens: user messages and results that differ. */
function longTalk(): ModelMessage[] {
  return Array.from({ length: 60 }, (_, at): ModelMessage[] => {
    const call = { toolCallId: `call_${at}`, toolName: "read_file" };
    return [
      { role: "user", content: `Look at module ${at}.` },
      { role: "assistant", content: [{ type: "tool-call", ...call, input: { path: `src/${at}.ts` } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", ...call, output: { type: "text", value: readFile(`src/${at}.ts`) } }],
      },
      { role: "assistant", content: `Module ${at} is fine.` },
    ];
  }).flat();
}

describe("prepareStep", () => {
  it("leaves alone what fits", async () => {
    const prepareStep = compactPrepareStep(managerWith());
    const messages: ModelMessage[] = [{ role: "user", content: "Hello" }];
    expect(await prepareStep({ messages, model: "gpt-4o" })).toBeUndefined();
  });

  it("keeps what is marked, by the object or by a field that is not sent", async () => {
    const model = answering();
    const first: ModelMessage = markProtected({ role: "user", content: "The ticket is KESTREL-17." });
    const second = { role: "user", content: "The port is 8443.", meta: { protected: true } } as ModelMessage;
    const messages = [first, second, ...longTalk(), { role: "user", content: "Now sum up." } as const];
    await generateText({ model, messages, prepareStep: compactPrepareStep(managerWith()) });
    const [call] = model.doGenerateCalls;
    expect(call?.prompt.length).toBeLessThan(messages.length / 2);
    const texts = call?.prompt.slice(0, 2).map(({ content }) => content);
    expect(texts).toEqual(
      [[{ type: "text", text: first.content }], [{ type: "text", text: "The port is 8443." }]].map((parts) =>
        parts.map((part) => expect.objectContaining(part)),
      ),
    );
    expect(sentTo(model)).not.toContain('"meta"');
  });

  it("goes by the limits of a known model, and by the manager's own for one that nobody knows; it guesses none", async () => {
    const manager = managerWith();
    const unlimited = new CompactManager({ archive: createMemoryArchive() });
    const messages = longTalk();
    expect(await compactPrepareStep(manager)({ messages, model: answering("house-model-7") })).toBeDefined();
    const guess = compactPrepareStep(unlimited)({ messages, model: answering("house-model-7") });
    await expect(guess).rejects.toMatchObject({
      code: "UNKNOWN_MODEL",
      hint: expect.stringContaining("maxContextTokens"),
    });
    expect(await compactPrepareStep(unlimited)({ messages, model: "openai/gpt-4o" })).toBeUndefined();
    expect(await compactPrepareStep(unlimited)({ messages, model: "gpt-3.5-turbo" })).toBeDefined();
  });

  it("counts tools and system prompt that it is told", async () => {
    const messages = longTalk().slice(0, 120);
    const manager = () => managerWith({ policy: { triggerPct: 0.95 } });
    expect(await compactPrepareStep(manager())({ messages })).toBeUndefined();
    const system = [{ role: "system", content: readFile("guide.md").repeat(12) }];
    expect(await compactPrepareStep(manager(), { system })({ messages })).toBeDefined();
    const tools = { read: tool({ description: readFile("guide.md").repeat(12), inputSchema: z.object({}) }) };
    expect(await compactPrepareStep(manager(), { tools })({ messages })).toBeDefined();
  });

  it("hears from the provider what it is not told", async () => {
    const messages = longTalk().slice(0, 120);
    const reported = {
      usage: { inputTokens: 15_000, outputTokens: 10, inputTokenDetails: { cacheReadTokens: 9_000 } },
    };
    const manager = () => managerWith({ policy: { triggerPct: 0.95 } });
    expect(await compactPrepareStep(manager())({ messages, steps: [reported] })).toBeDefined();
    // Before version 6 the figure may leave out what was cached.
    const older = { usage: { inputTokens: 15_000, outputTokens: 10, cachedInputTokens: 9_000 } };
    expect(await compactPrepareStep(manager())({ messages, steps: [older] })).toBeUndefined();
  });

  it("keeps an approved call with its request, its answer and its result", async () => {
    const model = answering();
    const call = { toolCallId: "call_rm", toolName: "remove" };
    const messages: ModelMessage[] = [
      ...longTalk(),
      { role: "user", content: "Remove it." },
      {
        role: "assistant",
        content: [
          { type: "tool-call", ...call, input: {} },
          { type: "tool-approval-request", approvalId: "approval_1", toolCallId: call.toolCallId },
        ],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "approval_1", approved: true }] },
    ];
    const tools = { remove: tool({ inputSchema: z.object({}), needsApproval: true, execute: () => "removed" }) };
    const seen: ModelMessage[][] = [];
    const compacting = compactPrepareStep(managerWith(), { tools });
    await generateText({
      model,
      messages,
      tools,
      stopWhen: stepCountIs(2),
      prepareStep: async (step) => {
        const prepared = await compacting(step);
        seen.push(prepared?.messages ?? []);
        return prepared;
      },
    });
    const [sent = []] = seen;
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(messages.length / 2);
    expect(sent.slice(-3, -1)).toEqual(messages.slice(-2));
    expect(JSON.stringify(sent.at(-1))).toContain("removed");
  });
});

describe("middleware", () => {
  it("keeps what is marked for it, and counts the tools of the call", async () => {
    const model = answering();
    const wrapped = wrapLanguageModel({ model, middleware: compactMiddleware(managerWith()) });
    const marked: ModelMessage = {
      role: "user",
      content: "The ticket is KESTREL-17.",
      providerOptions: { "agent-compact": { protected: true } },
    };
    await generateText({ model: wrapped, messages: [marked, ...longTalk(), { role: "user", content: "Sum up." }] });
    const [call] = model.doGenerateCalls;
    expect(call?.prompt[0]?.content).toEqual([expect.objectContaining({ text: marked.content })]);
    expect(call?.prompt.some(({ content }) => JSON.stringify(content).includes("<COMPACT-SUMMARY v1>"))).toBe(true);
  });

  it("hands on the very same call when nothing is due", async () => {
    const params = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello" }] }] };
    const { transformParams } = compactMiddleware(managerWith());
    expect(await transformParams({ params, model: answering() })).toBe(params);
  });

  it("has a session for each conversation that it is asked about", async () => {
    const sessions = new Set<string>();
    const emit = ({ session_id }: { readonly session_id: string }) => void sessions.add(session_id);
    const manager = managerWith({ trace: [{ name: "sessions", emit, flush: async () => undefined }] });
    const wrapped = wrapLanguageModel({ model: answering(), middleware: compactMiddleware(manager) });
    const [one, other] = [longTalk(), longTalk().slice(4)];
    for (let turn = 0; turn < 3; turn += 1) {
      for (const messages of [one, other]) {
        messages.push({ role: "user", content: `Again, ${turn}.` });
        const { response } = await generateText({ model: wrapped, messages });
        messages.push(...response.messages);
      }
    }
    expect(sessions.size).toBe(2);
  });
});
