// An agent of the `ai` package whose task outgrows its window, twice: compacted before each step, then around the model.
// The model is a mock on the loopback. Run it: npx unrun examples/integrations/ai.ts
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { generateText, stepCountIs, ToolLoopAgent, tool, wrapLanguageModel } from "ai";
import * as z from "zod";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { compactMiddleware, compactPrepareStep } from "../../src/integrations/ai.ts";

const STEPS = 30;
const WINDOW = 8_000;
const page = (number: number) =>
  `Page ${number}. ${`The gauge of berth ${number} was read and is in order. `.repeat(40)}`;

/** Asks for a page at each step; says so when it has them all. */
const mock = new LLMock({ port: 0 });
let step = 0;
const lengths: number[] = [];
mock.on({ predicate: () => true }, ({ messages }) => {
  lengths.push(JSON.stringify(messages).length);
  step += 1;
  if (step > STEPS) return { content: "All pages are read." };
  return { toolCalls: [{ id: `call_${step}`, name: "read_page", arguments: JSON.stringify({ number: step }) }] };
});
await mock.start();

const model = createOpenAICompatible({ name: "local", baseURL: `${mock.url}/v1` })("gpt-4o");
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
  const before = lengths.splice(0);
  assert.ok(Math.max(...before) < WINDOW * 5, "no request outgrew the window");
  // The agent's own record is whole: only what was sent is compacted.
  assert.equal(JSON.stringify(first.response.messages).split("Page ").length - 1, STEPS);

  // Around the model: whatever calls it.
  step = 0;
  const wrapped = wrapLanguageModel({ model, middleware: compactMiddleware(createManager()) });
  const second = await generateText({ model: wrapped, system: instructions, tools, stopWhen, prompt });
  assert.equal(second.text, "All pages are read.");
  assert.ok(Math.max(...lengths) < WINDOW * 5);
  assert.ok(JSON.stringify(mock.getRequests().at(-1)?.body).includes("KESTREL-17"), "the task is still there");
} finally {
  await mock.stop();
}
