// The command of the MCP server, its flags and its help.
import type { Command } from "commander";
import { filledText, port, wholeNumber } from "../flags.ts";
import type { McpFlags } from "../mcp/open-mcp.ts";
import type { Terminal } from "../terminal.ts";
import { example } from "./command-parts.ts";

export function addMcpCommand(program: Command, terminal: Terminal): void {
  program
    .command("mcp")
    .description("serve memory to an agent over MCP: stdin and stdout, or HTTP on this machine")
    .option("--db <file>", "database of observations (~/.agent-compact/memory.db)", filledText("--db"))
    .option(
      "--archive-dir <dir>",
      "archived conversations to search (.compact/archive if it exists)",
      filledText("--archive-dir"),
    )
    .option("--decisions <dir>", "folder of a decision log, made when it is new", filledText("--decisions"))
    .option("--workspace <dir>", "folder of MEMORY.md, or auto: as the environment names it", filledText("--workspace"))
    .option("--http <port>", "listen on 127.0.0.1 instead, 0 for any free port", port("--http"))
    .option("--max-tokens <n>", "most tokens of an answer (8,000)", wholeNumber("--max-tokens", 200))
    .addHelpText(
      "after",
      example(
        "agent-compact mcp",
        "agent-compact mcp --db project.db --http 8787",
        "agent-compact mcp --decisions decisions --workspace ~/agent",
        "claude mcp add memory -- npx -y agent-compact mcp",
      ),
    )
    .action(async (_flags: unknown, self: Command) => {
      const { serveMcp } = await import("../commands/mcp.ts");
      await serveMcp(self.optsWithGlobals<McpFlags>(), terminal, program.version() ?? "0.0.0");
    });
}
