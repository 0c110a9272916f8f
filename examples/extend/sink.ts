// A sink of your own: counters for whatever scrapes them. Run it: npx unrun examples/extend/sink.ts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CompactManager, type TraceSink } from "../../src/index.ts";

// docs:start
/** Events come redacted and are never waited for: `emit` counts and returns. */
function createCounters(): TraceSink & { readonly text: () => string } {
  const counters = new Map<string, number>();
  const add = (name: string, value: number) => counters.set(name, (counters.get(name) ?? 0) + value);
  return {
    name: "counters",
    emit(event) {
      if (event.event === "compact.error") add(`compact_errors_total{type="${event.error_type}"}`, 1);
      if (event.event !== "compact.pruned_messages") return;
      add("compact_rounds_total", 1);
      add("compact_tokens_saved_total", event.tokens_before - event.tokens_after);
    },
    flush: async () => {},
    text: () => Array.from(counters, ([name, value]) => `${name} ${value}\n`).join(""),
  };
}

const counters = createCounters();
const manager = new CompactManager({ archive: false, trace: [counters] });
// docs:end

const { messages } = JSON.parse(readFileSync(new URL("../transcripts/coding-session.json", import.meta.url), "utf8"));
await manager.compact("terns", messages);
assert.match(counters.text(), /^compact_rounds_total 1\ncompact_tokens_saved_total \d+\n$/);
console.log(counters.text());
