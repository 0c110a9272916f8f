// Compaction in an agent of the OpenAI Agents SDK, each step told on the console. A small server stands for the provider
// and asks for files until it has read forty, so nothing leaves this machine. Run it: npx unrun examples/agents-sdk-minimal.ts
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { z } from "zod";
import { CompactManager, createConsoleSink } from "../src/index.ts";
import { compactInputFilter } from "../src/integrations/openai-agents.ts";

const FILES = 40;
const requests: string[] = [];
const provider = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  requests.push(body);
  const number = requests.length;
  const path = `src/quay-${number}.ts`;
  const call = {
    id: `call_${number}`,
    type: "function",
    function: { name: "read_file", arguments: JSON.stringify({ path }) },
  };
  const isDone = number > FILES;
  const message = isDone ? { content: "All quays are read." } : { content: null, tool_calls: [call] };
  const choice = {
    index: 0,
    message: { role: "assistant", ...message },
    finish_reason: isDone ? "stop" : "tool_calls",
  };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: `chat_${number}`, object: "chat.completion", model: "gpt-4", choices: [choice] }));
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;

const readFile = tool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute: ({ path }) =>
    Array.from({ length: 40 }, (_, line) => `// ${path}, line ${line}: berth ${line * 7}`).join("\n"),
});
const agent = new Agent({ name: "harbour", instructions: "You read code.", model: "gpt-4", tools: [readFile] });
const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL, useResponses: false });

// enablement
const trace = [createConsoleSink()];
const manager = new CompactManager({ model: "gpt-4", maxContextTokens: 16_000, archive: false, trace });
const callModelInputFilter = compactInputFilter(manager);
const runner = new Runner({ modelProvider, callModelInputFilter, tracingDisabled: true });
// end of enablement

try {
  const { finalOutput } = await runner.run(agent, "Read every quay. Never edit a file.", { maxTurns: FILES + 2 });
  assert.equal(finalOutput, "All quays are read.");
  assert.equal(requests.length, FILES + 1);
  const longest = Math.max(...requests.map((body) => body.length));
  assert.ok(longest < 16_000 * 4, "no request outgrew the window");
  const last = requests.at(-1) ?? "";
  assert.ok(last.includes("<COMPACT-SUMMARY v"), "what is old is a summary");
  assert.ok(last.includes("Never edit a file."), "what the user said is still there");
  assert.ok(last.includes("src/quay-40.ts"), "and so is the newest file");
} finally {
  provider.close();
}
