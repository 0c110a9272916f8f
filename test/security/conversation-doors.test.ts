// A secret of every kind in every field of every format, and no file of the archive, no event and no line of a log that
// shows one, while the caller's messages stay as they were.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claudeCodeReader } from "../../src/formats/readers/claude-code-reader.ts";
import { piReader } from "../../src/formats/readers/pi-reader.ts";
import { CompactManager, createCallbackSink, createConsoleSink } from "../../src/index.ts";
import { deepFreeze, filesBelow } from "./doors.ts";
import { anthropic, openaiChat, openaiResponses, type PlantedConversation } from "./planting/chat-histories.ts";
import { createPlanter, type Planter } from "./planting/planter.ts";
import { claudeCodeSession, piSession } from "./planting/session-files.ts";

const readClaudeCode = (planter: Planter): PlantedConversation => ({
  messages: claudeCodeReader.read(claudeCodeSession(planter)).messages as PlantedConversation["messages"],
});
const readPi = (planter: Planter): PlantedConversation => ({
  messages: piReader.read(piSession(planter)).messages as PlantedConversation["messages"],
});

const FORMATS: readonly (readonly [string, (planter: Planter) => PlantedConversation])[] = [
  ["OpenAI chat", openaiChat],
  ["OpenAI Responses", openaiResponses],
  ["Anthropic", anthropic],
  ["a Claude Code session", readClaudeCode],
  ["a pi session", readPi],
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doors-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.each(FORMATS)("secrets planted in %s", (_format, plantIn) => {
  it("are in no file of the archive, no event and no line of a log", async () => {
    const planter = createPlanter(7);
    const { messages, ...rest } = deepFreeze(plantIn(planter));
    const events: string[] = [];
    const lines: string[] = [];
    const manager = new CompactManager({
      archive: { path: folder },
      trace: [
        createCallbackSink((event) => void events.push(JSON.stringify(event))),
        createConsoleSink({ write: (line) => void lines.push(line) }),
      ],
    });
    const before = structuredClone(messages);
    const note = planter.kinds.map((kind) => planter.plantOf(kind)("note")).join("\n");
    await manager.preflight("s", messages, rest);
    await manager.manualCompact("s", messages, { ...rest, note });
    await manager.flush();
    expect(messages).toEqual(before);
    expect(planter.planted).toBeGreaterThan(planter.kinds.length * 9);
    const doors = [
      ...filesBelow(folder),
      { name: "events", text: events.join("\n") },
      { name: "log", text: lines.join("\n") },
    ];
    expect(doors.length).toBeGreaterThanOrEqual(7);
    // What is looked for is there to be found.
    expect(planter.leaksIn(JSON.stringify(messages)).length).toBeGreaterThan(planter.kinds.length * 5);
    const leaks = doors.flatMap(({ name, text }) => planter.leaksIn(text).map((leak) => `${name}: ${leak}`));
    expect(leaks).toEqual([]);
  }, 60_000);
});
