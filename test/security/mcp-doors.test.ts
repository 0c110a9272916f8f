// What an MCP client gets out of an archive: the redacted copies, page by page, and nothing that was taken out of them.
// Rows of `mem_*` and records of `cstp_*` are the user's own store and say what was saved there.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CompactManager, createFsArchive } from "../../src/index.ts";
import { archiveExpand } from "../../src/mcp/tools/archive-expand.ts";
import { archiveSearch } from "../../src/mcp/tools/archive-search.ts";
import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import { everyPage } from "../mcp/tools/call-tool.ts";
import { toolContext } from "../mcp/tools/tool-context.ts";
import { anthropic, openaiChat, openaiResponses, type PlantedConversation } from "./planting/chat-histories.ts";
import { createPlanter, type Planter } from "./planting/planter.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-doors-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FORMATS: readonly (readonly [string, (planter: Planter) => PlantedConversation])[] = [
  ["OpenAI chat", openaiChat],
  ["OpenAI Responses", openaiResponses],
  ["Anthropic", anthropic],
];

describe.each(FORMATS)("an archive of %s", (_format, plantIn) => {
  it("is searched and read out by a client without a secret in any page", async () => {
    const planter = createPlanter(31);
    const { messages, ...rest } = plantIn(planter);
    const manager = new CompactManager({ archive: { path: folder } });
    await manager.manualCompact("s", messages, rest);
    await manager.flush();
    const archive = createFsArchive({ path: folder });
    const context = toolContext(createMemoryObservationStore(), { archive: async () => archive });
    const pages = [
      ...(await everyPage(archiveExpand, { ref: "1", session_id: "s" }, context)),
      ...(await everyPage(archiveExpand, { ref: "1.1-30", session_id: "s", max_tokens: 400 }, context)),
      ...(await everyPage(archiveSearch, { query: "survey" }, context)),
      ...(await everyPage(archiveSearch, { query: "REDACTED" }, context)),
      ...(await everyPage(archiveSearch, { query: "api_key" }, context)),
    ];
    expect(pages.length).toBeGreaterThan(20);
    const told = pages.map(({ text, structured }) => `${text}\n${JSON.stringify(structured)}`).join("\n");
    expect(told).toContain("<REDACTED>");
    expect(planter.leaksIn(told)).toEqual([]);
  }, 60_000);
});
