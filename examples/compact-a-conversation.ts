// Compacts the example session in a program, and checks what came back.
// Run it: npx unrun examples/compact-a-conversation.ts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CompactManager, createMemoryArchive } from "../src/index.ts";

const file = new URL("transcripts/coding-session.json", import.meta.url);
const { messages } = JSON.parse(readFileSync(file, "utf8")) as { readonly messages: readonly unknown[] };

const archive = createMemoryArchive();
const manager = new CompactManager({ model: "gpt-4o", archive });
const { messages: compacted, report } = await manager.compact("example", messages);

assert.equal(report.status, "compacted");
assert.ok(report.tokens_after < report.tokens_before / 3);
assert.equal(compacted.at(-1), messages.at(-1), "the last message is the same object");
assert.equal((await archive.readTranscript("example", 1)).length, messages.length, "nothing is lost");
