// Memory files over the built server, as real clients use it: both versions of the SDK, a folder and the environment.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { newFolder } from "../../test/cli/command-line.ts";
import {
  contents,
  FILES,
  look,
  NOTE,
  workspaceWith,
  writeFiles,
} from "../../test/cli/memory-files/workspace-folder.ts";
import { verifies } from "../../test/requirements/verifies.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const help = existsSync(program)
  ? spawnSync(process.execPath, [program, "mcp", "--help"], { encoding: "utf8" }).stdout
  : "";
const isBuilt = help.includes("--workspace");
const about = { name: "test", version: "1" };

interface Started {
  readonly cwd: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const command = ({ cwd, flags = [], env = {} }: Started) => ({
  command: process.execPath,
  args: [program, "mcp", ...flags],
  cwd,
  env: { ...process.env, HOME: cwd, ...env } as Record<string, string>,
  stderr: "ignore" as const,
});

type Connect = (started: Started) => Promise<ClientV1 | ClientV2>;

const connectV1: Connect = async (started) => {
  const client = new ClientV1(about);
  await client.connect(new StdioV1(command(started)) as never);
  onTestFinished(() => client.close());
  return client;
};

const connectV2: Connect = async (started) => {
  const client = new ClientV2(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StdioV2(command(started)));
  onTestFinished(() => client.close());
  return client;
};

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look wherever they like
  readonly structuredContent: any;
}

async function call(client: ClientV1 | ClientV2, name: string, given: Record<string, unknown> = {}): Promise<Answer> {
  return (await client.callTool({ name, arguments: given })) as unknown as Answer;
}

describe.skipIf(!isBuilt)(`the built server with a workspace${isBuilt ? "" : " (skipped: no build)"}`, () => {
  it.each([
    ["SDK v1", connectV1],
    ["SDK v2", connectV2],
  ] as const)("looks, compacts and restores: %s", async (_name, connect) => {
    verifies("memory-files/tool-mapping", "memory-files/tool-writes-when-not-dry");
    const cwd = newFolder();
    writeFiles(join(cwd, "agent"), FILES);
    const client = await connect({ cwd, flags: ["--workspace", "agent"] });
    expect(client.getInstructions()).toContain("memory_compact");
    const before = look(join(cwd, "agent"));
    const { structuredContent: looked } = await call(client, "memory_compact", {
      workspace: "auto",
      aggressive: "true",
    });
    expect(looked).toMatchObject({ dry_run: true, max_memory_kb: 15, memory_size_after: 206 });
    expect(look(join(cwd, "agent"))).toEqual(before);
    const { structuredContent: done } = await call(client, "memory_compact", { dry_run: "false" });
    expect(done.applied).toMatchObject([{ id: "1.1", file: NOTE }, { id: "1.2" }]);
    const outside = await call(client, "memory_compact", { workspace: cwd });
    expect(outside.isError).toBe(true);
    expect(outside.content[0]?.text).toContain("--workspace DIR");
    const { structuredContent: back } = await call(client, "memory_restore", { ids: '["1"]' });
    expect(back.restored).toHaveLength(2);
    expect(contents(join(cwd, "agent"))).toEqual(FILES);
  });

  it("touches nothing by itself, and has its tools only where a workspace is named", async () => {
    verifies("memory-files/batch-run-skips-compaction");
    const cwd = workspaceWith();
    const before = look(cwd);
    const client = await connectV1({ cwd, flags: ["--workspace", "."] });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["memory_compact", "memory_restore"]),
    );
    await client.close();
    expect(look(cwd)).toEqual(before);
    const plain = await connectV1({ cwd });
    expect((await plain.listTools()).tools.filter(({ name }) => name.startsWith("memory_"))).toEqual([]);
    expect(plain.getInstructions()).not.toContain("memory_compact");
  });

  it("finds its workspace by the configuration and by the environment", async () => {
    const agent = workspaceWith();
    const configured = newFolder();
    writeFileSync(join(configured, "compact.yaml"), `memory_files:\n  workspace: ${agent}\n  max_memory_kb: 9\n`);
    const { structuredContent } = await call(await connectV1({ cwd: configured }), "memory_compact");
    expect(structuredContent).toMatchObject({ memory_size: 231, max_memory_kb: 9 });
    const auto = await connectV1({ cwd: newFolder(), flags: ["--workspace", "auto"], env: { MG_WORKSPACE: agent } });
    expect((await call(auto, "memory_compact")).structuredContent).toMatchObject({
      memory_size: 231,
      max_memory_kb: 15,
    });
  });

  it("does not start without its workspace", () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "file.md"), "x");
    for (const workspace of ["missing", "file.md", "auto"]) {
      const flags = [program, "mcp", "--workspace", workspace];
      const env = { ...process.env, HOME: cwd, MG_WORKSPACE: "", OPENCLAW_WORKSPACE: "" };
      const { status, stdout, stderr } = spawnSync(process.execPath, flags, { cwd, env, encoding: "utf8", input: "" });
      expect({ workspace, status, stdout }).toEqual({ workspace, status: 2, stdout: "" });
      expect(stderr).toContain("workspace");
    }
    expect(existsSync(join(cwd, "missing"))).toBe(false);
  });
});
