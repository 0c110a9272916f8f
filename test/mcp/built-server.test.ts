// The server as it is installed, with its real tools: `agent-compact mcp` in a process of its own. Needs a build.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOOL_GROUPS, toolsOf } from "../../src/mcp/tool-groups.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { verifies } from "../requirements/verifies.ts";
import { call, type RawServer, startRaw, strayLines } from "./raw-client.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const help = existsSync(program)
  ? spawnSync(process.execPath, [program, "mcp", "--help"], { encoding: "utf8" }).stdout
  : "";
const isBuilt = help.includes("agent-compact mcp");

/**
 * Prints every few milliseconds from when the server has begun on; what a preloaded module prints before any module of
 * the program runs is out of every program's reach.
 */
const NOISY = `
  const print = () => { console.log("NOISE"); process.stdout.write("NOISE"); };
  setInterval(() => { if (Object.hasOwn(process.stdout, "write")) print(); }, 5).unref();
  process.on("exit", print);
`;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Started {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Its home and working directory are a folder of the test. */
function start({ flags = [], env = {} }: Started = {}) {
  const cwd = newFolder();
  return { cwd, ...startRaw({ argv: [program, "mcp", ...flags], cwd, env: { HOME: cwd, ...env } }) };
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
}

async function listedBy({ request }: RawServer): Promise<readonly ListedTool[]> {
  const { result = {} } = await request("tools/list");
  return result.tools as readonly ListedTool[];
}

describe.skipIf(!isBuilt)(`the built server${isBuilt ? "" : " (skipped: no build with the command mcp)"}`, () => {
  it("writes protocol only, whatever is called and whatever else prints", async () => {
    verifies("field/stray-text-on-stdout");
    const folder = newFolder();
    const noisy = join(folder, "noisy.mjs");
    writeFileSync(noisy, NOISY);
    const preload = `--import ${pathToFileURL(noisy).href}`;
    mkdirSync(join(folder, "archive"));
    const server = start({
      flags: [
        ...["--archive-dir", join(folder, "archive"), "--decisions", join(folder, "decisions")],
        ...["--workspace", folder, "--tools", "all"],
      ],
      env: { DEBUG: "*", NODE_OPTIONS: preload },
    });
    expect((await server.initialize()).result?.serverInfo).toMatchObject({ name: "agent-compact" });
    const tools = await toolsOf(TOOL_GROUPS, "all");
    for (const { name } of tools) {
      for (const given of [{}, { unknown: 1 }, null]) {
        const { result, error } = await server.request("tools/call", call(name, given));
        expect({ name, error }).toEqual({ name, error: undefined });
        expect(result?.content?.[0]?.text).toBeTruthy();
      }
    }
    server.child.stdin.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(strayLines(server.stdout())).toEqual([]);
    expect(server.stderr()).toContain("NOISE");
  });

  it.each(["core", "all"] as const)(
    "lists the tools of the set %s with the schema of their parameters",
    async (set) => {
      const server = start(set === "core" ? {} : { flags: ["--tools", set] });
      await server.initialize();
      const tools = await listedBy(server);
      expect(tools.map(({ name }) => name)).toEqual((await toolsOf(["observations"], set)).map(({ name }) => name));
      for (const { inputSchema, outputSchema } of tools) {
        expect(inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
        expect(outputSchema).toMatchObject({ type: "object" });
      }
    },
  );

  it("lists the archive's tools only where there is one", async () => {
    const withArchive = start({ flags: ["--archive-dir", "archive"] });
    await withArchive.initialize();
    expect((await listedBy(withArchive)).map(({ name }) => name)).toContain("archive_search");
  });

  it("makes its database at the first save, and finds what was saved in the next session", async () => {
    const cwd = newFolder();
    const connect = async () => {
      const client = new Client({ name: "test", version: "1" });
      const env = { ...process.env, HOME: cwd } as Record<string, string>;
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], cwd, env, stderr: "ignore" }),
      );
      return client;
    };
    const first = await connect();
    const saved = await first.callTool({
      name: "mem_save",
      arguments: {
        title: "Rounding of invoices",
        content: "Largest remainder, ties to the earlier line.",
        project: "billing",
      },
    });
    expect(saved.isError).toBeFalsy();
    await first.close();
    expect(existsSync(join(cwd, ".agent-compact", "memory.db"))).toBe(true);
    const second = await connect();
    onTestFinished(() => second.close());
    const found = await second.callTool({ name: "mem_search", arguments: { query: "rounding", limit: "5" } });
    expect(JSON.stringify(found.content)).toContain("Rounding of invoices");
  });

  it("answers all saves that were piped into it, and leaves a database that is closed and whole", async () => {
    verifies("field/server-outlives-client");
    const server = start({ flags: ["--db", "memory.db"] });
    void server.initialize();
    const saves = Array.from({ length: 30 }, (_, index) =>
      server.request("tools/call", call("mem_save", { title: `Note ${index}`, content: `Content ${index}` })),
    );
    server.child.stdin.end();
    for (const { result } of await Promise.all(saves)) expect(result?.isError).toBeUndefined();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(join(server.cwd, "memory.db"))).toBe(true);
    expect(existsSync(join(server.cwd, "memory.db-wal"))).toBe(false);
    const next = start({ flags: ["--db", join(server.cwd, "memory.db")] });
    await next.initialize();
    const { result } = await next.request("tools/call", call("mem_stats"));
    expect(result?.content?.[0]?.text).toMatch(/Observations\*\*: 30/);
  });

  it("answers a save that waits for another process's lock when its client leaves, and says that it is not known to be done", async () => {
    verifies("field/server-outlives-client");
    const server = start({ flags: ["--db", "memory.db"] });
    await server.initialize();
    await server.request("tools/call", call("mem_save", { title: "Early", content: "Saved in time" }));
    const other = (await findDriver()).open(join(server.cwd, "memory.db"));
    onTestFinished(() => void other.close());
    other.exec("BEGIN EXCLUSIVE");
    const late = server.request("tools/call", call("mem_save", { title: "Late", content: "Waits for the lock" }));
    await pause(100);
    server.child.stdin.end();
    const { result } = await late;
    expect(result?.isError).toBe(true);
    expect(result?.content?.[0]?.text).toMatch(/^mem_save was not finished .*not known whether it was carried out/);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toMatch(/^agent-compact: A call was not finished .*: mem_save\.$/m);
    other.exec("COMMIT");
    expect(
      other
        .prepare("SELECT title FROM observations")
        .all()
        .map(({ title }) => title),
    ).toEqual(["Early"]);
  });

  it("starts without its database; its tools say what is wrong", async () => {
    const server = start({ flags: ["--db", "."] });
    await server.initialize();
    for (let round = 0; round < 2; round++) {
      const { result } = await server.request("tools/call", call("mem_stats"));
      expect(result?.isError).toBe(true);
      expect(result?.content?.[0]?.text).not.toContain("unexpectedly");
    }
  });

  it.each([
    [["--http", "70000"], /--http must be a port up to 65535/],
    [["--http", "abc"], /--http must be a port up to 65535, not "abc"/],
    [["--max-tokens", "1"], /--max-tokens must be a whole number from 200/],
    [["--db", ""], /--db is empty/],
    [["--nonsense"], /unknown option/],
    [["--config", "nowhere.yaml"], /nowhere\.yaml/],
  ])("with %j exits with 2 and says why, on stderr alone", async (flags, message) => {
    const server = start({ flags });
    expect(await server.exit).toEqual({ code: 2, signal: null });
    expect(server.stdout()).toBe("");
    expect(server.stderr()).toMatch(message);
  });
});
