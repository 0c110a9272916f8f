// The commands that run until they are told to end: servers and the proxy, their flags and their help.
import { TOOL_SETS } from "../../mcp/tool-groups.ts";
import type { Commands, FlagsOf } from "../command.ts";
import { oneOf, port, wholeNumber } from "../flags.ts";
import { WRAPPED_HOSTS } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";

const PROXYING = [
  ["--max-context-tokens <n>", "the window, where the model's own is not known or not wanted", wholeNumber(1000)],
  ["--report <size>", "the size that the agent is told: sent, or original (sent)", oneOf(["sent", "original"])],
  ["--slim", "shorten output that later output outdates, and base64 sent before, where the provider's cache is cold"],
  ["--state <dir>", "where compacted beginnings and the archive are (~/.agent-compact/proxy)"],
  ["--tools", "let the model look up what left: adds archive_search and archive_expand"],
] as const;

const MCP = [
  ["--db <file>", "database of observations (~/.agent-compact/memory.db)"],
  ["--archive-dir <dir>", "archived conversations to search (.compact/archive if it exists)"],
  ["--decisions <dir>", "folder of a decision log, made when it is new"],
  ["--workspace <dir>", "folder of MEMORY.md, or auto: as the environment names it"],
  ["--http <port>", "listen on 127.0.0.1 instead, 0 for any free port", port],
  ["--max-tokens <n>", "most tokens of an answer (8,000)", wholeNumber(200)],
  ["--tools <set>", "core, or all: also update, delete, relate, export, ... (core)", oneOf(TOOL_SETS)],
] as const;
export type McpFlags = FlagsOf<typeof MCP>;

const SERVE = [
  ["--port <n>", "port of 127.0.0.1, 0 for any free one (8100)", port],
  ["--decisions <dir>", "folder of YAML records (decisions, where that is)"],
  ["--db <file>", "database instead (~/.agent-compact/decisions.db)"],
] as const;
export type ServeFlags = FlagsOf<typeof SERVE>;

const PROXY = [
  ["--upstream <url>", "the provider's address, as https://api.anthropic.com"],
  ...PROXYING,
  ["--port <n>", "port to listen on, 0 for any free one (8788)", port],
  ["--listen <address>", "listen there instead of 127.0.0.1; asks for a token"],
] as const;
export type ProxyFlags = FlagsOf<typeof PROXY>;

export const SERVER_COMMANDS = (version: string): Commands => ({
  mcp: {
    about: "serve memory to an agent over MCP: stdin and stdout, or HTTP on this machine",
    flags: MCP,
    examples: [
      "agent-compact mcp",
      "agent-compact mcp --db project.db --http 8787",
      "agent-compact mcp --decisions decisions --workspace ~/agent",
      "claude mcp add memory -- agent-compact mcp",
    ],
    run: async () => {
      const { serveMcp } = await import("./mcp.ts");
      return (flags: McpFlags, terminal: Terminal) => serveMcp(flags, terminal, version);
    },
  },
  serve: {
    about: "serve a decision log over JSON-RPC on this machine, and run its cycle every day",
    flags: SERVE,
    note: "\nTokens, one for each agent, come from the environment: CSTP_AUTH_TOKENS=agent:token,agent:token\n",
    examples: ["agent-compact serve --decisions decisions", "agent-compact serve --db decisions.db --port 8200"],
    run: async () => (await import("./serve.ts")).serveDecisions,
  },
  proxy: {
    about: "stand between any agent and its provider, and compact each conversation before it overflows",
    flags: PROXY,
    note: "\nKeys go from the client to the provider and are kept nowhere.\n",
    examples: [
      "agent-compact proxy --upstream https://api.anthropic.com",
      "ANTHROPIC_BASE_URL=http://127.0.0.1:8788 claude",
    ],
    run: async () => (await import("./proxy.ts")).runProxy,
  },
  wrap: {
    about: "run an agent through a proxy of its own, which ends with it",
    args: [
      ["<host>", WRAPPED_HOSTS.join(", "), oneOf(WRAPPED_HOSTS)],
      ["[args...]", "of the agent, behind --"],
    ],
    flags: [["--upstream <url>", "in place of the provider that the agent would ask"], ...PROXYING],
    examples: ["agent-compact wrap claude", "agent-compact wrap codex -- resume --last"],
    run: async () => (await import("./wrap.ts")).wrapHost,
  },
});
