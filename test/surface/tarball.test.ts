// The package as a user gets it: packed, installed in an empty folder without a lock file, and asked through a real client.
// Needs the registry; the native driver is not compiled once more, but taken from this checkout.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundleRoot } from "../../bench/package/bundle-root.ts";
import { bytesBelow } from "../../bench/package/bytes-below.ts";
import { TOOL_GROUPS, toolsOf } from "../../src/mcp/tool-groups.ts";
import { verifies } from "../requirements/verifies.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const isBuilt = existsSync(join(checkout, "dist", "cli", "main.js"));
const run = promisify(execFile);
const MINUTES = 60_000;
const hasOwnSqlite = process.getBuiltinModule("node:sqlite") !== undefined;

let folder = "";
let failure: string | undefined;

beforeAll(async () => {
  if (!isBuilt) return;
  folder = mkdtempSync(join(tmpdir(), "agent-compact-tarball-"));
  try {
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: checkout });
    const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    await run("npm", ["install", ...quiet, join(folder, tarball)], { cwd: folder });
    copyDriver();
  } catch (error) {
    failure = String(error);
  }
}, 5 * MINUTES);

afterAll(() => {
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

/** What a user writes; `@ts-expect-error` where the types must say no. */
const CONSUMER = `
import { CompactManager, type CompactConfig, type CompactEvent, createCallbackSink } from "agent-compact";
import { createHostPreflight, type Translation } from "agent-compact/host";
import { createTokenCounter } from "agent-compact/tokens";
import { createScriptedModel } from "agent-compact/testing";

const config: CompactConfig = { model: "gpt-4o", policy: { triggerPct: 0.8 } };
const seen: CompactEvent[] = [];
const manager = new CompactManager({ ...config, trace: [createCallbackSink((event) => seen.push(event))] });
const messages: readonly unknown[] = await manager.preflight("s", [{ role: "user", content: "Hi." }]);
const tokens: number = createTokenCounter({ encoding: "o200k_base" }).countMessages(messages);
const plain: Translation<{ text: string }> = {
  format: "openai-chat",
  toNative: ({ text }) => [{ role: "user", content: text }],
  toHost: ({ content }) => ({ text: String(content) }),
};
const sent: readonly { text: string }[] = await createHostPreflight(manager, plain)([{ text: "Hi." }]);
// @ts-expect-error a policy has no such key
new CompactManager({ policy: { triggerPercent: 0.8 } });
// @ts-expect-error a session is named
await manager.preflight([{ role: "user", content: "Hi." }]);
export { createScriptedModel, sent, tokens };
`;

/** On a Node without SQLite of its own. */
function copyDriver(): void {
  const compiled = join(checkout, "node_modules", "@photostructure/sqlite", "build");
  const place = join(folder, "node_modules", "@photostructure/sqlite", "build");
  if (!hasOwnSqlite && existsSync(compiled) && !existsSync(place)) cpSync(compiled, place, { recursive: true });
}

async function connect(): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const program = join(folder, "node_modules", "agent-compact", "dist", "cli", "main.js");
  const places = ["--db", join(folder, "memory.db"), "--archive-dir", join(folder, "archive")];
  const argv = [
    program,
    "mcp",
    ...places,
    "--decisions",
    join(folder, "decisions"),
    "--workspace",
    folder,
    "--tools",
    "all",
  ];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: argv, cwd: folder, stderr: "ignore" }),
  );
  onTestFinished(() => client.close());
  return client;
}

describe.skipIf(!isBuilt)(`the packed package${isBuilt ? "" : " (skipped: no build)"}`, () => {
  it("holds what it publishes and nothing else, and weighs what it says", async (context) => {
    if (failure !== undefined) context.skip("the package was not installed");
    const root = join(folder, "node_modules", "agent-compact");
    expect(readdirSync(root).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json", "plugins"]);
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
    const entries = Object.values(exports).filter(
      (entry): entry is Record<string, string> => typeof entry === "object",
    );
    expect(entries.length).toBeGreaterThan(9);
    for (const file of entries.flatMap(Object.values)) expect(existsSync(join(root, file as string)), file).toBe(true);
    const optional = bytesBelow(join(folder, "node_modules", "@photostructure/sqlite"));
    expect(bytesBelow(join(folder, "node_modules")) - optional).toBeLessThan(40e6);
    expect((await bundleRoot()).gzip).toBeLessThan(2.5e6);
  });

  it(
    "has types that a strict project compiles, without any framework",
    async (context) => {
      if (failure !== undefined) context.skip("the package was not installed");
      writeFileSync(join(folder, "use.mts"), CONSUMER);
      const compiler = join(checkout, "node_modules", "typescript", "bin", "tsc");
      const flags = ["--strict", "--noEmit", "--target", "es2023", "--module", "nodenext"];
      const { stdout } = await run(process.execPath, [compiler, ...flags, join(folder, "use.mts")], {
        cwd: folder,
      }).catch((error: { stdout: string }) => error);
      expect(stdout).toBe("");
    },
    2 * MINUTES,
  );

  it("installs without a lock file, lists every tool with its parameters and answers each", async (context) => {
    verifies("field/empty-tool-schemas");
    if (failure !== undefined && /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)/.test(failure)) {
      context.skip("no registry can be reached");
    }
    expect(failure).toBeUndefined();
    const client = await connect();
    const { tools } = await client.listTools();
    const own = await toolsOf(TOOL_GROUPS, "all");
    expect(tools.map(({ name }) => name)).toEqual(own.map(({ name }) => name));
    for (const [index, { name, inputSchema, outputSchema }] of tools.entries()) {
      const shape = own[index]?.params.shape ?? {};
      expect(inputSchema.type).toBe("object");
      expect(Object.keys(inputSchema.properties ?? {}), name).toEqual(Object.keys(shape));
      const required = Object.entries(shape).flatMap(([key, schema]) => (schema.isOptional() ? [] : [key]));
      expect(inputSchema.required ?? [], name).toEqual(required);
      expect(outputSchema?.type).toBe("object");
      const answer = await client.callTool({ name, arguments: {} });
      expect(JSON.stringify(answer.content), name).not.toMatch(/_parse|unexpectedly/);
    }
    const saved = await client.callTool({ name: "mem_save", arguments: { title: "T", content: "C" } });
    expect(saved.isError).toBeFalsy();
  });

  it("starts without the native driver; the store serves where Node brings SQLite, else its tools say what to install", async (context) => {
    verifies("field/native-module-does-not-load");
    if (failure !== undefined) context.skip("the package was not installed");
    rmSync(join(folder, "node_modules", "@photostructure/sqlite"), { recursive: true, force: true });
    const client = await connect();
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    const stats = await client.callTool({ name: "mem_stats", arguments: {} });
    const text = JSON.stringify(stats.content);
    if (hasOwnSqlite) expect(text).toContain("Memory Statistics");
    else {
      expect(stats.isError).toBe(true);
      expect(text).toContain("@photostructure/sqlite");
    }
    const search = await client.callTool({ name: "archive_search", arguments: { query: "x" } });
    expect(JSON.stringify(search.content)).not.toContain("@photostructure/sqlite");
  });
});
