// The long task through a real agent of LangChain, with and without a checkpointer, and across two questions of a thread.
import type { BaseMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { compactMiddleware } from "../../../src/integrations/langchain.ts";
import { judgeRequests } from "../loop/judge-requests.ts";
import { ANSWER, readFile, STEPS, SYSTEM, startLongTask, TASK, WINDOW, watchedManager } from "../loop/long-task.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(withModel: boolean, isStored: boolean) {
  const task = await startLongTask();
  closing.push(task.close);
  const watched = watchedManager({ withModel });
  const ran: string[] = [];
  const read = async ({ path }: { path: string }) => {
    ran.push(path);
    return readFile(path);
  };
  const agent = createAgent({
    model: new ChatOpenAI({ model: "gpt-4o", apiKey: "none", configuration: { baseURL: `${task.url}/v1` } }),
    systemPrompt: SYSTEM,
    tools: [tool(read, { name: "read_file", description: "Reads one file.", schema: z.object({ path: z.string() }) })],
    middleware: [compactMiddleware(watched.manager)],
    ...(isStored ? { checkpointer: new MemorySaver() } : {}),
  });
  return { task, watched, agent, ran };
}

const OPTIONS = { recursionLimit: 1_000, configurable: { thread_id: "thread-7" } };

function isSummary({ content }: BaseMessage): boolean {
  return typeof content === "string" && content.startsWith("<COMPACT-SUMMARY");
}

describe.each([
  [false, false],
  [false, true],
  [true, false],
  [true, true],
])("with a model that writes summaries: %s, with a checkpointer: %s", (withModel, isStored) => {
  it("fits, and its state stays compacted", async () => {
    const { task, watched, agent, ran } = await start(withModel, isStored);
    const options = isStored ? OPTIONS : { recursionLimit: OPTIONS.recursionLimit };
    const result = await agent.invoke({ messages: [{ role: "user", content: TASK }] }, options);
    expect(result.messages.at(-1)?.content).toBe(ANSWER);
    expect(result.messages.length).toBeLessThan(STEPS);
    expect(result.messages.filter(isSummary)).toHaveLength(1);
    expect(new Set(result.messages.map(({ id }) => id)).size).toBe(result.messages.length);
    expect(Object.keys(result)).toEqual(["messages"]);
    const { requests, violations, largest, breaks } = judgeRequests(task.requests);
    expect([requests, violations, watched.errors()]).toEqual([STEPS + 1, [], []]);
    expect(largest).toBeLessThanOrEqual(WINDOW);
    expect(watched.rounds()).toBeGreaterThan(1);
    expect(breaks).toBe(watched.rounds());
    expect(watched.sessions()).toHaveLength(1);
    if (isStored) expect(watched.sessions()).toEqual(["thread-7"]);
    expect(watched.modelCalls()).toBe(withModel ? watched.rounds() : 0);
    expect(new Set(ran).size).toBe(ran.length);
  });

  it("goes on with the next question, in the same session", async () => {
    const { task, watched, agent } = await start(withModel, isStored);
    const options = isStored ? OPTIONS : { recursionLimit: OPTIONS.recursionLimit };
    const first = await agent.invoke({ messages: [{ role: "user", content: TASK }] }, options);
    const rounds = watched.rounds();
    const asked = { role: "user" as const, content: "And which of them are tests?" };
    const second = await agent.invoke({ messages: isStored ? [asked] : [...first.messages, asked] }, options);
    expect(second.messages.length).toBe(first.messages.length + 2);
    expect(watched.rounds()).toBe(rounds);
    const { requests, violations, breaks } = judgeRequests(task.requests);
    expect([requests, violations, breaks]).toEqual([STEPS + 2, [], rounds]);
    expect(watched.sessions()).toHaveLength(1);
    // Our own summary is known again: the next one replaces it.
    const [session = ""] = watched.sessions();
    const status = await watched.manager.status(session);
    expect(second.messages.filter(isSummary)[0]?.content).toContain(`<COMPACT-SUMMARY v${rounds}>`);
    expect(status).toBeDefined();
  });
});
