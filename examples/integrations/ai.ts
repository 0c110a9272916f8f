// An agent of the `ai` package whose task outgrows its window, twice: compacted before each step, then around the model.
// A small server stands for the model. Run it: npx unrun examples/integrations/ai.ts
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, ToolLoopAgent, tool, wrapLanguageModel } from "ai";
import * as z from "zod";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { compactMiddleware, compactPrepareStep } from "../../src/integrations/ai.ts";

const STEPS = 30;
const WINDOW = 8_000;
const page = (number: number) =>
  `Page ${number}. ${`The gauge of berth ${number} was read and is in order. `.repeat(40)}`;

/** Asks for a page at each step; says so when it has them all. */
let step = 0;
const requests: string[] = [];
const provider = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  requests.push(body);
  step += 1;
  const call = { name: "read_page", arguments: JSON.stringify({ number: step }) };
  const calls = { content: null, tool_calls: [{ id: `call_${step}`, type: "function", function: call }] };
  const message = { role: "assistant", ...(step > STEPS ? { content: "All pages are read." } : calls) };
  const choice = { index: 0, message, finish_reason: step > STEPS ? "stop" : "tool_calls" };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: `chat_${step}`, object: "chat.completion", choices: [choice] }));
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;

const model = createOpenAICompatible({ name: "local", baseURL })("gpt-4o");
const tools = {
  read_page: tool({
    description: "Reads a page of the log book.",
    inputSchema: z.object({ number: z.number() }),
    execute: ({ number }) => page(number),
  }),
};
const instructions = "You check log books.";
const prompt = "Read all pages. The ticket is KESTREL-17.";
const stopWhen = stepCountIs(STEPS + 1);
const createManager = () => new CompactManager({ maxContextTokens: WINDOW, archive: createMemoryArchive() });

try {
  // Before each step: generateText, streamText and the agent classes take the same function.
  const prepareStep = compactPrepareStep(createManager(), { system: instructions, tools });
  const agent = new ToolLoopAgent({ model, instructions, tools, stopWhen, prepareStep });
  const first = await agent.generate({ prompt });
  assert.equal(first.text, "All pages are read.");
  assert.equal(first.steps.length, STEPS + 1);
  const before = requests.splice(0).map(({ length }) => length);
  assert.ok(Math.max(...before) < WINDOW * 5, "no request outgrew the window");
  // The agent's own record is whole: only what was sent is compacted.
  assert.equal(JSON.stringify(first.response.messages).split("Page ").length - 1, STEPS);

  // Around the model: whatever calls it.
  step = 0;
  const wrapped = wrapLanguageModel({ model, middleware: compactMiddleware(createManager()) });
  const second = await generateText({ model: wrapped, system: instructions, tools, stopWhen, prompt });
  assert.equal(second.text, "All pages are read.");
  assert.ok(Math.max(...requests.map(({ length }) => length)) < WINDOW * 5);
  assert.ok(requests.at(-1)?.includes("KESTREL-17"), "the task is still there");
} finally {
  provider.closeAllConnections();
  provider.close();
}
