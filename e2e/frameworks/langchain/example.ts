// An agent of LangChain with a checkpointer: its state is compacted between its steps, and stays so when the thread goes on.
// The model is a script. Run it: npm run e2e:install && npm run --prefix e2e example:langchain
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import * as z from "zod";
import { CompactManager, createMemoryArchive } from "../../../src/index.ts";
import { compactMiddleware } from "../../../src/integrations/langchain.ts";

const STEPS = 40;
let asked = 0;
const provider = createServer(async (request, response) => {
  for await (const _ of request);
  asked += 1;
  const call = { name: "read_log", arguments: JSON.stringify({ day: asked }) };
  const calls = [{ id: `call_${asked}`, type: "function", function: call }];
  const message =
    asked > STEPS
      ? { role: "assistant", content: "Berth 7 was late on day 3." }
      : { role: "assistant", content: "", tool_calls: calls };
  response.setHeader("content-type", "application/json").end(
    JSON.stringify({
      id: `chat_${asked}`,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    }),
  );
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;

const readLog = tool(
  ({ day }: { readonly day: number }) =>
    Array.from({ length: 12 }, (_, hour) => `day ${day}, hour ${hour}: berth ${(day * hour) % 9} cleared`).join("\n"),
  { name: "read_log", description: "The berths' log of one day.", schema: z.object({ day: z.number() }) },
);

try {
  const manager = new CompactManager({ maxContextTokens: 8_000, archive: createMemoryArchive() });
  const agent = createAgent({
    model: new ChatOpenAI({ model: "gpt-4o", apiKey: "none", configuration: { baseURL } }),
    systemPrompt: "You watch the berths. Never reschedule a ship.",
    tools: [readLog],
    checkpointer: new MemorySaver(),
    middleware: [compactMiddleware(manager)],
  });
  const thread = { configurable: { thread_id: "berths" }, recursionLimit: 500 };

  const { messages } = await agent.invoke({ messages: "Which berth was late, and when?" }, thread);
  assert.equal(messages.at(-1)?.content, "Berth 7 was late on day 3.");
  assert.ok(messages.length < STEPS, "82 messages were exchanged, fewer are in the state");
  const summaries = messages.filter(({ content }) => String(content).startsWith("<COMPACT-SUMMARY"));
  assert.equal(summaries.length, 1);

  const later = await agent.invoke({ messages: "Sure?" }, thread);
  assert.equal(later.messages.length, messages.length + 2, "the thread goes on from the compacted state");
  const { messages: kept } = later;
  assert.deepEqual(
    kept.slice(0, messages.length).map(({ id }) => id),
    messages.map(({ id }) => id),
  );
} finally {
  provider.closeAllConnections();
  provider.close();
}
