// A secret of every kind in every field of every format, and no file of the archive, no event and no line of a log that
// shows one, while the caller's messages stay as they were.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CompactManager, createCallbackSink, createConsoleSink, createS3Archive } from "../../src/index.ts";
import { claudeCodeReader } from "../../src/session-files/claude-code.ts";
import { piReader } from "../../src/session-files/pi.ts";
import { bytesOf, ENDPOINT, headOf, keysIn, newBucket, onStore, tagsOf } from "../archive/s3/store.ts";
import { type Door, deepFreeze, filesBelow, unpacked } from "./doors.ts";
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

const COMPRESSIONS = ["none", "gzip"] as const;
type Archived = NonNullable<NonNullable<ConstructorParameters<typeof CompactManager>[0]>["archive"]>;

/** Compacts what is planted into the archive; what `doorsOf` finds there, the events and the log hold no secret. */
async function expectNoLeak(
  plantIn: (planter: Planter) => PlantedConversation,
  archive: Archived,
  doorsOf: () => readonly Door[] | Promise<readonly Door[]>,
): Promise<void> {
  const planter = createPlanter(7);
  const { messages, ...rest } = deepFreeze(plantIn(planter));
  const events: string[] = [];
  const lines: string[] = [];
  const manager = new CompactManager({
    archive,
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
  const stored = await doorsOf();
  expect(stored.length).toBeGreaterThanOrEqual(3);
  const transcript = stored.find(({ name }) => name.includes("transcript-pre-compact-001"));
  expect(transcript?.text).toContain("<REDACTED>");
  const doors = [...stored, { name: "events", text: events.join("\n") }, { name: "log", text: lines.join("\n") }];
  // What is looked for is there to be found.
  expect(planter.leaksIn(JSON.stringify(messages)).length).toBeGreaterThan(planter.kinds.length * 5);
  const leaks = doors.flatMap(({ name, text }) => planter.leaksIn(text).map((leak) => `${name}: ${leak}`));
  expect(leaks).toEqual([]);
}

describe.each(FORMATS)("secrets planted in %s", (_format, plantIn) => {
  it.each(COMPRESSIONS)(
    "are in no file of the archive, no event and no line of a log: compression %s",
    async (compression) => {
      await expectNoLeak(plantIn, { path: folder, compression }, () => filesBelow(folder));
      const packed = filesBelow(folder).filter(({ name }) => /transcript.*\.gz$/.test(name));
      expect(packed.length > 0).toBe(compression === "gzip");
    },
    60_000,
  );
});

onStore("secrets planted in a conversation that is archived in a bucket", () => {
  it.each(COMPRESSIONS)(
    "are in no object of it: compression %s",
    async (compression) => {
      const bucket = await newBucket();
      const archive = createS3Archive({ bucket, endpoint: ENDPOINT, region: "us-east-1", compression });
      await expectNoLeak(openaiChat, archive, async () =>
        Promise.all(
          (await keysIn(bucket)).map(async (name) => {
            const body = unpacked(await bytesOf(bucket, name));
            const told = JSON.stringify([await headOf(bucket, name), await tagsOf(bucket, name)]);
            return { name, text: `${name}\n${told}\n${body}` };
          }),
        ),
      );
      expect((await keysIn(bucket)).some((name) => name.endsWith(".jsonl.gz") && name.includes("transcript"))).toBe(
        compression === "gzip",
      );
    },
    60_000,
  );
});
