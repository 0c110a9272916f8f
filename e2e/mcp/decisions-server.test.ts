// The decision log over the built server, as real clients use it: both versions of the SDK, a folder and a database.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { toolsOf } from "../../src/mcp/tool-groups.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const help = existsSync(program)
  ? spawnSync(process.execPath, [program, "mcp", "--help"], { encoding: "utf8" }).stdout
  : "";
const isBuilt = help.includes("--decisions");
const about = { name: "test", version: "1" };
const names = (await toolsOf(["decisions"], "all")).map(({ name }) => name);

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const command = (cwd: string, flags: readonly string[]) => ({
  command: process.execPath,
  args: [program, "mcp", ...flags],
  cwd,
  env: { ...process.env, HOME: cwd } as Record<string, string>,
  stderr: "ignore" as const,
});

type Connect = (cwd: string, flags: readonly string[]) => Promise<ClientV1 | ClientV2>;

const connectV1: Connect = async (cwd, flags) => {
  const client = new ClientV1(about);
  await client.connect(new StdioV1(command(cwd, flags)) as never);
  onTestFinished(() => client.close());
  return client;
};

const connectV2: Connect = async (cwd, flags) => {
  const client = new ClientV2(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StdioV2(command(cwd, flags)));
  onTestFinished(() => client.close());
  return client;
};

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, never>>;
}

async function call(client: ClientV1 | ClientV2, name: string, given: Record<string, unknown> = {}): Promise<Answer> {
  const answer = (await client.callTool({ name, arguments: given })) as unknown as Answer;
  expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy();
  return answer;
}

describe.skipIf(!isBuilt)(`the built server with a decision log${isBuilt ? "" : " (skipped: no build)"}`, () => {
  it.each([
    ["SDK v1", connectV1],
    ["SDK v2", connectV2],
  ] as const)("records, reviews, compacts, preserves and reads wisdom: %s", async (_name, connect) => {
    const cwd = newFolder();
    const client = await connect(cwd, ["--decisions", "log"]);
    expect(client.getInstructions()).toContain("cstp_record_decision");
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(names));
    expect(listed).toContain("mem_save");
    const recorded = await call(client, "cstp_record_decision", {
      ...{ decision: "Use queues", category: "architecture", confidence: "0.8", tags: '["load"]' },
      reasons: [{ type: "empirical", text: "Measured" }],
    });
    const { id } = recorded.structuredContent as unknown as { readonly id: string };
    expect(readdirSync(join(cwd, "log"), { recursive: true, encoding: "utf8" }).join()).toContain(
      `decision-${id}.yaml`,
    );
    await call(client, "cstp_review_decision", { decision_id: id.slice(0, 6), outcome: "success", lessons: "Measure" });
    await call(client, "cstp_set_preserve", { decision_id: id, preserve: "true" });
    expect((await call(client, "cstp_compact", { dry_run: "true" })).content[0]?.text).toContain("Dry run");
    expect((await call(client, "cstp_compact")).structuredContent).toMatchObject({ compacted: 1, preserved: 1 });
    const { structuredContent } = await call(client, "cstp_get_compacted", { limit: "5" });
    expect(structuredContent).toMatchObject({ decisions: [{ id, level: "full", preserved: true, tags: ["load"] }] });
    expect((await call(client, "cstp_get_wisdom")).content[0]?.text).toContain("No wisdom yet");
  });

  it("has its tools only where a log is named, by the flag or by the configuration", async () => {
    const plain = await connectV1(newFolder(), []);
    expect((await plain.listTools()).tools.filter(({ name }) => name.startsWith("cstp_"))).toEqual([]);
    expect(plain.getInstructions()).not.toContain("cstp_");
    const cwd = newFolder();
    writeFileSync(join(cwd, "compact.yaml"), "decisions:\n  db: log.db\n");
    const configured = await connectV1(cwd, []);
    await call(configured, "cstp_record_decision", { decision: "Use queues", category: "architecture" });
    expect(existsSync(join(cwd, "log.db"))).toBe(true);
  });

  it("says in its log that a log which is not there is new", () => {
    const cwd = newFolder();
    const env = { ...process.env, HOME: cwd };
    const flags = [program, "mcp", "--decisions", "typo"];
    const { status, stdout, stderr } = spawnSync(process.execPath, flags, { cwd, env, encoding: "utf8", input: "" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toContain("There was nothing at typo: the decision log is new");
    expect(existsSync(join(cwd, "typo"))).toBe(false);
  });

  it("does not start on a file in place of the folder", () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "file.txt"), "x");
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "mcp", "--decisions", "file.txt"], {
      cwd,
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("file.txt is a file, and --decisions takes a folder.");
  });
});
