// Sixty steps of an agent of the OpenAI Agents SDK in a window of 16,000 tokens, its session stored compacted, and a
// second run that goes on from it. A small server stands for the Responses endpoint. Run it: npx unrun examples/integrations/openai-agents.ts
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, MemorySession, OpenAIProvider, Runner, tool } from "@openai/agents";
import { z } from "zod";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { compactInputFilter, compactSession } from "../../src/integrations/openai-agents.ts";

const STEPS = 60;
let step = 0;
const provider = createServer(async (request, response) => {
  for await (const _ of request);
  step += 1;
  // Two calls at once.
  const calls = ["north", "south"].map((end) => ({
    type: "function_call",
    id: `fc_${step}_${end}`,
    call_id: `call_${step}_${end}`,
    name: "inspect",
    arguments: JSON.stringify({ quay: step, end }),
    status: "completed",
  }));
  const text = `Answer ${step - STEPS}: quay 7 still has the old crane.`;
  const content = [{ type: "output_text", text, annotations: [] }];
  const message = { type: "message", id: `msg_${step}`, role: "assistant", status: "completed", content };
  const output = step > STEPS ? [message] : calls;
  const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: `resp_${step}`, object: "response", status: "completed", output, usage }));
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;

const inspect = tool({
  name: "inspect",
  description: "Inspects one end of a quay.",
  parameters: z.object({ quay: z.number(), end: z.string() }),
  execute: ({ quay, end }) =>
    Array.from({ length: 24 }, (_, row) => `quay ${quay} ${end}, bollard ${row}: ${(quay * 37 + row) % 90} kN`).join(
      "\n",
    ),
});
const agent = new Agent({
  name: "harbour",
  instructions: "You inspect quays.",
  model: "gpt-4o",
  tools: [inspect],
});

try {
  const archive = createMemoryArchive();
  const manager = new CompactManager({ maxContextTokens: 16_000, archive });
  const store = new MemorySession({ sessionId: "harbour" });
  const session = compactSession(store, manager, { model: "gpt-4o" });
  const callModelInputFilter = compactInputFilter(manager, { sessionId: "harbour" });
  const modelProvider = new OpenAIProvider({ apiKey: "none", baseURL, useResponses: true });
  const runner = new Runner({ modelProvider, tracingDisabled: true, callModelInputFilter });

  const first = await runner.run(agent, "Inspect every quay. Never move a crane.", { session, maxTurns: STEPS + 2 });
  assert.equal(first.finalOutput, "Answer 1: quay 7 still has the old crane.");
  assert.ok(first.history.length > STEPS * 4, "the run's own history is whole");

  const stored = await store.getItems();
  const summaries = stored.filter((item) => JSON.stringify(item).includes("<COMPACT-SUMMARY v"));
  assert.equal(summaries.length, 1, "what is stored is compacted, with one summary");
  assert.ok(stored.length < first.history.length / 2);
  assert.ok(JSON.stringify(stored).includes("Never move a crane."), "what the user said is still there");

  const second = await runner.run(agent, "Which quay was it?", { session });
  assert.equal(second.finalOutput, "Answer 2: quay 7 still has the old crane.");
  assert.equal((await store.getItems()).length, stored.length + 2, "the next run goes on from there");

  // What left is archived, step by step.
  const steps = await archive.steps("harbour");
  assert.ok(steps.length > 1);
  const transcript = await archive.readTranscript("harbour", 1);
  assert.ok(JSON.stringify(transcript).includes("quay 1 north, bollard 0"));
} finally {
  provider.closeAllConnections();
  provider.close();
}
