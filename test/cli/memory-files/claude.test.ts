// `memory-files --claude`: a home of its own with two projects; nothing is ever written.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryCompact } from "../../../src/mcp/tools/memory-compact.ts";
import { createMemoryObservationStore } from "../../../src/observations/memory-observation-store.ts";
import { callTool } from "../../mcp/tools/call-tool.ts";
import { toolContext } from "../../mcp/tools/tool-context.ts";
import { call, newFolder, snapshot } from "../command-line.ts";

const TOPIC = (name: string) => `---\nname: ${name}\n---\n\nEverything that is known about ${name}.\n`;
const POINTER = (name: string) => `- [About ${name}](${name}.md) — what is known about ${name}`;
const DEPLOY = "The deploy script builds twice since the second build alone picks up the generated schema files";

function home(files: Readonly<Record<string, string>>): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const IN = ".claude/projects/-srv-pump/memory";

/** 261 lines and 40 topic files, as people have them. */
function largeMemory() {
  const names = Array.from({ length: 40 }, (_, at) => `topic_${at + 1}`);
  const shown = names.slice(0, 36).map(POINTER);
  const filler = Array.from({ length: 219 }, (_, at) => `- note number ${at}`);
  const index = [
    "# Memory",
    ...shown.slice(0, 30),
    `- ${DEPLOY}.`,
    `- [gone](gone.md) and [web](https://example.com/page.md) and README.md`,
    ...filler.slice(0, 180),
    ...shown.slice(30),
    ...filler.slice(180),
    "",
  ];
  const topics = names.map((name) => [`${IN}/${name}.md`, TOPIC(name)] as const);
  return home({
    ...Object.fromEntries(topics),
    [`${IN}/topic_1.md`]: `${TOPIC("topic_1")}\n${DEPLOY}. See topic_37.md.\n`,
    [`${IN}/MEMORY.md`]: index.join("\n"),
    ".claude/projects/-srv-small/memory/MEMORY.md": "# Memory\n",
    ".claude/projects/-srv-none/session.jsonl": "{}\n",
  });
}

async function look(folder: string, argv: readonly string[], env: Readonly<Record<string, string>> = { HOME: folder }) {
  const before = snapshot(folder);
  const outcome = await call(["memory-files", ...argv], { cwd: folder, env });
  expect(snapshot(folder)).toEqual(before);
  return outcome;
}

describe("memory-files --claude", () => {
  it("says what of an index is never read, and what is wrong behind it", async () => {
    const folder = largeMemory();
    const { code, stdout } = await look(folder, ["--claude", IN, "--json"]);
    expect(code).toBe(0);
    const [memory] = JSON.parse(stdout).memories;
    expect(memory).toMatchObject({
      index: { lines: 258 },
      beyond: { line_from: 201, line_to: 258, topics: expect.arrayContaining(["topic_31.md", "topic_36.md"]) },
      orphans: ["topic_38.md", "topic_39.md", "topic_40.md"],
      sub_indexes: [{ file: "topic_1.md", leads_to: ["topic_37.md"] }],
      dead: [{ line: 33, target: "gone.md" }],
      repeats: [{ line_from: 32, line_to: 32, topic: "topic_1.md", text: `- ${DEPLOY}.` }],
      unread: [],
    });
    expect(memory.beyond.topics).toHaveLength(6);
    expect(memory.topics).toHaveLength(40);
  });

  it("shows it within 80 columns, and what to ask for", async () => {
    const folder = largeMemory();
    const { stdout } = await look(folder, ["--claude", IN]);
    expect(stdout).toContain("lines 201-258 (");
    expect(stdout).toContain("nor the 6 topic files");
    expect(stdout).toContain("line 33: gone.md");
    expect(stdout).toContain("Nothing was changed. Ask Claude Code to tidy it:");
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it("lists the memories of all projects, of another home too, and takes the folder that Claude Code works in", async () => {
    const folder = largeMemory();
    const { stdout } = await look(folder, ["--claude"]);
    expect(stdout).toContain("2 memories of Claude Code");
    expect(stdout).toMatch(/^ {2}-srv-pump +258 +58 +40 +9 +1 +1$/m);
    expect(stdout).toMatch(/^ {2}-srv-small +1 +0 +0 +0 +0 +0$/m);
    const elsewhere = await look(folder, ["--claude", "--json"], {
      HOME: "/nowhere",
      CLAUDE_CONFIG_DIR: `${folder}/.claude`,
    });
    expect(JSON.parse(elsewhere.stdout).memories).toHaveLength(2);
    const project = await look(folder, ["--claude", "/srv/pump", "--json"]);
    expect(JSON.parse(project.stdout).memories).toHaveLength(1);
  });

  it("cuts at 25,000 bytes at the end of a line, and blank lines at the end count nothing", async () => {
    const line = `- ${"x".repeat(997)}\n`;
    const folder = home({ [`${IN}/MEMORY.md`]: line.repeat(26), "b/MEMORY.md": `- a\n${"\n".repeat(300)}` });
    const { memories } = JSON.parse((await look(folder, ["--claude", IN, "--json"])).stdout);
    expect(memories[0].beyond).toMatchObject({ line_from: 26, line_to: 26, bytes: 1000 });
    const blank = JSON.parse((await look(folder, ["--claude", "b", "--json"])).stdout);
    expect(blank.memories[0].beyond).toBeNull();
  });

  it("follows no link, writes nothing, and says what it could not find", async () => {
    const folder = largeMemory();
    writeFileSync(join(folder, "secret.md"), "outside");
    symlinkSync(join(folder, "secret.md"), join(folder, IN, "link.md"));
    const { memories } = JSON.parse((await look(folder, ["--claude", IN, "--json"])).stdout);
    expect(memories[0].unread).toMatchObject([{ file: "link.md", code: "OUTSIDE_WORKSPACE" }]);
    const none = await look(newFolder(), ["--claude"]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("no memory of Claude Code in ") });
    for (const flags of [["--apply"], ["--aggressive"], ["--plan-out", "-"]]) {
      const refused = await look(folder, ["--claude", IN, ...flags]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--claude only looks") });
    }
  });

  it("is named where such a memory is looked at as a workspace, and told an agent over MCP", async () => {
    const folder = largeMemory();
    const { stdout } = await look(folder, [IN]);
    expect(stdout).toContain(
      `Claude Code keeps this memory. What of it is never read:\n  agent-compact memory-files --claude ${IN}\n`,
    );
    const context = toolContext(createMemoryObservationStore(), {
      memoryFiles: { root: join(folder, IN), maxMemoryKb: 15 },
    });
    const { structured, text } = await callTool(memoryCompact, {}, context);
    expect(structured.claude_memory.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^Lines 201-258 of the index \(\d+ bytes\) are never read: /),
      "Topic files that only unread lines lead to: topic_31.md, topic_32.md, topic_33.md, topic_34.md, topic_35.md and 1 more.",
      "Entries of the index that a topic file says: leave a line for each: line 32 (topic_1.md).",
      "Pointers to nothing: line 33 (gone.md).",
      "Topic files that nothing leads to: topic_38.md, topic_39.md, topic_40.md.",
      "Topic files through which alone others are reached: topic_1.md.",
    ]);
    expect(text).toContain("## What Claude Code does not read, or need not\n- Lines 201-258");
  });
});
