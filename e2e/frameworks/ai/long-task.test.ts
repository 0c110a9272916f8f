// The long task through `ai` itself, over HTTP: each of its seams keeps every request in the window, and valid.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type LanguageModel, stepCountIs, streamText, ToolLoopAgent, tool, wrapLanguageModel } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { compactMiddleware, compactPrepareStep } from "../../../src/integrations/ai.ts";
import { judgeRequests } from "../loop/judge-requests.ts";
import {
  ANSWER,
  readFile,
  STEPS,
  SYSTEM,
  startLongTask,
  TASK,
  type WatchedManager,
  WINDOW,
  watchedManager,
} from "../loop/long-task.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const tools = {
  read_file: tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => readFile(path),
  }),
};
const stopWhen = stepCountIs(STEPS + 10);

interface Run {
  readonly model: LanguageModel & object;
  readonly manager: WatchedManager["manager"];
}

const seams: Readonly<Record<string, (run: Run) => PromiseLike<string>>> = {
  "prepareStep of generateText": async ({ model, manager }) => {
    const prepareStep = compactPrepareStep(manager, { system: SYSTEM, tools });
    return (await generateText({ model, tools, stopWhen, system: SYSTEM, prompt: TASK, prepareStep })).text;
  },
  "prepareStep of streamText": ({ model, manager }) => {
    const prepareStep = compactPrepareStep(manager, { system: SYSTEM, tools });
    return streamText({ model, tools, stopWhen, system: SYSTEM, prompt: TASK, prepareStep }).text;
  },
  "prepareStep of an agent": async ({ model, manager }) => {
    const prepareStep = compactPrepareStep(manager, { system: SYSTEM, tools });
    const agent = new ToolLoopAgent({ model, tools, stopWhen, instructions: SYSTEM, prepareStep });
    return (await agent.generate({ prompt: TASK })).text;
  },
  "middleware, generating": async ({ model, manager }) => {
    const wrapped = wrap(model, manager);
    return (await generateText({ model: wrapped, tools, stopWhen, system: SYSTEM, prompt: TASK })).text;
  },
  "middleware, streaming": ({ model, manager }) =>
    streamText({ model: wrap(model, manager), tools, stopWhen, system: SYSTEM, prompt: TASK }).text,
};

function wrap(model: Run["model"], manager: Run["manager"]) {
  if (model.specificationVersion !== "v3") throw new Error("Another version of the interface.");
  return wrapLanguageModel({ model, middleware: compactMiddleware(manager) });
}

async function run(seam: (run: Run) => PromiseLike<string>, watched: WatchedManager) {
  const task = await startLongTask();
  closing.push(task.close);
  const model = createOpenAICompatible({ name: "local", baseURL: `${task.url}/v1` })("gpt-4o");
  return { task, answer: await seam({ model, manager: watched.manager }) };
}

describe.each(Object.entries(seams))("%s", (_, seam) => {
  it.each([false, true])("survives the long task, with a model for summaries: %s", async (withModel) => {
    const watched = watchedManager({ withModel });
    const { task, answer } = await run(seam, watched);
    const { requests, violations, largest, breaks } = judgeRequests(task.requests);
    expect([answer, requests, violations, watched.errors()]).toEqual([ANSWER, STEPS + 1, [], []]);
    expect(largest).toBeLessThanOrEqual(WINDOW);
    expect(watched.rounds()).toBeGreaterThan(1);
    expect(breaks).toBe(watched.rounds());
    expect(watched.sessions()).toHaveLength(1);
    expect(watched.modelCalls()).toBe(withModel ? watched.rounds() : 0);
  });
});
