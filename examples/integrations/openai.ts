// The plain OpenAI client, wrapped: a tool loop that outgrows its window by far keeps its whole history, and what is sent
// fits. The provider is a server of our own. Run it: npx unrun examples/integrations/openai.ts
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { withCompaction } from "../../src/integrations/openai.ts";

const STEPS = 40;
const sent: { readonly messages: readonly unknown[] }[] = [];
const provider = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  sent.push(JSON.parse(body));
  const step = sent.length;
  const call = { name: "read_log", arguments: JSON.stringify({ day: step }) };
  const message =
    step > STEPS
      ? { role: "assistant", content: "Berth 7 was late on day 3." }
      : { role: "assistant", content: null, tool_calls: [{ id: `call_${step}`, type: "function", function: call }] };
  response.setHeader("content-type", "application/json").end(
    JSON.stringify({
      id: `chat_${step}`,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    }),
  );
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
const baseURL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;

/** Some 250 tokens. */
function readLog(day: number): string {
  const rows = Array.from(
    { length: 12 },
    (_, hour) => `day ${day}, hour ${hour}: berth ${(day * hour) % 9} cleared, queue ${day + hour}`,
  );
  return rows.join("\n");
}

try {
  // These two lines are all there is to it.
  const manager = new CompactManager({ maxContextTokens: 8_000, archive: createMemoryArchive() });
  const client = withCompaction(new OpenAI({ baseURL, apiKey: "none" }), manager);

  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "You watch the berths. Never reschedule a ship." },
    { role: "user", content: "Which berth was late, and when?" },
  ];
  let answer: string | null | undefined;
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: "gpt-4o", messages });
    const message = choices[0]?.message;
    assert.ok(message);
    messages.push(message);
    answer = message.content;
    if (message.tool_calls === undefined) break;
    for (const call of message.tool_calls) {
      assert.equal(call.type, "function");
      const { day } = JSON.parse("function" in call ? call.function.arguments : "{}");
      messages.push({ role: "tool", tool_call_id: call.id, content: readLog(day) });
    }
  }

  assert.equal(answer, "Berth 7 was late on day 3.");
  assert.equal(messages.length, 2 + 2 * STEPS + 1, "the caller's list is whole");
  const last = sent.at(-1)?.messages ?? [];
  assert.ok(last.length < messages.length / 2, "what was sent is not");
  assert.deepEqual(last[0], messages[0], "the rules stay");
  assert.ok(JSON.stringify(last).includes("COMPACT-SUMMARY"));
  const breaks = sent.filter(({ messages: list }, at) => {
    const before = sent[at - 1]?.messages ?? [];
    return !before.every((message, index) => JSON.stringify(message) === JSON.stringify(list[index]));
  });
  assert.ok(
    breaks.length <= 3,
    "between compactions each request is the one before and what is new: its prefix is cached",
  );
} finally {
  provider.closeAllConnections();
  provider.close();
}
