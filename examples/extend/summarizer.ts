// A summarizer of your own. It words; what must not be lost is carried by code. Run it: npx unrun examples/extend/summarizer.ts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CompactManager, type Summarizer } from "../../src/index.ts";

// docs:start
/** One line for each thing that was said, newest kept when the cap is reached; each cites the message it came from. */
const firstLines: Summarizer = {
  kind: "extractive",
  async summarize({ passages, ledger, maxTokens, count }) {
    const rules = ledger.rules.map(({ text }) => `- rule: ${text}`);
    const said = passages
      .filter(({ source }) => source === "user" || source === "assistant")
      .map(({ id, source, text }) => `- ${source}: ${text.split("\n", 1)[0]?.slice(0, 160)} [${id}]`);
    const lines = [...rules];
    let room = maxTokens - count(lines.join("\n"));
    for (const line of said.reverse()) {
      room -= count(line) + 1;
      if (room < 0) break;
      lines.splice(rules.length, 0, line);
    }
    return { text: lines.join("\n"), source: "extractive" };
  },
};

const manager = new CompactManager({ archive: false, summarizer: firstLines });
// docs:end

const { messages } = JSON.parse(readFileSync(new URL("../transcripts/coding-session.json", import.meta.url), "utf8"));
const { messages: sent, report } = await manager.compact("terns", messages);
assert.equal(report.status, "compacted");
assert.ok(JSON.stringify(sent).includes("- user: "));
console.log(`${report.tokens_before} -> ${report.tokens_after} tokens, ${report.summary.tokens} of them the summary.`);
