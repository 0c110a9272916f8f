// The commands that run until they are told to end: servers and the proxy, their flags and their help.
import type { Command } from "commander";
import { TOOL_SETS } from "../../mcp/tool-groups.ts";
import { example, filledText, oneOf, port, wholeNumber } from "../flags.ts";
import { WRAPPED_HOSTS, type WrappedHost } from "../hosts.ts";
import { AgentEnded, type Terminal } from "../terminal.ts";
import type { McpFlags } from "./open-mcp.ts";
import type { ProxyFlags } from "./proxy.ts";
import type { ServeFlags } from "./serve.ts";

export function addServerCommands(program: Command, terminal: Terminal): void {
  addMcpCommand(program, terminal);
  addServeCommand(program, terminal);
  addProxyCommand(program, terminal);
  addWrapCommand(program, terminal);
}

function addMcpCommand(program: Command, terminal: Terminal): void {
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
    .option(
      "--tools <set>",
      "core, or all: also update, delete, relate, export, ... (core)",
      oneOf("--tools", TOOL_SETS),
    )
    .addHelpText(
      "after",
      example(
        "agent-compact mcp",
        "agent-compact mcp --db project.db --http 8787",
        "agent-compact mcp --decisions decisions --workspace ~/agent",
        "claude mcp add memory -- agent-compact mcp",
      ),
    )
    .action(async (_flags: unknown, self: Command) => {
      const { serveMcp } = await import("./mcp.ts");
      await serveMcp(self.optsWithGlobals<McpFlags>(), terminal, program.version() ?? "0.0.0");
    });
}

function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command("serve")
    .description("serve a decision log over JSON-RPC on this machine, and run its cycle every day")
    .option("--port <n>", "port of 127.0.0.1, 0 for any free one (8100)", port("--port"))
    .option("--decisions <dir>", "folder of YAML records (decisions, where that is)", filledText("--decisions"))
    .option("--db <file>", "database instead (~/.agent-compact/decisions.db)", filledText("--db"))
    .addHelpText(
      "after",
      `\nTokens, one for each agent, come from the environment: CSTP_AUTH_TOKENS=agent:token,agent:token\n${example(
        "agent-compact serve --decisions decisions",
        "agent-compact serve --db decisions.db --port 8200",
      )}`,
    )
    .action(async (_flags: unknown, self: Command) => {
      const { serveDecisions } = await import("./serve.ts");
      await serveDecisions(self.optsWithGlobals<ServeFlags>(), terminal);
    });
}

function addProxyCommand(program: Command, terminal: Terminal): void {
  const proxy = program
    .command("proxy")
    .description("stand between any agent and its provider, and compact each conversation before it overflows")
    .option("--upstream <url>", "the provider's address, as https://api.anthropic.com", filledText("--upstream"));
  withProxyFlags(proxy)
    .option("--port <n>", "port to listen on, 0 for any free one (8788)", port("--port"))
    .option("--listen <address>", "listen there instead of 127.0.0.1; asks for a token", filledText("--listen"))
    .addHelpText(
      "after",
      `\nKeys go from the client to the provider and are kept nowhere.\n${example(
        "agent-compact proxy --upstream https://api.anthropic.com",
        "ANTHROPIC_BASE_URL=http://127.0.0.1:8788 claude",
      )}`,
    )
    .action(async (_flags: unknown, self: Command) => {
      const { runProxy } = await import("./proxy.ts");
      await runProxy(self.optsWithGlobals<ProxyFlags>(), terminal);
    });
}

function addWrapCommand(program: Command, terminal: Terminal): void {
  const wrap = program
    .command("wrap")
    .description("run an agent through a proxy of its own, which ends with it")
    .argument("<host>", WRAPPED_HOSTS.join(", "), oneOf("HOST", WRAPPED_HOSTS))
    .argument("[args...]", "of the agent, behind --")
    .option("--upstream <url>", "in place of the provider that the agent would ask", filledText("--upstream"));
  withProxyFlags(wrap)
    .addHelpText("after", example("agent-compact wrap claude", "agent-compact wrap codex -- resume --last"))
    .action(async (host: string, args: readonly string[], _flags: unknown, self: Command) => {
      const { wrapHost } = await import("./wrap.ts");
      const code = await wrapHost(host as WrappedHost, args, self.optsWithGlobals<ProxyFlags>(), terminal);
      if (code !== 0) throw new AgentEnded(code);
    });
}

function withProxyFlags(command: Command): Command {
  return command
    .option(
      "--max-context-tokens <n>",
      "the window, where the model's own is not known or not wanted",
      wholeNumber("--max-context-tokens", 1000),
    )
    .option(
      "--report <size>",
      "the size that the agent is told: sent, or original (sent)",
      oneOf("--report", ["sent", "original"]),
    )
    .option(
      "--slim",
      "shorten output that later output outdates, and base64 sent before, where the provider's cache is cold",
    )
    .option(
      "--state <dir>",
      "where compacted beginnings and the archive are (~/.agent-compact/proxy)",
      filledText("--state"),
    )
    .option("--tools", "let the model look up what left: adds archive_search and archive_expand");
}
