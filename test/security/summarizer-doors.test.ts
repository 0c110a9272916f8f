// Secrets on their way to a model and back: in no request to it, and in nothing that is kept of what it answers, over
// three rounds in which each summary carries on the one before.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CompactManager, createCallbackSink } from "../../src/index.ts";
import { type ScriptedServer, startScriptedServer } from "../../src/testing.ts";
import { turns } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";
import { filesBelow } from "./doors.ts";
import { anthropic, openaiChat, openaiResponses, type PlantedConversation } from "./planting/chat-histories.ts";
import { createDraw } from "./planting/draw.ts";
import { createPlanter, type Planter } from "./planting/planter.ts";

const ROUNDS = 3;
const KEY = `summarizer-${createDraw(99)("words", 40)}`;

let folder: string;
let server: ScriptedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "summarizer-doors-"));
  vi.stubEnv("COMPACT_SUMMARIZER_API_KEY", KEY);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** What a model that knows every secret would write: each as a fact, in its own words and as the value of a name. */
function tellingAnswer(planter: Planter): string {
  const known = planter.kinds.map((kind) => planter.plantOf(kind)("answer of the model").replaceAll("\n", " "));
  return [
    "## Goals and requests",
    "- Survey the module [1.3]",
    "## Values in force",
    ...known.map((text) => `- ${text} [1.3]`),
    "## Progress",
    ...known.map((text) => `- The survey found that ${text} was in use [1.5]`),
  ].join("\n");
}

const FORMATS: readonly (readonly [
  string,
  "openai-compatible" | "anthropic",
  (planter: Planter) => PlantedConversation,
])[] = [
  ["OpenAI chat", "openai-compatible", openaiChat],
  ["OpenAI Responses", "openai-compatible", openaiResponses],
  ["Anthropic", "anthropic", anthropic],
];

describe.each(FORMATS)("secrets in %s, with a model that writes the summaries", (_format, type, plantIn) => {
  it("are in no request, no summary, no file and no event of three rounds, and stay in the live messages", async () => {
    verifies("field/secrets-reach-the-summarizer");
    const planter = createPlanter(11);
    server = await startScriptedServer(() => tellingAnswer(planter));
    const events: string[] = [];
    const manager = new CompactManager({
      maxContextTokens: 128_000,
      policy: { keepRecentTurns: 2, keepToolIoPairs: 2 },
      summarizer: { type, model: "writer", baseUrl: type === "anthropic" ? server.url : server.openaiUrl },
      archive: { path: folder },
      trace: [createCallbackSink((event) => void events.push(JSON.stringify(event)))],
    });
    const { messages, ...rest } = plantIn(planter);
    let list: readonly unknown[] = messages;
    for (let round = 1; round <= ROUNDS; round++) {
      const { messages: compacted, report } = await manager.compact("s", list, rest);
      expect(
        report.status,
        `round ${round}: ${JSON.stringify(events.filter((e) => e.includes("error")).slice(-3))}`,
      ).toBe("compacted");
      const summary = compacted.filter((message) => JSON.stringify(message).includes("<COMPACT-SUMMARY v"));
      expect(summary).toHaveLength(1);
      expect(planter.leaksIn(JSON.stringify(summary)), `summary of round ${round}`).toEqual([]);
      // What the caller keeps is the caller's, secrets and all.
      expect(planter.leaksIn(JSON.stringify(compacted)).length).toBeGreaterThan(0);
      list = [...compacted, ...plantIn(planter).messages, ...(type === "anthropic" ? turns(1) : [])];
    }
    await manager.flush();
    expect(server.calls.length).toBeGreaterThanOrEqual(ROUNDS);
    const doors = [
      ...server.calls.map(({ body }, index) => ({ name: `request ${index + 1}`, text: JSON.stringify(body) })),
      ...filesBelow(folder),
      { name: "events", text: events.join("\n") },
    ];
    expect(doors.flatMap(({ name, text }) => planter.leaksIn(text).map((leak) => `${name}: ${leak}`))).toEqual([]);
    for (const { name, text } of doors) expect(text, name).not.toContain(KEY);
  }, 120_000);
});
