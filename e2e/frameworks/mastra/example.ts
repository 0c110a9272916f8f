// An agent of Mastra whose task outgrows its window. Its memory keeps the whole thread, its model is sent what fits. The
// model is a mock on the loopback. Run it, on Node 22.13 or later: npm run e2e:install && npm run --prefix e2e example:mastra
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import * as z from "zod";
import { CompactManager, createMemoryArchive } from "../../../src/index.ts";
import { compactInput } from "../../../src/integrations/mastra.ts";

const STEPS = 30;
const WINDOW = 8_000;

async function run(): Promise<void> {
  const [{ Agent }, { MockMemory }, { createTool }] = await Promise.all([
    import("@mastra/core/agent"),
    import("@mastra/core/memory"),
    import("@mastra/core/tools"),
  ]);
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
  try {
    const archive = createMemoryArchive();
    const manager = new CompactManager({ maxContextTokens: WINDOW, archive });
    const agent = new Agent({
      id: "checker",
      name: "Checker",
      instructions: "You check log books.",
      model: createOpenAICompatible({ name: "local", baseURL: `${mock.url}/v1` })("gpt-4o"),
      memory: new MockMemory(),
      tools: {
        read_page: createTool({
          id: "read_page",
          description: "Reads a page of the log book.",
          inputSchema: z.object({ number: z.number() }),
          execute: async ({ number }) => `Page ${number}. ${`The gauge of berth ${number} is in order. `.repeat(50)}`,
        }),
      },
      inputProcessors: [compactInput(manager)],
    });
    const memory = { thread: "log-book-7", resource: "harbour" };
    const { text } = await agent.generate("Read all pages. The ticket is KESTREL-17.", { maxSteps: STEPS + 1, memory });
    assert.ok(text.endsWith("All pages are read."));
    assert.equal(lengths.length, STEPS + 1);
    assert.ok(Math.max(...lengths) < WINDOW * 5, "no request outgrew the window");
    assert.ok(JSON.stringify(mock.getRequests().at(-1)?.body).includes("KESTREL-17"), "the task is still there");
    // The thread is the session: what left the prompt is found by its name.
    assert.ok((await archive.steps("log-book-7")).length > 0);
  } finally {
    await mock.stop();
  }
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 13)) await run();
else console.log(`Skipped: Mastra needs Node 22.13, this is ${process.versions.node}.`);
