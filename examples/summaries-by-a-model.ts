// A session with a model behind its summaries: one that answers and one that is down, a summary prepared ahead, undo.
// Run it: npx unrun examples/summaries-by-a-model.ts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type CompactEvent, CompactManager, createCallbackSink, createMemoryArchive } from "../src/index.ts";

const file = new URL("transcripts/coding-session.json", import.meta.url);
const { messages } = JSON.parse(readFileSync(file, "utf8")) as { readonly messages: readonly unknown[] };

// Stands for your model. It forgets most of what it read, and invents an incident.
let calls = 0;
const answering = async ({ system, prompt }: { readonly system: string; readonly prompt: string }) => {
  calls++;
  assert.match(system, /You write the record/);
  assert.match(prompt, /never touch migrations/);
  return "## Decisions (decision :: rationale :: inputs :: outputs)\n- taxOf keeps its signature, see INC-99117 [1.35]";
};

const archive = createMemoryArchive();
const session = { model: "gpt-4o", maxContextTokens: 32_000, archive };
const manager = new CompactManager({ ...session, summarizer: { model: answering } });

// Ahead of time, while the agent works: the list is still below the trigger.
const head = messages.slice(0, 141);
assert.equal(await manager.preflight("session", head), head);
assert.equal(await manager.prepare("session", head), true);
assert.equal((await manager.status("session")).early, "ready");

// When it is due, it is there.
const compacted = await manager.preflight("session", messages);
assert.equal(calls, 1);
assert.equal(compacted.at(-1), messages.at(-1), "the last message is the same object");
const text = JSON.stringify(compacted);
assert.ok(text.includes("taxOf keeps its signature"), "what the model wrote");
assert.ok(text.includes("never touch migrations/"), "what it forgot, code puts back");
assert.ok(!text.includes("INC-99117"), "what it invented is struck out");

// The user wants it back.
const restored = await manager.undo("session", [...compacted, { role: "user", content: "wait" }]);
assert.deepEqual(restored.slice(0, -1), messages);
assert.equal(restored[0], messages[0], "the same objects");

// A model that refuses the key: nothing is lost, and the event says what was done instead.
const events: CompactEvent[] = [];
const down = new CompactManager({
  ...session,
  policy: { onSummaryFailure: "extractive" },
  summarizer: { model: () => Promise.reject(Object.assign(new Error("Unauthorized"), { status: 401 })) },
  trace: [createCallbackSink((event) => events.push(event))],
});
const { report } = await down.compact("down", messages);
await down.flush();
assert.equal(report.status, "compacted");
assert.equal(report.summary.source, "extractive");
assert.deepEqual(
  events.flatMap((event) => (event.event === "compact.error" ? [event.fallback] : [])),
  ["extractive"],
);
assert.equal((await archive.readTranscript("down", 1)).length, messages.length);
