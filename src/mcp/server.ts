// From a list of tools to the server that clients talk to. One factory for both transports and both eras of the protocol
// (2025-11-25 and 2026-07-28); which one a client speaks is the SDK's to find out.
import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { acceptingSchema, callTool, type Log, listedSchema, unfinishedAnswer, unnamedAnswer } from "./call-tool.ts";
import { shorten } from "./read-arguments.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Tool, ToolContext } from "./tool.ts";

export interface McpServerOptions {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  /** What clients put before their model; see `writeInstructions`. */
  readonly instructions: string;
  readonly version: string;
  /** Takes what a person should read, a line or a stack: never the protocol's stream. */
  readonly log: Log;
  readonly running: RunningCalls;
}

export type ServerFactory = () => McpServer;

/** Called once for each connection over stdio and once for each request over HTTP, so the schemas are made here. */
export function createMcpServerFactory(parts: McpServerOptions): ServerFactory {
  const { tools, context, instructions, version, log, running } = parts;
  const listed = tools.map((tool) => ({ tool, config: describeTool(tool) }));
  return () => {
    const server = new McpServer(
      { name: "agent-compact", title: "agent-compact memory", version },
      { instructions, capabilities: { tools: { listChanged: false } } },
    );
    const calls = new Map<string, ToolCall>();
    for (const { tool, config } of listed) {
      const call: ToolCall = (given) =>
        running.track(tool.name, callTool(tool, given, context, log), () => unfinishedAnswer(tool));
      calls.set(tool.name, call);
      server.registerTool(tool.name, config, call);
    }
    serveCalls(server, calls);
    return server;
  };
}

type ToolCall = (given: unknown) => Promise<CallToolResult>;

/** In place of the SDK's own look-up, which finds `constructor` and whatever else every object inherits. */
function serveCalls({ server }: McpServer, calls: ReadonlyMap<string, ToolCall>): void {
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: given } }) => {
    if (name === "") return unnamedAnswer([...calls.keys()]);
    const call = calls.get(name);
    if (call === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${shorten(name)} not found`);
    return call(given ?? {});
  });
}

function describeTool(tool: Tool) {
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: acceptingSchema(listedSchema(tool.params, "input")),
    outputSchema: acceptingSchema(listedSchema(tool.result, "output")),
    annotations: annotationsOf(tool),
  };
}

function annotationsOf({ title, hints }: Tool): ToolAnnotations {
  return {
    title,
    readOnlyHint: hints.isReadOnly,
    destructiveHint: hints.isDestructive,
    idempotentHint: hints.isIdempotent,
    openWorldHint: false,
  };
}
