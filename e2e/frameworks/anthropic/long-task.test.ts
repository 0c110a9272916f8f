// The long task through a real client of Anthropic's package, by each way it has of asking.
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { compactToolRunner, withCompaction } from "../../../src/integrations/anthropic.ts";
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

const SCHEMA = { type: "object" as const, properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS: Anthropic.Tool[] = [{ name: "read_file", description: "Reads one file.", input_schema: SCHEMA }];
const BODY = { model: "claude-sonnet-5", max_tokens: 1024, system: SYSTEM };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(withModel: boolean) {
  const task = await startLongTask();
  closing.push(task.close);
  const watched = watchedManager({ withModel });
  const original = new Anthropic({ baseURL: task.url, apiKey: "none" });
  return { task, watched, original, client: withCompaction(original, watched.manager) };
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

function textOf(content: readonly Anthropic.ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** As most callers do, it marks the end of its list for the cache, so the mark moves from call to call. */
function withMark(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  return messages.map(({ role, content }, at) => {
    const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    if (at < messages.length - 1) return { role, content: blocks } as Anthropic.MessageParam;
    const last = blocks.at(-1) as Anthropic.TextBlockParam;
    const marked = { ...last, cache_control: { type: "ephemeral" as const } };
    return { role, content: [...blocks.slice(0, -1), marked] } as Anthropic.MessageParam;
  });
}

async function converse(ask: (messages: Anthropic.MessageParam[]) => Promise<Anthropic.Message>, isMarked = false) {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: TASK }];
  for (;;) {
    const { content } = await ask(isMarked ? withMark(messages) : messages);
    messages.push({ role: "assistant", content });
    const results: Anthropic.ToolResultBlockParam[] = content.flatMap((block) => {
      if (block.type !== "tool_use") return [];
      const { path } = block.input as { path: string };
      return [{ type: "tool_result", tool_use_id: block.id, content: readFile(path) }];
    });
    if (results.length === 0) return { messages, answer: textOf(content) };
    messages.push({ role: "user", content: results });
  }
}

function runnable(ran: string[] = []) {
  return {
    ...TOOLS[0],
    name: "read_file",
    input_schema: SCHEMA,
    parse: (input: unknown) => input as { path: string },
    run: async ({ path }: { path: string }) => {
      ran.push(path);
      return readFile(path);
    },
  };
}

const CONVERSATION = { ...BODY, messages: [{ role: "user" as const, content: TASK }] };

describe.each([false, true])("with a model that writes summaries: %s", (withModel) => {
  it("messages.create", async () => {
    const { task, watched, client } = await start(withModel);
    const { answer, messages } = await converse((list) =>
      client.messages.create({ ...BODY, tools: TOOLS, messages: list }),
    );
    expect([answer, messages.length]).toEqual([ANSWER, 2 * STEPS + 2]);
    expectCompacted(task, watched, withModel);
  });

  it("messages.create with a mark for the cache that moves", async () => {
    const { task, watched, client } = await start(withModel);
    const system = [{ type: "text" as const, text: SYSTEM, cache_control: { type: "ephemeral" as const } }];
    const ask = (list: Anthropic.MessageParam[]) =>
      client.messages.create({ ...BODY, system, tools: TOOLS, messages: list });
    expect((await converse(ask, true)).answer).toBe(ANSWER);
    expectCompacted(task, watched, withModel);
    for (const { body } of task.requests) {
      const marks = JSON.stringify(body.messages).split('"cache_control"').length - 1;
      expect([marks, JSON.stringify(body.messages.at(-1)).includes('"cache_control"')]).toEqual([1, true]);
      expect(body.system).toEqual(system);
    }
  });

  it("messages.stream, and beta.messages.stream", async () => {
    const { task, watched, client } = await start(withModel);
    let turn = 0;
    const ask = async (list: Anthropic.MessageParam[]) => {
      turn += 1;
      const body = { ...BODY, tools: TOOLS, messages: list };
      if (turn % 2 === 0) return client.messages.stream(body).finalMessage();
      return (await client.beta.messages.stream(body).finalMessage()) as Anthropic.Message;
    };
    expect((await converse(ask)).answer).toBe(ANSWER);
    expectCompacted(task, watched, withModel);
  });

  it.each([false, true])("beta.messages.toolRunner, stream: %s", async (stream) => {
    const { task, watched, client } = await start(withModel);
    const ran: string[] = [];
    const runner = client.beta.messages.toolRunner({ ...CONVERSATION, stream, tools: [runnable(ran)] });
    const { content } = await runner;
    expect(textOf(content as Anthropic.ContentBlock[])).toBe(ANSWER);
    expect(new Set(ran).size).toBe(ran.length);
    expectCompacted(task, watched, withModel);
  });

  it.each([false, true])("compactToolRunner on a runner of a plain client, stream: %s", async (stream) => {
    const { task, watched, original } = await start(withModel);
    const ran: string[] = [];
    const body = { ...CONVERSATION, thread: false as const, stream, tools: [runnable(ran)] };
    const runner = compactToolRunner(original.beta.messages.toolRunner(body), watched.manager);
    let turns = 0;
    for await (const _ of runner) turns += 1;
    const { content } = await runner.done();
    expect([turns, textOf(content as Anthropic.ContentBlock[])]).toEqual([STEPS + 1, ANSWER]);
    expect(new Set(ran).size).toBe(ran.length);
    expect(runner.params.messages.length).toBeLessThan(STEPS);
    expectCompacted(task, watched, withModel);
  });
});
