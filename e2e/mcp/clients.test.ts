// The server as real clients see it: SDK v1, SDK v2 in both eras of the protocol, over stdio and HTTP, and the inspector.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { newFolder } from "../../test/cli/command-line.ts";
import { builtToolServer } from "../../test/mcp/built-tool-server.ts";
import { testTools } from "../../test/mcp/programs/tools.ts";
import { startHttp } from "../../test/mcp/raw-client.ts";
import { verifies } from "../../test/requirements/verifies.ts";

const argv = builtToolServer();
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const about = { name: "test", version: "1" };
const command = () => ({ command: process.execPath, args: [...argv], stderr: "ignore" as const });

interface SeenTool {
  readonly name: string;
  readonly inputSchema: { readonly type?: unknown; readonly properties?: object | undefined };
}

/** What the tests need of a client, the same for all. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly SeenTool[] }>;
  callTool(request: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

interface Connected {
  readonly client: AnyClient;
  readonly protocol: string | undefined;
  readonly instructions: string | undefined;
}

async function connectV1(transport: StdioV1 | HttpV1): Promise<Connected> {
  const client = new ClientV1(about);
  await client.connect(transport as never);
  const protocol = transport instanceof HttpV1 ? transport.protocolVersion : "2025-11-25";
  return { client, protocol, instructions: client.getInstructions() };
}

async function connectV2(transport: StdioV2 | HttpV2, mode: "legacy" | { pin: string }): Promise<Connected> {
  const client = new ClientV2(about, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, protocol: client.getNegotiatedProtocolVersion(), instructions: client.getInstructions() };
}

const modern = { pin: "2026-07-28" };

const clients: readonly (readonly [string, string, () => Promise<Connected>])[] = [
  ["SDK v1 over stdio", "2025-11-25", () => connectV1(new StdioV1(command()))],
  ["SDK v2 over stdio", "2025-11-25", () => connectV2(new StdioV2(command()), "legacy")],
  ["SDK v2 over stdio", "2026-07-28", () => connectV2(new StdioV2(command()), modern)],
  ["SDK v1 over HTTP", "2025-11-25", async () => connectV1(new HttpV1(await startHttp(argv)))],
  ["SDK v2 over HTTP", "2025-11-25", async () => connectV2(new HttpV2(await startHttp(argv)), "legacy")],
  ["SDK v2 over HTTP", "2026-07-28", async () => connectV2(new HttpV2(await startHttp(argv)), modern)],
];

describe.each(clients)("%s, protocol %s", (_name, protocol, connect) => {
  it("reads instructions and tools, calls them, and understands their errors", async () => {
    verifies("field/arguments-as-strings");
    const connected = await connect();
    const { client } = connected;
    onTestFinished(() => client.close());
    expect(connected.protocol).toBe(protocol);
    expect(connected.instructions).toBe("Tools of the tests.");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(testTools.map(({ name }) => name));
    for (const { inputSchema } of tools) expect(inputSchema.type).toBe("object");
    expect(
      await client.callTool({ name: "repeat", arguments: { older_than_days: "30", dry_run: "false" } }),
    ).toMatchObject({
      content: [{ type: "text", text: 'given {"older_than_days":30,"dry_run":false}' }],
      structuredContent: { given: { older_than_days: 30, dry_run: false } },
    });
    expect(await client.callTool({ name: "repeat", arguments: { older_than_days: "30 days" } })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("must be a number") }],
    });
    for (const name of ["refusing", "crashing", "untrue", "storing"]) {
      expect(await client.callTool({ name, arguments: {} })).toMatchObject({ isError: true });
    }
    expect(await client.callTool({ name: "generous", arguments: {} })).toMatchObject({
      structuredContent: { done: true },
    });
    const calls = Array.from({ length: 20 }, (_, index) =>
      client.callTool({ name: "repeat", arguments: { older_than_days: index + 1 } }),
    );
    for (const [index, answer] of (await Promise.all(calls)).entries()) {
      expect(answer).toMatchObject({ structuredContent: { given: { older_than_days: index + 1 } } });
    }
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow("nothing");
  });
});

describe("the inspector's command line", () => {
  const inspector = fileURLToPath(
    new URL("../node_modules/@modelcontextprotocol/inspector/cli/build/cli.js", import.meta.url),
  );
  const inspect = (server: readonly string[], ...words: readonly string[]) => {
    const cwd = newFolder();
    const ran = spawnSync(process.execPath, [inspector, "--cli", process.execPath, ...server, ...words], {
      cwd,
      encoding: "utf8",
    });
    return { status: ran.status, answer: JSON.parse(ran.stdout || "null"), stderr: ran.stderr };
  };

  it("lists the tools and calls one", () => {
    const { status, answer } = inspect(argv, "--method", "tools/list");
    expect(status).toBe(0);
    expect(answer.tools.map(({ name }: { readonly name: string }) => name)).toEqual(testTools.map(({ name }) => name));
    const called = inspect(
      argv,
      "--method",
      "tools/call",
      "--tool-name",
      "repeat",
      "--tool-arg",
      "older_than_days=30",
      "ids=[1,2]",
    );
    expect(called.answer.structuredContent).toMatchObject({ given: { older_than_days: 30, ids: [1, 2] } });
  });

  it("finds the server as it is installed", () => {
    const server = [program, "mcp", "--db", "memory.db"];
    expect(inspect(server, "--method", "tools/list").answer.tools.length).toBe(8);
    const call = ["--method", "tools/call", "--tool-name", "mem_compact", "--tool-arg", "older_than_days=30"];
    const { answer } = inspect(server, ...call);
    expect(answer.isError).toBeFalsy();
    expect(answer.content[0].text).toContain("No stale observations found older than 30 days.");
  });
});
