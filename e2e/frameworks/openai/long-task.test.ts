// The long task through a real client of OpenAI's package, by each way it has of asking.
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { withCompaction } from "../../../src/integrations/openai.ts";
import { judgeRequests } from "../loop/judge-requests.ts";
import {
  ANSWER,
  type LongTask,
  readFile,
  STEPS,
  SYSTEM,
  startLongTask,
  TASK,
  WINDOW,
  watchedManager,
} from "../loop/long-task.ts";

type Messages = OpenAI.ChatCompletionMessageParam[];
type Items = OpenAI.Responses.ResponseInputItem[];

const PARAMETERS = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const CHAT_TOOLS: OpenAI.ChatCompletionFunctionTool[] = [
  { type: "function", function: { name: "read_file", description: "Reads one file.", parameters: PARAMETERS } },
];
const RESPONSE_TOOLS: OpenAI.Responses.FunctionTool[] = [
  { type: "function", name: "read_file", description: "Reads one file.", parameters: PARAMETERS, strict: null },
];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(withModel: boolean) {
  const task = await startLongTask();
  closing.push(task.close);
  const watched = watchedManager({ withModel });
  const original = new OpenAI({ baseURL: `${task.url}/v1`, apiKey: "none" });
  return { task, watched, client: withCompaction(original, watched.manager) };
}

function expectCompacted(task: LongTask, watched: ReturnType<typeof watchedManager>, withModel: boolean): void {
  const { requests, violations, largest, breaks } = judgeRequests(task.requests);
  expect([requests, violations, watched.errors()]).toEqual([STEPS + 1, [], []]);
  expect(largest).toBeLessThanOrEqual(WINDOW);
  expect(watched.rounds()).toBeGreaterThan(1);
  expect(breaks).toBe(watched.rounds());
  expect(watched.sessions()).toHaveLength(1);
  expect(watched.modelCalls()).toBe(withModel ? watched.rounds() : 0);
}

async function chat(ask: (messages: Messages) => Promise<OpenAI.ChatCompletionMessage | undefined>) {
  const messages: Messages = [
    { role: "system", content: SYSTEM },
    { role: "user", content: TASK },
  ];
  for (;;) {
    const before = JSON.stringify(messages);
    const message = await ask(messages);
    expect(JSON.stringify(messages)).toBe(before);
    if (message === undefined) throw new Error("The mock gave no answer.");
    messages.push(message);
    if (message.tool_calls === undefined || message.tool_calls.length === 0)
      return { messages, answer: message.content };
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

describe.each([false, true])("with a model that writes summaries: %s", (withModel) => {
  it("chat.completions.create", async () => {
    const { task, watched, client } = await start(withModel);
    const body = { model: "gpt-4o", tools: CHAT_TOOLS };
    const { answer, messages } = await chat(async (list) => {
      const { choices } = await client.chat.completions.create({ ...body, messages: list });
      return choices[0]?.message;
    });
    expect([answer, messages.length > 2 * STEPS]).toEqual([ANSWER, true]);
    expectCompacted(task, watched, withModel);
  });

  it("chat.completions.stream", async () => {
    const { task, watched, client } = await start(withModel);
    const { answer } = await chat(async (list) => {
      const stream = client.chat.completions.stream({ model: "gpt-4o", tools: CHAT_TOOLS, messages: list });
      return (await stream.finalChatCompletion()).choices[0]?.message;
    });
    expect(answer).toBe(ANSWER);
    expectCompacted(task, watched, withModel);
  });

  it("chat.completions.runTools", async () => {
    const { task, watched, client } = await start(withModel);
    const runner = client.chat.completions.runTools(
      {
        model: "gpt-4o",
        messages: [
          { role: "system", content: SYSTEM },
          { role: "user", content: TASK },
        ],
        tools: [
          {
            type: "function",
            function: {
              name: "read_file",
              description: "Reads one file.",
              parameters: PARAMETERS,
              parse: JSON.parse,
              function: ({ path }: { path: string }) => readFile(path),
            },
          },
        ],
      },
      { maxChatCompletions: STEPS + 1 },
    );
    expect(await runner.finalContent()).toBe(ANSWER);
    expectCompacted(task, watched, withModel);
  });

  it.each(["create", "stream"] as const)("responses.%s", async (way) => {
    const { task, watched, client } = await start(withModel);
    const body = { model: "gpt-4o", instructions: SYSTEM, tools: RESPONSE_TOOLS };
    const input: Items = [{ role: "user", content: TASK }];
    for (;;) {
      const { output, output_text: text } =
        way === "create"
          ? await client.responses.create({ ...body, input })
          : await client.responses.stream({ ...body, input }).finalResponse();
      input.push(...(output as Items));
      const calls = output.flatMap((item) => (item.type === "function_call" ? [item] : []));
      if (calls.length === 0) {
        expect(text).toBe(ANSWER);
        break;
      }
      for (const call of calls) {
        const path = JSON.parse(call.arguments).path;
        input.push({ type: "function_call_output", call_id: call.call_id, output: readFile(path) });
      }
    }
    expectCompacted(task, watched, withModel);
  });
});
