// Whose session a run is: threads, runs without one, agents inside agents; and what a failure leaves behind.
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { CompactError, CompactManager, createMemoryArchive } from "../../../src/index.ts";
import { compactMiddleware } from "../../../src/integrations/langchain.ts";
import { verifies } from "../../../test/requirements/verifies.ts";
import { type LongTask, readFile, startLongTask, watchedManager } from "../loop/long-task.ts";

let task: LongTask;
beforeEach(async () => {
  task = await startLongTask();
});
afterEach(() => task.close());

const model = () =>
  new ChatOpenAI({ model: "gpt-4o", apiKey: "none", maxRetries: 0, configuration: { baseURL: `${task.url}/v1` } });
const schema = z.object({ path: z.string() });
/** Some 350 tokens a turn. */
const long = (name: string, turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    new HumanMessage({ content: `Part ${at}?`, id: `${name}-asked-${at}` }),
    new AIMessage({ content: readFile(`${name}/${at}.ts`), id: `${name}-said-${at}` }),
  ]).flat();

it("an agent inside another has a session of its own, whatever thread it is given", async () => {
  verifies("field/sessions-share-state");
  const { manager, sessions } = watchedManager();
  const middleware = [compactMiddleware(manager)];
  let asked = 0;
  const inner = createAgent({
    model: model(),
    middleware,
    tools: [tool(async () => "x", { name: "read_file", description: "Reads.", schema })],
  });
  const outer = createAgent({
    model: model(),
    middleware,
    checkpointer: new MemorySaver(),
    tools: [
      tool(
        async () => {
          asked += 1;
          if (asked === 1) await inner.invoke({ messages: "Look." }, { recursionLimit: 8 }).catch(() => undefined);
          return "x";
        },
        { name: "read_file", description: "Reads.", schema },
      ),
    ],
  });
  const options = { configurable: { thread_id: "outer" }, recursionLimit: 14 };
  await outer.invoke({ messages: "Go." }, options).catch(() => undefined);
  expect(sessions()).toHaveLength(2);
  expect(sessions()[0]).toBe("outer");
});

it("runs beside each other without a thread are apart, even with the same first message", async () => {
  const { manager, sessions } = watchedManager();
  const agent = createAgent({ model: model(), middleware: [compactMiddleware(manager)], tools: [] });
  await Promise.all([1, 2, 3].map(() => agent.invoke({ messages: "Hi." }).catch(() => undefined)));
  expect(sessions()).toHaveLength(3);
});

it("a session that was named is the only one", async () => {
  const { manager, sessions } = watchedManager();
  const agent = createAgent({
    model: model(),
    middleware: [compactMiddleware(manager, { sessionId: "s" })],
    tools: [],
  });
  await agent.invoke({ messages: "Hi." }, { configurable: { thread_id: "t" } }).catch(() => undefined);
  expect(sessions()).toEqual(["s"]);
});

it("a failure rejects the call before the model is asked, and leaves the state as it was", async () => {
  const archive = createMemoryArchive();
  const failing = Object.assign(archive, {
    saveTranscript: () => Promise.reject(new CompactError("ArchiveFailed", "it is full")),
  });
  const manager = new CompactManager({ maxContextTokens: 6_000, archive: failing });
  const agent = createAgent({
    model: model(),
    middleware: [compactMiddleware(manager)],
    checkpointer: new MemorySaver(),
    tools: [],
  });
  const options = { configurable: { thread_id: "full" } };
  const failure = await agent.invoke({ messages: long("full", 24) }, options).catch((error) => error);
  expect([failure, failure.cause].map((error) => error?.kind)).toContain("ArchiveFailed");
  expect(task.requests).toEqual([]);
  const { values } = await agent.graph.getState(options);
  expect(values.messages.map(({ id }: HumanMessage) => id)).toEqual(long("full", 24).map(({ id }) => id));
});

it("a list that is too long only with prompt and tools is compacted for the first request already", async () => {
  const { manager, rounds } = watchedManager();
  const rules = Array.from({ length: 22 }, (_, at) => readFile(`rule-${at}.ts`)).join("\n");
  const agent = createAgent({
    model: model(),
    systemPrompt: rules,
    middleware: [compactMiddleware(manager)],
    tools: [],
  });
  // A third of the window, beside a prompt that takes half of it.
  await agent.invoke({ messages: [...long("first", 16), new HumanMessage("Go.")] }).catch(() => undefined);
  expect(rounds()).toBe(1);
  expect(JSON.stringify(task.requests[0]?.body.messages)).toContain("<COMPACT-SUMMARY");
});
