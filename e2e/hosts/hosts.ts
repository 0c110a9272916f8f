// The hosts: how each is set up for the scripted model and our server, how it takes a prompt without a terminal, where its
// session file lies, and what of ours is expected of it. hosts.test.ts looks whether that is so.
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Turn } from "./scripted-model.ts";
import type { Body } from "./wires.ts";

export interface Host {
  readonly name: string;
  /** The npm package. */
  readonly from: string;
  /** Below node_modules. */
  readonly program: string;
  /** A release of some months before, whose sessions are gone on with as well. */
  readonly older: Pick<Host, "from" | "program">;
  readonly env?: (address: string) => Readonly<Record<string, string>>;
  /** Files below the home folder, before anything runs: with our server and hook, where `isByHand`, or to install into. */
  readonly files?: (address: string, isByHand: boolean) => Readonly<Record<string, unknown>>;
  /** Adds our server, as the guide says; without it the server is in `files`. */
  readonly addServer?: readonly string[];
  readonly prompt: (text: string, isFirst: boolean) => readonly string[];
  /** Goes on with a session of its own that we wrote; absent where none is written. */
  readonly goOn?: (text: string, file: string) => readonly string[];
  /** Takes it in first, where the host keeps its sessions in no files. */
  readonly takeIn?: (file: string) => readonly string[];
  /** Lets our tools run without a question. The first prompt goes without, to see what happens. */
  readonly approve?: readonly string[];
  /** Whether a person is asked before a note is saved: without a terminal that is a refusal. */
  readonly asks: boolean;
  /** How our tools reach the model: each with its schema, by their names, or as one server that a program looks into. */
  readonly lists: "declared" | "by name" | "as a server";
  /** What the model calls before the first tool of ours, where they are listed by name. */
  readonly loads?: Turn["calls"][number];
  /** When the model reports a full window, so that the host compacts: in its last answer, or already with the call. */
  readonly fullAt: NonNullable<Turn["fullAt"]>;
  /** Compacts by hand, where that needs no terminal. */
  readonly compact?: readonly string[];
  readonly hook?: {
    /** The name that `hook --print` knows, and where that goes; without it the hook is in `files`. */
    readonly print?: { readonly name: string; readonly to: string };
    /** Who reads the hook's text. */
    readonly reaches: readonly ("summarizer" | "model")[];
  };
  /** The file's folder below the home folder; or the calls that list sessions and print one. */
  readonly sessions: string | { readonly list: readonly string[]; readonly print: readonly string[] };
  /** As `inspect` names it. */
  readonly format: string;
}

const KEY = "not-a-key";
const SERVER = ["agent-compact", "mcp"];
/** Tokens: more than sixty turns take, less than the model reports where a turn is to fill its window. */
const COMPACTS_AT = ["--autocompact", "180000"];
export const modules = fileURLToPath(new URL("node_modules/", import.meta.url));

export const HOSTS: readonly Host[] = [
  {
    name: "Claude Code",
    from: "@anthropic-ai/claude-code",
    program: `@anthropic-ai/claude-code-linux-${process.arch}/claude`,
    older: { from: "claude-code-older", program: "claude-code-older/claude" },
    env: (address) => ({ ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: KEY }),
    addServer: ["mcp", "add", "-s", "user", "memory", "--", ...SERVER],
    prompt: (text, isFirst) => ["-p", text, ...(isFirst ? [] : ["--continue"]), ...COMPACTS_AT],
    goOn: (text, file) => ["-p", text, "--resume", idIn(file), ...COMPACTS_AT],
    approve: ["--allowedTools", "mcp__memory"],
    asks: true,
    lists: "by name",
    loads: { tool: "ToolSearch", input: { query: "select:mcp__memory__mem_save,mcp__memory__mem_search" } },
    fullAt: "answer",
    compact: ["-p", "/compact", "--continue"],
    hook: { print: { name: "claude-code", to: ".claude/settings.json" }, reaches: ["summarizer", "model"] },
    sessions: ".claude/projects",
    format: "claude-code",
  },
  codex({ name: "Codex", model: "gpt-5-codex", lists: "declared" }),
  codex({ name: "Codex, code mode", model: "gpt-6.2-sol", lists: "as a server" }),
  {
    name: "Gemini CLI",
    from: "@google/gemini-cli",
    program: "@google/gemini-cli/bundle/gemini.js",
    older: { from: "gemini-cli-older", program: "gemini-cli-older/bundle/gemini.js" },
    env: (address) => ({ GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: KEY }),
    files: (_, isByHand) => ({
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        ...(isByHand
          ? { hooks: { PreCompress: [{ hooks: [{ type: "command", command: "agent-compact hook" }] }] } }
          : {}),
      },
    }),
    addServer: ["mcp", "add", "-s", "user", "memory", ...SERVER],
    prompt: (text, isFirst) => [
      ...["--model", "gemini-2.5-pro", "--skip-trust", "--prompt", text],
      ...(isFirst ? [] : ["--resume", "latest"]),
    ],
    goOn: (text, file) => [
      "--model",
      "gemini-2.5-pro",
      "--skip-trust",
      "--prompt",
      text,
      "--resume",
      headOf(file).sessionId,
    ],
    approve: ["--yolo"],
    asks: true,
    lists: "declared",
    // It looks at its size only while a process runs.
    fullAt: "call",
    hook: { reaches: [] },
    sessions: ".gemini/tmp",
    format: "gemini-cli",
  },
  {
    name: "opencode",
    // The program that the package opencode-ai starts.
    from: `opencode-linux-${process.arch}`,
    program: `opencode-linux-${process.arch}/bin/opencode`,
    older: { from: "opencode-older", program: "opencode-older/bin/opencode" },
    files: (address, isByHand) => ({
      ".config/opencode/opencode.json": {
        model: "scripted/model",
        small_model: "scripted/model",
        autoupdate: false,
        share: "disabled",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${address}/v1`, apiKey: KEY },
            models: { model: { limit: { context: 128_000, output: 8_000 } } },
          },
        },
        ...(isByHand ? { mcp: { memory: { type: "local", command: SERVER } } } : {}),
      },
    }),
    // Word by word, for an argument with spaces arrives in quotation marks.
    prompt: (text, isFirst) => ["run", ...(isFirst ? [] : ["--continue"]), ...text.split(" ")],
    asks: false,
    lists: "declared",
    fullAt: "answer",
    takeIn: (file) => ["import", file],
    goOn: (text, file) => ["run", "--session", headOf(file).info.id, ...text.split(" ")],
    sessions: { list: ["session", "list"], print: ["export"] },
    format: "opencode",
  },
  {
    name: "pi",
    from: "@earendil-works/pi-coding-agent",
    program: "@earendil-works/pi-coding-agent/dist/bundle/cli.js",
    older: { from: "pi-older", program: "pi-older/dist/bundle/cli.js" },
    files: (address) => ({
      ".pi/agent/models.json": {
        providers: {
          scripted: {
            baseUrl: `${address}/v1`,
            api: "openai-completions",
            apiKey: KEY,
            models: [{ id: "model", contextWindow: 128_000, maxTokens: 8_000 }],
          },
        },
      },
      ".pi/agent/settings.json": { compaction: { keepRecentTokens: 100 } },
    }),
    addServer: ["mcp", "add", "memory", "--", ...SERVER],
    prompt: (text, isFirst) => ["--model", "scripted/model", ...(isFirst ? [] : ["--continue"]), "-p", text],
    goOn: (text, file) => ["--model", "scripted/model", "--session", file, "-p", text],
    asks: false,
    lists: "as a server",
    fullAt: "answer",
    sessions: ".pi/agent/sessions",
    format: "pi",
  },
];

/** Older models call tools one by one, current ones by a program. */
function codex({ name, model, lists }: Pick<Host, "name" | "lists"> & { readonly model: string }): Host {
  return {
    name,
    from: "@openai/codex",
    program: ".bin/codex",
    older: { from: "codex-older", program: "codex-older/vendor/x86_64-unknown-linux-musl/bin/codex" },
    env: () => ({ MODEL_KEY: KEY }),
    // `required`, or the first request may leave before the server has told its tools.
    files: (address, isByHand) => ({
      ".codex/config.toml": `
model = "${model}"
model_provider = "scripted"
model_auto_compact_token_limit = 100000
check_for_update_on_startup = false
analytics.enabled = false
${isByHand ? `mcp_servers.memory = { command = "${SERVER[0]}", args = ["${SERVER[1]}"], required = true }` : ""}
model_providers.scripted = { name = "scripted", base_url = "${address}/v1", wire_api = "responses", env_key = "MODEL_KEY" }
`,
    }),
    prompt: (text, isFirst) => [
      ...["exec", ...(isFirst ? [] : ["resume", "--last"])],
      ...["--skip-git-repo-check", "--dangerously-bypass-hook-trust", text],
    ],
    goOn: (text, file) => [
      ...["exec", "resume", idIn(file), "--skip-git-repo-check", "--dangerously-bypass-hook-trust", text],
    ],
    asks: false,
    lists,
    fullAt: "answer",
    hook: { print: { name: "codex", to: ".codex/hooks.json" }, reaches: ["model"] },
    sessions: ".codex/sessions",
    format: "codex",
  };
}

/** The session's id at the end of a file's name. */
function idIn(file: string): string {
  return /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\.jsonl$)/.exec(file)?.[0] ?? "";
}

function headOf(file: string): Body {
  return JSON.parse(readFileSync(file, "utf8").split("\n", 1)[0] ?? "");
}

/** Off wherever a switch is known; the network is not there anyway. */
export const QUIET = {
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DO_NOT_TRACK: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  PI_TELEMETRY: "0",
  PI_OFFLINE: "1",
  NO_COLOR: "1",
};

/** Undefined where it is not installed. */
export function versionOf({ from }: Pick<Host, "from">): string | undefined {
  try {
    return JSON.parse(readFileSync(`${modules}${from}/package.json`, "utf8")).version;
  } catch {
    return undefined;
  }
}
