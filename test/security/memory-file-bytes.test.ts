// A working key in a memory file: compaction writes no placeholder over it, whatever else of the file leaves.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memCompact } from "../../src/mcp/tools/mem-compact.ts";
import { memGet } from "../../src/mcp/tools/mem-get.ts";
import { compactMemoryFiles } from "../../src/memory-files.ts";
import { callTool } from "../mcp/tools/call-tool.ts";
import { toolContext } from "../mcp/tools/tool-context.ts";
import { allRows, storeOf } from "../observations/grouping/rows.ts";
import { verifies } from "../requirements/verifies.ts";
import { createDraw } from "./planting/draw.ts";

const NOW = Date.UTC(2031, 5, 1);
const KEY = createDraw(61)("words", 32);
const KEPT = `## Access\r\n\r\napi_key = "${KEY}"\r\npassword: ${KEY}\r\n`;
const REPEATED = "## Ports\n\nThe staging database listens on port 5433 behind the proxy of the old rack.\n";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "memory-file-bytes-"));
  mkdirSync(join(root, "memory"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("a memory file with a working key in it", () => {
  it("keeps its bytes outside what is removed, through removals, tidying, digests and rotation", async () => {
    verifies("field/placeholder-written-over-value");
    const tidy = "- one line that is there twice\n- one line that is there twice\n\n\n\n\n## End\n\nLast words.\n";
    writeFileSync(join(root, "MEMORY.md"), `# Memory\n\n${REPEATED}\n${KEPT}\n## List\n\n${tidy}`);
    const note = `# Day\n\n${REPEATED}\n## Own\n\nTOKEN=${KEY} was tried on host seven.\n`;
    writeFileSync(join(root, "memory", "2031-05-20.md"), note);
    const large = `# Large\n\n${Array.from({ length: 700 }, (_, n) => `- step ${n} used password: ${KEY} on host ${n}`).join("\n")}\n`;
    writeFileSync(join(root, "memory", "2031-05-21.md"), large);
    for (let day = 10; day < 28; day++) {
      const text = `# Day\n\n- Deployed build ${day} to staging with api_key=${KEY} and checked the queue ${day * 7}.\n`;
      writeFileSync(join(root, "memory", `2031-02-${day}.md`), text.repeat(3));
    }
    const { report, secrets } = await compactMemoryFiles(
      root,
      { aggressive: true, levers: ["contained", "digest"] },
      { now: () => NOW },
    );
    const kinds = new Set(report?.applied.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(["digest", "remove_sections", "rotate", "tidy"]);
    // Warned of, by place: whoever gives this memory to a model gives these with it.
    expect(secrets.filter(({ file }) => file === "MEMORY.md")).toHaveLength(2);
    expect(JSON.stringify(secrets)).not.toContain(KEY);
    const memory = readFileSync(join(root, "MEMORY.md"), "utf8");
    expect(memory).toContain(KEPT);
    expect(memory).not.toContain("\n\n\n\n");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
    const texts = files.map((name) => readFileSync(join(root, name), "utf8"));
    expect(texts.join("\n")).not.toContain("<REDACTED>");
    // The rotated note is a copy, byte for byte.
    expect(texts).toContain(large);
    const keys = (text: string) => text.split(KEY).length - 1;
    expect(keys(texts.join("\n"))).toBeGreaterThanOrEqual(keys(KEPT) + keys(note) + keys(large));
  });

  it("is not touched by a summary of redacted text that an agent has stored", async () => {
    const store = await storeOf([{ content: `api_key = ${KEY}` }, { content: `Deployed with ${KEY}` }]);
    const context = toolContext(store);
    await callTool(
      memCompact,
      {
        older_than_days: 30,
        compact_ids: [1, 2],
        summary_title: "Deployments",
        summary_content: "Deployed with api_key = <REDACTED>.",
      },
      context,
    );
    const rows = await allRows(store);
    expect(rows.map(({ content }) => content)).toEqual([
      `api_key = ${KEY}`,
      `Deployed with ${KEY}`,
      "Deployed with api_key = <REDACTED>.",
    ]);
    expect((await callTool(memGet, { id: 1, include_compacted: true }, context)).text).toContain(KEY);
  });
});
