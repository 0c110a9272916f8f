// A coding assistant at work: each of its model calls goes through `preflight`, and every attempt is a trace in Ariadne, here
// a server of our own. Run it: npx unrun examples/coding-session.ts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CompactManager, createAriadneSink, createMemoryArchive, FORMATS } from "../src/index.ts";

interface Message {
  readonly role: string;
}
interface Span {
  readonly type: string;
  readonly name?: string;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly data?: { readonly tokens_before?: number; readonly tokens_after?: number; readonly output_text?: string };
}

// Stands for the viewer. The real one: createAriadneSink({ url: "http://127.0.0.1:5175" })
const spans: Span[] = [];
const viewer = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => {
    if (request.url === "/ingest") spans.push(...(JSON.parse(body) as { readonly batch: readonly Span[] }).batch);
    response.end("{}");
  });
});
await new Promise<void>((resolve) => viewer.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(viewer.address() as AddressInfo).port}`;

const manager = new CompactManager({
  model: "gpt-4o",
  maxContextTokens: 12_000,
  policy: { strategy: "task_state" },
  archive: createMemoryArchive(),
  trace: [createAriadneSink({ url })],
});

// The assistant's day: what it was asked, what it said, what its tools gave.
const file = new URL("transcripts/coding-session.json", import.meta.url);
const { messages: day, tools } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
};
const chat = FORMATS.find(({ name }) => name === "openai-chat");

let history: readonly unknown[] = [];
let largest = 0;
for (const message of day) {
  if (message.role === "assistant") {
    // Before the model call that this message is the answer to.
    history = await manager.preflight("day-1", history, tools === undefined ? {} : { tools });
    assert.deepEqual(chat?.validate(history), []);
    const { tokens } = await manager.status("day-1");
    largest = Math.max(largest, tokens ?? 0);
  }
  history = [...history, message];
}
await manager.close();
viewer.close();

assert.ok(largest <= 12_000);
const rounds = spans.filter(({ name }) => name === "compact.pruned_messages");
assert.ok(rounds.length > 1);
const summaries = spans.filter(({ name }) => name === "compact.summary_created");
assert.equal(summaries.length, rounds.length);
assert.ok(summaries.every(({ data }) => data?.output_text?.includes("## ")));
console.log(`${day.length} messages, ${rounds.length} compactions, never more than ${largest} of 12,000 tokens.`);
for (const { data } of rounds) console.log(`  ${data?.tokens_before} -> ${data?.tokens_after} tokens`);
