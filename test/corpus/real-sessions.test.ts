// Compaction of real sessions to 15 % of their size, checked against a plain reading of the raw file.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { CompactManager, createMemoryArchive, FORMATS } from "../../src/index.ts";
import { detectInput } from "../../src/providers/detect-format.ts";
import { readClaudeCodeSession } from "../../src/session-files/claude-code.ts";
import { allText, CORPUS, corpusFiles, readRaw, readText } from "./corpus.ts";

const files = [
  ...corpusFiles("transcripts", /^claude-code-.*\.jsonl\.gz$/),
  ...corpusFiles("derived", /^openai-(chat|responses)-.*\.json\.gz$/),
];

function readMessages(file: string) {
  const text = readText(file);
  if (file.includes("claude-code")) return { messages: readClaudeCodeSession(text).messages, format: "anthropic" };
  const found = detectInput(JSON.parse(text), FORMATS);
  if (found === undefined) throw new Error(`${basename(file)} was not recognised`);
  return { messages: found.messages, format: found.format.name };
}

describe("real sessions at 15 % of their size", () => {
  it.skipIf(files.length > 0)(
    `is skipped: AGENT_CORPUS ${CORPUS === undefined ? "is not set" : "holds no sessions"}`,
    () => {},
  );

  it.each(files.map((file) => [basename(file), file]))("%s", { timeout: 60_000 }, async (_name, file) => {
    const { messages, format } = readMessages(file);
    const manager = new CompactManager({ archive: createMemoryArchive() });
    const { tokens_before } = await manager
      .plan("size", messages, { format, targetTokens: 1_000_000 })
      .catch(() => ({ tokens_before: 300_000 }));
    const targetTokens = Math.floor(tokens_before * 0.15);
    const first = await manager.compact("s", messages, { format, targetTokens });
    const known = FORMATS.find(({ name }) => name === format);
    expect(known?.validate(first.messages, { allowOpenTail: true })).toEqual([]);
    expect(first.report.tokens_after).toBeLessThanOrEqual(targetTokens);

    const text = allText(first.messages);
    const { users, written, systems } = readRaw(file);
    const flat = (words: string) =>
      words
        .replace(/<(?=\/?COMPACT-)/g, "‹")
        .replace(/\s+/g, " ")
        .trim();
    const left = flat(text);
    const isWhole = first.report.warnings.every(({ code }) => code !== "facts_left_out");
    // A command that was typed to the host, or what it printed, is nobody's words.
    const own = users.map(flat).filter((words) => !/^<(?:command|local-command|bash)-/.test(words));
    if (isWhole) expect(own.filter((words) => !left.includes(words.slice(0, 500).trim()))).toEqual([]);
    expect(written.filter((path) => !text.includes(path))).toEqual([]);
    expect(systems.filter((words) => !text.includes(words))).toEqual([]);

    const second = await manager.compact("s", first.messages, { format, targetTokens });
    expect(allText(second.messages).match(/<COMPACT-SUMMARY v/g)).toHaveLength(1);
    expect(second.report.tokens_after).toBeLessThanOrEqual(first.report.tokens_after);
  });
});
