// Sixty steps of parallel calls through the SDK's own runner and models, over HTTP: compacted before the calls, stored
// compacted after the run.
import { type AgentInputItem, MemorySession } from "@openai/agents";
import { afterEach, describe, expect, it } from "vitest";
import { compactInputFilter, compactSession } from "../../../src/integrations/openai-agents.ts";
import { reviewer, runnerAt } from "../../../test/integrations/openai-agents/agents.ts";
import { judgeRequests } from "../loop/judge-requests.ts";
import { ANSWER, STEPS, startLongTask, TASK, WINDOW, watchedManager } from "../loop/long-task.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function startTask() {
  const task = await startLongTask();
  closing.push(task.close);
  return task;
}

const CALLS = Array.from({ length: STEPS }, (_, step) => ((step + 1) % 3 === 0 ? 3 : 2)).reduce<number>(
  (a, b) => a + b,
  0,
);
const maxTurns = STEPS + 2;
const isResult = (item: AgentInputItem) => item.type === "function_call_result";
const isSummary = (item: AgentInputItem) => JSON.stringify(item).includes("<COMPACT-SUMMARY v");

describe.each([
  { endpoint: "responses", useResponses: true },
  { endpoint: "chat completions", useResponses: false },
])("over $endpoint", ({ useResponses }) => {
  it.each([false, true])("compacts before the calls that need it, with a model: %s", async (withModel) => {
    const task = await startTask();
    const { manager, rounds, modelCalls, sessions, errors } = watchedManager({ withModel });
    const callModelInputFilter = compactInputFilter(manager);
    const runner = runnerAt({ url: task.url, useResponses });
    const { finalOutput, history } = await runner.run(reviewer(), TASK, { callModelInputFilter, maxTurns });
    const { requests, violations, largest, breaks } = judgeRequests(task.requests);
    expect([finalOutput, requests, violations, errors()]).toEqual([ANSWER, STEPS + 1, [], []]);
    expect(largest).toBeLessThanOrEqual(WINDOW);
    expect(rounds()).toBeGreaterThan(1);
    expect(breaks).toBe(rounds());
    expect(sessions()).toHaveLength(1);
    expect(modelCalls()).toBe(withModel ? rounds() : 0);
    // The run's own history is whole.
    expect([history.filter(isResult).length, history.some(isSummary)]).toEqual([CALLS, false]);
  });

  it("stores all of the run with a session that does not compact", async () => {
    const task = await startTask();
    const { manager, rounds } = watchedManager();
    const session = new MemorySession();
    const runner = runnerAt({ url: task.url, useResponses });
    await runner.run(reviewer(), TASK, { callModelInputFilter: compactInputFilter(manager), maxTurns, session });
    const stored = await session.getItems();
    expect(rounds()).toBeGreaterThan(1);
    expect(stored[0]).toMatchObject({ role: "user", content: TASK });
    expect([stored.filter(isResult).length, stored.some(isSummary)]).toEqual([CALLS, false]);
  });

  it("streams, and stores the compacted history with no summary of its own", async () => {
    const task = await startTask();
    const { manager, rounds, sessions, modelCalls, errors } = watchedManager({ withModel: true });
    const store = new MemorySession({ sessionId: "berths" });
    const session = compactSession(store, manager, { model: "gpt-4o" });
    const callModelInputFilter = compactInputFilter(manager, { sessionId: "berths" });
    const runner = runnerAt({ url: task.url, useResponses });
    const options = { callModelInputFilter, maxTurns, session };
    const streamed = await runner.run(reviewer(), TASK, { ...options, stream: true });
    await streamed.completed;
    const made = rounds();
    const stored = await store.getItems();
    expect(stored.filter(isSummary)).toHaveLength(1);
    expect(stored.filter(isResult).length).toBeLessThan(CALLS / 2);
    expect(stored.at(-1)).toMatchObject({ role: "assistant" });
    expect([sessions(), modelCalls(), errors()]).toEqual([["berths"], made, []]);

    // The next run goes on from what is stored.
    const { finalOutput } = await runner.run(reviewer(), "And the new parser?", options);
    const { violations, largest } = judgeRequests(task.requests);
    expect([finalOutput, violations, rounds()]).toEqual([ANSWER, [], made]);
    expect(largest).toBeLessThanOrEqual(WINDOW);
    expect((await store.getItems()).length).toBe(stored.length + 2);
  });
});
