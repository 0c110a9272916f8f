// The task itself: without compaction it outgrows its window, so an integration that does nothing fails its test.
import OpenAI from "openai";
import { afterEach, expect, it } from "vitest";
import { createHostPreflight } from "../../../src/integrations/adapter/host-preflight.ts";
import { nativeTranslation } from "../../../src/integrations/adapter/translation.ts";
import { judgeRequests } from "./judge-requests.ts";
import { ANSWER, readFile, STEPS, SYSTEM, startLongTask, TASK, WINDOW, watchedManager } from "./long-task.ts";

type Messages = OpenAI.ChatCompletionMessageParam[];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function run(shrink: (messages: Messages) => Promise<Messages>) {
  const task = await startLongTask();
  closing.push(task.close);
  const client = new OpenAI({ baseURL: `${task.url}/v1`, apiKey: "none" });
  const messages: Messages = [
    { role: "system", content: SYSTEM },
    { role: "user", content: TASK },
  ];
  for (;;) {
    const sent = await shrink(messages);
    const { choices } = await client.chat.completions.create({ model: "gpt-4o", messages: sent });
    const message = choices[0]?.message;
    if (message === undefined) throw new Error("The mock gave no answer.");
    messages.push(message);
    if (message.tool_calls === undefined) return { task, answer: message.content };
    for (const call of message.tool_calls) {
      if (call.type !== "function") continue;
      messages.push({
        role: "tool",
        tool_call_id: call.id,
        content: readFile(JSON.parse(call.function.arguments).path),
      });
    }
  }
}

it("outgrows its window without compaction", async () => {
  const { task, answer } = await run(async (messages) => messages);
  const { requests, violations, largest, breaks } = judgeRequests(task.requests);
  expect([answer, requests, violations, breaks]).toEqual([ANSWER, STEPS + 1, [], 0]);
  expect(largest).toBeGreaterThan(2 * WINDOW);
});

it.each([false, true])("fits with a preflight before each call, with a model: %s", async (withModel) => {
  const { manager, rounds, modelCalls, sessions, errors } = watchedManager({ withModel });
  const preflight = createHostPreflight(manager, nativeTranslation("openai-chat"));
  const { task, answer } = await run(async (messages) => [...(await preflight(messages as never))] as never);
  const { requests, violations, largest, breaks } = judgeRequests(task.requests);
  expect([answer, requests, violations, errors()]).toEqual([ANSWER, STEPS + 1, [], []]);
  expect(largest).toBeLessThanOrEqual(WINDOW);
  expect(rounds()).toBeGreaterThan(1);
  expect(breaks).toBe(rounds());
  expect(sessions()).toHaveLength(1);
  expect(modelCalls()).toBe(withModel ? rounds() : 0);
});
