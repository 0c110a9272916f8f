// A coding assistant at work: each of its model calls goes through `preflight`, and every attempt is a trace in Ariadne where
// that runs (docs/guides/ariadne.md); where it does not, one line says so. Run it: npx unrun examples/coding-session.ts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  type CompactEvent,
  CompactManager,
  createAriadneSink,
  createCallbackSink,
  createMemoryArchive,
  FORMATS,
} from "../src/index.ts";

interface Message {
  readonly role: string;
}

const events: CompactEvent[] = [];
const manager = new CompactManager({
  model: "gpt-4o",
  maxContextTokens: 12_000,
  policy: { strategy: "task_state" },
  archive: createMemoryArchive(),
  trace: [createAriadneSink({ url: "http://127.0.0.1:5175" }), createCallbackSink((event) => void events.push(event))],
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

assert.ok(largest <= 12_000);
const rounds = events.filter((event) => event.event === "compact.pruned_messages");
assert.ok(rounds.length > 1);
const summaries = events.filter((event) => event.event === "compact.summary_created");
assert.equal(summaries.length, rounds.length);
assert.ok(summaries.every(({ payload }) => payload.includes("## ")));
console.log(`${day.length} messages, ${rounds.length} compactions, never more than ${largest} of 12,000 tokens.`);
for (const { tokens_before, tokens_after } of rounds) console.log(`  ${tokens_before} -> ${tokens_after} tokens`);
