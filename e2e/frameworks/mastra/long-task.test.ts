// The long task through a Mastra agent, over HTTP. Mastra needs Node 22; on older ones this file says so and skips.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { compactInput } from "../../../src/integrations/mastra.ts";
import { judgeRequests } from "../loop/judge-requests.ts";
import { ANSWER, readFile, STEPS, SYSTEM, startLongTask, TASK, WINDOW, watchedManager } from "../loop/long-task.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const hasMastra = major > 22 || (major === 22 && minor >= 13);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function startAgent(manager: ReturnType<typeof watchedManager>["manager"], withMemory = false) {
  const [{ Agent }, { createTool }, { MockMemory }] = await Promise.all([
    import("@mastra/core/agent"),
    import("@mastra/core/tools"),
    import("@mastra/core/memory"),
  ]);
  const task = await startLongTask();
  closing.push(task.close);
  const agent = new Agent({
    id: "reviewer",
    name: "Reviewer",
    instructions: SYSTEM,
    model: createOpenAICompatible({ name: "local", baseURL: `${task.url}/v1` })("gpt-4o"),
    tools: {
      read_file: createTool({
        id: "read_file",
        description: "Reads a file.",
        inputSchema: z.object({ path: z.string() }),
        execute: async ({ path }) => readFile(path),
      }),
    },
    inputProcessors: [compactInput(manager)],
    ...(withMemory ? { memory: new MockMemory() } : {}),
  });
  return { task, agent };
}

const maxSteps = STEPS + 10;

describe.skipIf(!hasMastra)("an agent of Mastra (needs Node 22.13)", () => {
  it.each([
    ["generate", false],
    ["generate", true],
    ["stream", false],
    ["stream", true],
  ] as const)("survives the long task by %s, with a model for summaries: %s", async (way, withModel) => {
    const watched = watchedManager({ withModel });
    const { task, agent } = await startAgent(watched.manager);
    const answer =
      way === "generate"
        ? (await agent.generate(TASK, { maxSteps })).text
        : await (await agent.stream(TASK, { maxSteps })).text;
    const { requests, violations, largest, breaks } = judgeRequests(task.requests);
    expect([answer.endsWith(ANSWER), requests, violations, watched.errors()]).toEqual([true, STEPS + 1, [], []]);
    expect(largest).toBeLessThanOrEqual(WINDOW);
    expect(watched.rounds()).toBeGreaterThan(1);
    expect(breaks).toBe(watched.rounds());
    expect(watched.sessions()).toHaveLength(1);
    expect(watched.modelCalls()).toBe(withModel ? watched.rounds() : 0);
  });

  it("takes the memory's thread for the session", async () => {
    const watched = watchedManager();
    const { task, agent } = await startAgent(watched.manager, true);
    await agent.generate(TASK, { maxSteps, memory: { thread: "review-7", resource: "reviewers" } });
    expect(watched.sessions()).toEqual(["review-7"]);
    expect(judgeRequests(task.requests).violations).toEqual([]);
  });
});
