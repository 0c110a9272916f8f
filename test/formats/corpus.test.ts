import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { detectInput } from "../../src/providers/detect-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { groupUnits } from "../../src/providers/units.ts";
import { readClaudeCodeSession } from "../../src/session-files/claude-code.ts";
import { readJsonValues, sliceArray } from "../../src/text/json.ts";

import { corpusFiles, isCorpusAbsent, readCorpusText } from "./corpus-files.ts";

const formats = [openaiChatFormat, openaiResponsesFormat, anthropicFormat];
const detect = (name: string) => detectInput(JSON.parse(readCorpusText(name)), formats);

describe.skipIf(isCorpusAbsent)("real transcripts", () => {
  it.each(corpusFiles(/derived\/openai-.*\.json\.gz$/))("%s is detected, and valid once healed", (name) => {
    const detected = detect(name);
    const expected = name.includes("openai-chat") ? "openai-chat" : "openai-responses";
    expect(detected?.format.name).toBe(expected);
    expect(detected?.path).toEqual([expected === "openai-chat" ? "messages" : "input"]);
    const healed = detected?.format.heal(detected.messages);
    expect(detected?.format.validate(healed?.messages ?? [])).toEqual([]);
    // Almost all of it is the caller's own objects: real lists are nearly whole.
    expect(healed?.repairs.length).toBeLessThanOrEqual(1);
  });

  it.each(corpusFiles(/derived\/openai-.*\.json\.gz$/))("%s can be sliced message by message", (name) => {
    const source = readCorpusText(name);
    const detected = detectInput(JSON.parse(source), formats);
    const slices = sliceArray(source, detected?.path ?? []);
    const values = slices?.elements.map(({ start, end }) => JSON.parse(source.slice(start, end)) as unknown);
    expect(values).toEqual(detected?.messages);
  });

  it.each(corpusFiles(/claude-code-.*\.jsonl\.gz$/))("%s is read as a list its provider takes", (name) => {
    const session = readClaudeCodeSession(readCorpusText(name));
    expect(session.messages.length).toBeGreaterThan(50);
    expect(session.model).toMatch(/^claude-/);
    expect(session.sources).toHaveLength(session.messages.length);
    const healed = anthropicFormat.heal(session.messages);
    expect(anthropicFormat.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
    // What is left to heal are calls whose process died, nothing that the reader tore apart.
    expect(healed.repairs.filter(({ kind }) => kind !== "dead_call")).toEqual([]);
    const units = groupUnits(healed.messages.map(anthropicFormat.view));
    expect(units.flatMap((unit) => unit.messages)).toHaveLength(healed.messages.length);
  });

  it.each(corpusFiles(/claude-code-.*\.jsonl\.gz$/))(
    "%s keeps every answer of a session without going back",
    (name) => {
      const text = readCorpusText(name);
      const session = readClaudeCodeSession(text);
      if (session.notes.some((note) => note.code === "rewound_prompts")) return;
      const lines = readJsonValues(text).values.map(({ value }) => value as Record<string, unknown>);
      const seen = lines.filter((line) => line.type === "assistant" && !line.isApiErrorMessage && !line.isSidechain);
      const taken = new Set(session.sources.flat());
      const assistantLines = readJsonValues(text).values.filter(({ value }) => seen.includes(value as never));
      expect(assistantLines.filter(({ line }) => !taken.has(line)).length).toBeLessThanOrEqual(1);
    },
  );

  it("responses with opaque compaction items are detected", () => {
    const found = corpusFiles(/vercel-ai-.*\.json$/).map((name) => [detect(name)?.format.name, detect(name)?.path]);
    expect(found).toEqual([
      ["anthropic", undefined],
      ["anthropic", undefined],
      ["openai-responses", ["output"]],
      ["openai-responses", ["output"]],
    ]);
    const [first] = corpusFiles(/vercel-ai-openai-compaction/);
    const detected = detect(first ?? "");
    expect(detected?.messages.map((item) => detected.format.view(item).isIrreplaceable)).toContain(true);
  });

  it("files of hosts are claimed by no provider", () => {
    const others = corpusFiles(/(tau-bench|gemini-cli|\.traj)/);
    expect(others.map((name) => detect(name))).toEqual(others.map(() => undefined));
    const logs = corpusFiles(/swe-agent-llm/);
    const first = logs.map((name) => readJsonValues(readCorpusText(name)).values[0]?.value);
    expect(first.map((value) => detectInput(value, formats))).toEqual(first.map(() => undefined));
  });

  it("conversations that use call ids twice are valid as they are", () => {
    const [name] = corpusFiles(/tau-bench/);
    const runs = JSON.parse(readCorpusText(name ?? "")) as { traj: unknown[] }[];
    for (const { traj } of runs) {
      expect(openaiChatFormat.matches(traj)).toBe(true);
      expect(openaiChatFormat.heal(traj).messages).toBe(traj);
      expect(openaiChatFormat.validate(traj, { allowOpenTail: true })).toEqual([]);
      const units = groupUnits(traj.map(openaiChatFormat.view));
      for (const unit of units) if (unit.kind === "pair") expect(unit.messages.length).toBeGreaterThan(1);
    }
  });
});
