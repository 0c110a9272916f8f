// The summaries of the example sessions, word for word. A change of wording shows as a difference in these files:
// read it, and update with `npx vitest run test/golden -u` when it is what you wanted.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Strategy } from "../../src/index.ts";
import { CompactManager, createMemoryArchive, FORMATS } from "../../src/index.ts";
import { detectInput } from "../../src/providers/detect-format.ts";
import { readClaudeCodeSession } from "../../src/session-files/claude-code.ts";

function read(name: string): { readonly messages: readonly unknown[]; readonly format: string } {
  const text = readFileSync(new URL(`../../examples/transcripts/${name}`, import.meta.url), "utf8");
  if (name.endsWith(".jsonl")) return { messages: readClaudeCodeSession(text).messages, format: "anthropic" };
  const found = detectInput(JSON.parse(text), FORMATS);
  if (found === undefined) throw new Error(`${name} was not recognised`);
  return { messages: found.messages, format: found.format.name };
}

const cases: readonly (readonly [string, Strategy, number])[] = [
  ["coding-session.json", "task_state", 6000],
  ["coding-session.json", "decision_log", 6000],
  ["coding-session.json", "code_delta", 6000],
  ["coding-session.json", "brief", 3000],
  ["coding-session.claude-code.jsonl", "task_state", 6000],
  ["support-chat.anthropic.json", "task_state", 1500],
  ["research.openai-responses.json", "task_state", 1500],
];

describe("golden summaries", () => {
  it.each(cases)("%s, %s, %i tokens", async (name, strategy, targetTokens) => {
    const { messages, format } = read(name);
    const policy = { strategy, keepRecentTurns: 1, keepToolIoPairs: 1 };
    const run = async () => {
      const manager = new CompactManager({ archive: createMemoryArchive(), policy, now: () => 0 });
      const { messages: output } = await manager.compact(name, messages, { format, targetTokens });
      const known = FORMATS.find((candidate) => candidate.name === format);
      return output.map((message) => known?.summaryText(message)).find((text) => text?.startsWith("<COMPACT-SUMMARY"));
    };
    const text = await run();
    expect(await run()).toBe(text);
    await expect(`${text}\n`).toMatchFileSnapshot(`${name.replace(/\.jsonl?$/, "")}.${strategy}.md`);
  });
});
