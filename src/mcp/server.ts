// From a list of tools to the server that clients talk to. One factory for both transports and both eras of the protocol
// (2025-11-25 and 2026-07-28); which one a client speaks is the SDK's to find out.
import { McpServer, type ToolAnnotations } from "@modelcontextprotocol/server";
import { callTool } from "./call-tool.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Tool, ToolContext } from "./tool.ts";
import type { Log } from "./tool-error.ts";
import { acceptingSchema, listedSchema } from "./tool-schema.ts";

export interface McpServerParts {
  readonly tools: readonly Tool[];
  readonly context: ToolContext;
  /** What clients put before their model; see instructions.ts. */
  readonly instructions: string;
  readonly version: string;
  /** Takes what a person should read, a line or a stack: never the protocol's stream. */
  readonly log: Log;
  readonly running: RunningCalls;
}

export type ServerFactory = () => McpServer;

/** Called once for each connection over stdio and once for each request over HTTP, so the schemas are made here. */
export function createMcpServerFactory(parts: McpServerParts): ServerFactory {
  const { tools, context, instructions, version, log, running } = parts;
  const listed = tools.map((tool) => ({ tool, config: describeTool(tool) }));
  return () => {
    const server = new McpServer(
      { name: "agent-compact", title: "agent-compact memory", version },
      { instructions, capabilities: { tools: { listChanged: false } } },
    );
    for (const { tool, config } of listed) {
      server.registerTool(tool.name, config, (given) => running.track(callTool(tool, given, context, log)));
    }
    return server;
  };
}

function describeTool(tool: Tool) {
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: acceptingSchema(listedSchema(tool.input, "input")),
    outputSchema: acceptingSchema(listedSchema(tool.output, "output")),
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
