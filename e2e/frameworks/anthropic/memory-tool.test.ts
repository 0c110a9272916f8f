// Anthropic's memory tool over a workspace, called by the SDK's own tool runner: what the model writes is a memory that
// memory-files analyses, tidies and restores.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryTool } from "../../../src/integrations/anthropic.ts";
import {
  analyzeMemoryFiles,
  applyMemoryFilesCompaction,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "../../../src/memory-files.ts";

function newWorkspace(): string {
  const root = mkdtempSync(join(tmpdir(), "memory-tool-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** Runs the commands one after another, as a model that asks for them would have it; what each gave back. */
async function run(root: string, commands: readonly object[]): Promise<readonly string[]> {
  const given: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const last = JSON.parse(text).messages.at(-1).content;
    if (Array.isArray(last)) given.push(...last.flatMap(({ content }) => (content === undefined ? [] : [content])));
    const input = commands[given.length];
    const content =
      input === undefined
        ? [{ type: "text", text: "Done." }]
        : [{ type: "tool_use", id: `toolu_${given.length}`, name: "memory", input }];
    const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content };
    const usage = { input_tokens: 1, output_tokens: 1 };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...message, stop_reason: input === undefined ? "end_turn" : "tool_use", usage }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
  await client.beta.messages.toolRunner({
    ...{ model: "claude-sonnet-4-5", max_tokens: 1_000, max_iterations: 50 },
    tools: [await memoryTool(root)],
    messages: [{ role: "user", content: "Keep your notes." }],
  });
  return given.map((content) => (typeof content === "string" ? content : JSON.stringify(content)));
}

const NOTES = `# Piers

- Pier 9 is closed in winter, since the ice presses against its posts.
- The ferry leaves pier 4 at noon.
- Pier 9 is closed in winter, since the ice presses against its posts.
`;

describe("memoryTool", () => {
  it("does what a model asks for in memories/ of the workspace", async () => {
    const root = newWorkspace();
    const path = "/memories/piers.md";
    const given = await run(root, [
      { command: "view", path: "/memories" },
      { command: "create", path, file_text: NOTES },
      { command: "str_replace", path, old_str: "at noon", new_str: "at one" },
      { command: "insert", path, insert_line: 2, insert_text: "- Pier 2 is new.\n" },
      { command: "rename", old_path: path, new_path: "/memories/harbour/piers.md" },
      { command: "create", path: "/memories/other.md", file_text: "x" },
      { command: "delete", path: "/memories/other.md" },
      { command: "view", path: "/memories/harbour/piers.md" },
    ]);
    expect(given).toHaveLength(8);
    for (const told of ["Pier 2 is new", "leaves pier 4 at one"]) expect(given[7]).toContain(told);
    expect(readFileSync(join(root, "memories/harbour/piers.md"), "utf8")).toContain("leaves pier 4 at one");
    expect(existsSync(join(root, "memories/other.md"))).toBe(false);
  });

  it("lets no path out of the folder", async () => {
    const root = newWorkspace();
    const outside = newWorkspace();
    mkdirSync(join(root, "memories"));
    symlinkSync(outside, join(root, "memories/link"));
    const paths = [
      "/memories/../out.md",
      "/memories/link/out.md",
      "/etc/out.md",
      "../out.md",
      "/memories/%2e%2e/../../out.md",
    ];
    const given = await run(
      root,
      paths.map((path) => ({ command: "create", path, file_text: "x" })),
    );
    for (const said of given) expect(said).toMatch(/error|escape|must start/i);
    for (const folder of [root, outside, join(root, "..")]) expect(existsSync(join(folder, "out.md"))).toBe(false);
  });

  it("writes a memory that is analysed, tidied, and restored to the byte", async () => {
    const root = newWorkspace();
    await run(root, [{ command: "create", path: "/memories/piers.md", file_text: NOTES }]);
    const analysis = await analyzeMemoryFiles(root);
    expect(analysis.duplicate_lines).toMatchObject([{ file: "memories/piers.md", occurrences: 2 }]);
    const { plan } = await planMemoryFilesCompaction(root, { aggressive: true });
    const { applied, run: number } = await applyMemoryFilesCompaction(root, plan);
    expect(applied).toMatchObject([{ kind: "tidy", file: "memories/piers.md" }]);
    expect(readFileSync(join(root, "memories/piers.md"), "utf8").match(/Pier 9/g)).toHaveLength(1);
    await restoreMemoryFiles(root, { ids: [`${number}`] });
    expect(readFileSync(join(root, "memories/piers.md"), "utf8")).toBe(NOTES);
  });
});
