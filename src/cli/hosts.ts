// The hosts in one table: where each keeps its sessions and its configuration on this machine, and what `install` puts
// there. The same on Linux, macOS and Windows: below the home folder, or where a variable of the host says.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { platform } from "node:process";
import { homeOf } from "../config/workspace.ts";
import { shellWord } from "./flags.ts";
import type { Terminal } from "./terminal.ts";

type Environment = Terminal["env"];

export type Program = NonNullable<Terminal["program"]>;

export interface Entry {
  /** As a person calls it. */
  readonly what: string;
  /** The keys on the way to it; none where the whole file is ours. */
  readonly at: readonly string[];
  readonly value: unknown;
  /** It is one of a list, in which others have theirs. */
  readonly isListed?: true;
}

export interface HostFile {
  /** Absolute. */
  readonly path: string;
  /** `text`: a file that is ours as a whole. */
  readonly format: "json" | "toml" | "text";
  readonly entries: readonly Entry[];
}

interface Place {
  readonly home: string;
  readonly env: Environment;
  /** The host's folder: the person's, or the project's. */
  readonly folder: string;
  /** Where only a project is meant, its folder. */
  readonly project: string | undefined;
}

export interface Host {
  /** As the readers of session files call it. */
  readonly name: string;
  /** What starts it, which is its name for `install`. */
  readonly program: string;
  readonly title: string;
  readonly folder: (home: string, env: Environment) => string;
  /** Its folder in a project's. */
  readonly projectFolder: string;
  /** Where in its folder its sessions lie, and how the names of their files tell them. */
  readonly sessions?: { readonly below: string; readonly isSession: (name: string) => boolean };
  /** The database that they are in instead. */
  readonly database?: (home: string, env: Environment) => string;
  readonly files: (place: Place, program: Program) => readonly HostFile[];
  /** What is left to the person after an installation, for all projects and for one. */
  readonly next?: { readonly user?: string; readonly project?: string };
}

const isLines = (name: string) => name.endsWith(".jsonl");

export const HOSTS: readonly Host[] = [
  {
    name: "claude-code",
    program: "claude",
    title: "Claude Code",
    folder: (home, env) => env.CLAUDE_CONFIG_DIR || join(home, ".claude"),
    projectFolder: ".claude",
    // Those of its sub-agents lie beside them.
    sessions: { below: "projects", isSession: (name) => isLines(name) && !name.startsWith("agent-") },
    files: ({ home, env, folder, project }, program) => [
      {
        path: project === undefined ? join(env.CLAUDE_CONFIG_DIR || home, ".claude.json") : join(project, ".mcp.json"),
        format: "json",
        entries: [mcpServer("mcpServers", { type: "stdio", ...started(program) })],
      },
      {
        path: join(folder, "settings.json"),
        format: "json",
        entries: [
          ...hooks("claude-code", program),
          {
            what: "status line",
            at: ["statusLine"],
            value: { type: "command", command: commandLine(program, "status-line") },
          },
        ],
      },
      slashCommand(join(folder, "commands", "compact-now.md"), [
        "---",
        `description: ${COMPACT_NOW}`,
        `allowed-tools: Bash(${commandLine(program, "session", "compact")}:*)`,
        "disable-model-invocation: true",
        "---",
        `!\`${commandLine(program, "session", "compact")} \${CLAUDE_SESSION_ID}\``,
        "",
        TELL,
      ]),
    ],
    next: { project: "Start `claude` in this folder and approve the server." },
  },
  {
    name: "codex",
    program: "codex",
    title: "Codex",
    folder: (home, env) => env.CODEX_HOME || join(home, ".codex"),
    projectFolder: ".codex",
    sessions: { below: "sessions", isSession: (name) => isLines(name) && name.startsWith("rollout-") },
    files: ({ folder }, program) => [
      { path: join(folder, "config.toml"), format: "toml", entries: [mcpServer("mcp_servers", started(program))] },
      { path: join(folder, "hooks.json"), format: "json", entries: hooks("codex", program) },
    ],
    next: {
      user: "Start `codex` and trust the two hooks: it passes over those that nobody has looked at.",
      project: "Start `codex` in this folder, and trust the folder and the two hooks.",
    },
  },
  {
    name: "gemini-cli",
    program: "gemini",
    title: "Gemini CLI",
    folder: (home, env) => join(env.GEMINI_CLI_HOME || home, ".gemini"),
    projectFolder: ".gemini",
    sessions: { below: "tmp", isSession: (name) => name.startsWith("session-") && /\.jsonl?$/.test(name) },
    files: ({ folder }, program) => [
      {
        path: join(folder, "settings.json"),
        format: "json",
        entries: [mcpServer("mcpServers", started(program)), ...hooks("gemini-cli", program)],
      },
      slashCommand(join(folder, "commands", "compact-now.toml"), [
        `description = "${COMPACT_NOW}"`,
        "prompt = '''",
        `!{${commandLine(program, "session", "compact", "--last", "--host", "gemini-cli")}}`,
        "",
        TELL,
        "'''",
      ]),
    ],
    next: { project: "Trust this folder in Gemini CLI: it reads no settings of others." },
  },
  {
    name: "opencode",
    program: "opencode",
    title: "opencode",
    folder: (home, env) => join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode"),
    projectFolder: "",
    database: (home, env) => join(env.XDG_DATA_HOME || join(home, ".local", "share"), "opencode", "opencode.db"),
    files: ({ env, folder, project }, program) => [
      {
        path: (project === undefined && env.OPENCODE_CONFIG) || firstThere(folder, "opencode.json", "opencode.jsonc"),
        format: "json",
        entries: [
          mcpServer("mcp", { type: "local", command: [...program, "mcp"] }),
          ...compaction("plugin", "opencode.js", program),
        ],
      },
    ],
  },
  {
    name: "pi",
    program: "pi",
    title: "pi",
    folder: (home, env) => env.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"),
    projectFolder: ".pi",
    sessions: { below: "sessions", isSession: isLines },
    files: ({ folder }, program) => [
      { path: join(folder, "mcp.json"), format: "json", entries: [mcpServer("mcpServers", started(program))] },
      { path: join(folder, "settings.json"), format: "json", entries: compaction("extensions", "pi.js", program) },
      slashCommand(join(folder, "prompts", "compact-now.md"), [
        "---",
        `description: ${COMPACT_NOW}`,
        "---",
        "Run this in a shell:",
        "",
        `    ${commandLine(program, "session", "compact")} "$PI_SESSION_FILE"`,
        "",
        TELL,
      ]),
    ],
    next: { project: "Start `pi` in this folder and trust it: it reads no settings of others." },
  },
];

const COMPACT_NOW = "Write a smaller session to go on from; this one stays as it is";
const TELL = "Tell me the command in its output that goes on with the smaller session, and nothing else.";

/** Of the environment, or of the system. */
export function homeFolder(env: Environment): string {
  return homeOf(env) ?? homedir();
}

/** `project`: only there, and not for all projects of a person. */
export function filesOf(host: Host, env: Environment, program: Program, project?: string): readonly HostFile[] {
  const home = homeFolder(env);
  const folder = project === undefined ? host.folder(home, env) : join(project, host.projectFolder);
  return host.files({ home, env, folder, project }, program).filter(({ entries }) => entries.length > 0);
}

function firstThere(folder: string, ...names: readonly string[]): string {
  const paths = names.map((name) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? (paths[0] as string);
}

function mcpServer(below: string, value: object): Entry {
  return { what: "MCP server", at: [below, "agent-compact"], value };
}

function started([node, main]: Program) {
  return { command: node, args: [main, "mcp"] };
}

/** What runs in place of the host's own compaction, where this installation has it. */
function compaction(at: string, file: string, [, main]: Program): readonly Entry[] {
  const path = join(dirname(main), "..", "..", "plugins", file);
  return existsSync(path) ? [{ what: "compaction by code", at: [at], value: path, isListed: true }] : [];
}

function hooks(host: HookHost, program: Program): readonly Entry[] {
  const events = Object.entries(hookSettings(host, commandLine(program, "hook")).hooks);
  return events.map(([event, [value]]) => ({ what: `${event} hook`, at: ["hooks", event], value, isListed: true }));
}

function slashCommand(path: string, lines: readonly string[]): HostFile {
  return {
    path,
    format: "text",
    entries: [{ what: "/compact-now", at: [], value: `${lines.join("\n")}\n` }],
  };
}

/** As hosts give it to a shell. On Windows that is one of three, which take the same words where no space is in them. */
function commandLine(program: Program, ...rest: readonly string[]): string {
  const words = [...program, ...rest];
  if (platform !== "win32") return words.map(shellWord).join(" ");
  const paths = words.map((word) => word.replaceAll("\\", "/"));
  return paths.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ");
}

// The hooks that a person, or `install`, puts into a host's settings. All hosts read the same shape; Gemini CLI names one
// event otherwise, has no other, and counts in milliseconds.

export type HookHost = "claude-code" | "codex" | "gemini-cli";

interface HookSettings {
  readonly hooks: Readonly<Record<string, readonly [object]>>;
}

/** Seconds: a session of 100 MB takes half a minute, on a machine that is busy longer. */
const ARCHIVE_TIMEOUT = 300;
const RECORD_TIMEOUT = 30;

export function hookSettings(host: HookHost, command = "agent-compact hook"): HookSettings {
  const call = (timeout: number) => ({ type: "command", command, timeout });
  if (host === "gemini-cli") return { hooks: { PreCompress: [{ hooks: [call(ARCHIVE_TIMEOUT * 1000)] }] } };
  return {
    hooks: {
      PreCompact: [{ hooks: [call(ARCHIVE_TIMEOUT)] }],
      SessionStart: [{ matcher: "compact", hooks: [call(RECORD_TIMEOUT)] }],
    },
  };
}

/** Agents that `wrap` runs through a proxy, by the names of their programs. */
export const WRAPPED_HOSTS = ["claude", "codex", "opencode", "aider"] as const;

export type WrappedHost = (typeof WRAPPED_HOSTS)[number];
