// Compaction of real sessions to 15 % of their size, checked against a plain reading of the raw file.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { detectInput } from "../../src/formats/detect-format.ts";
import { readClaudeCodeSession } from "../../src/formats/readers/claude-code-reader.ts";
import { CompactManager, createMemoryArchive, FORMATS } from "../../src/index.ts";
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
    const isThere = (words: string) => text.includes(words) || text.includes(words.replace(/<(?=\/?COMPACT-)/g, "‹"));
    expect(users.filter((words) => !isThere(words.slice(0, 500)))).toEqual([]);
    expect(written.filter((path) => !text.includes(path))).toEqual([]);
    expect(systems.filter((words) => !text.includes(words))).toEqual([]);

    const second = await manager.compact("s", first.messages, { format, targetTokens });
    expect(allText(second.messages).match(/<COMPACT-SUMMARY v/g)).toHaveLength(1);
    expect(second.report.tokens_after).toBeLessThanOrEqual(first.report.tokens_after);
  });
});
