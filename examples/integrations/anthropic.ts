// Anthropic's tool runner, compacted in two ways: by a wrapped client, and around a runner that exists already. The provider
// is a server of our own. Run it: npx unrun examples/integrations/anthropic.ts
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { compactToolRunner, withCompaction } from "../../src/integrations/anthropic.ts";

const STEPS = 40;
let sent: { readonly messages: readonly unknown[] }[] = [];
const provider = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  sent.push(JSON.parse(body));
  const step = sent.length;
  const isDone = step > STEPS;
  const call = { type: "tool_use", id: `toolu_${step}`, name: "read_log", input: { day: step } };
  response.setHeader("content-type", "application/json").end(
    JSON.stringify({
      id: `msg_${step}`,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5",
      content: isDone ? [{ type: "text", text: "Berth 7 was late on day 3." }] : [call],
      stop_reason: isDone ? "end_turn" : "tool_use",
      usage: { input_tokens: 0, output_tokens: 0 },
    }),
  );
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

/** Some 350 tokens. */
const readLog = {
  name: "read_log",
  description: "The berths' log of one day.",
  input_schema: { type: "object" as const, properties: { day: { type: "number" } }, required: ["day"] },
  parse: (input: unknown) => input as { readonly day: number },
  run: async ({ day }: { readonly day: number }) =>
    Array.from({ length: 24 }, (_, hour) => `day ${day}, hour ${hour}: berth ${(day * hour) % 9} cleared`).join("\n"),
};
const body = {
  model: "claude-sonnet-5",
  max_tokens: 1_024,
  system: "You watch the berths. Never reschedule a ship.",
  messages: [{ role: "user" as const, content: "Which berth was late, and when?" }],
  tools: [readLog],
};
const newManager = () => new CompactManager({ maxContextTokens: 8_000, archive: createMemoryArchive() });

function check(answer: { readonly content: readonly unknown[] }): void {
  assert.deepEqual(answer.content, [{ type: "text", text: "Berth 7 was late on day 3." }]);
  const last = sent.at(-1)?.messages ?? [];
  assert.ok(last.length < STEPS, "80 messages were exchanged, fewer were sent");
  assert.ok(JSON.stringify(last).includes("COMPACT-SUMMARY"));
  assert.equal(sent.length, STEPS + 1);
  sent = [];
}

try {
  const plain = new Anthropic({ baseURL, apiKey: "none" });

  // 1. A client whose requests go out compacted: its runners, streams and single calls.
  const client = withCompaction(plain, newManager());
  check(await client.beta.messages.toolRunner(body));

  // 2. A runner that someone made: its own history is compacted, and stays so.
  const runner = compactToolRunner(plain.beta.messages.toolRunner({ ...body, thread: false }), newManager());
  check(await runner);
  assert.ok(runner.params.messages.length < STEPS);
} finally {
  provider.closeAllConnections();
  provider.close();
}
