// `agent-compact wrap HOST`: the proxy and the agent together. The agent is told of the proxy by its environment and its
// arguments alone, so that nothing is left in a file when one of them ends badly.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import type { Environment } from "../../config/variables.ts";
import type { Upstream } from "../../proxy/upstreams.ts";
import { figure } from "../../text/figures.ts";
import { asText, isObject, type JsonObject } from "../../text/json-values.ts";
import { badInput } from "../flags.ts";
import type { WrappedHost } from "../hosts.ts";
import { AgentEnded, type Terminal } from "../terminal.ts";
import type { ProxyFlags } from "./program.ts";
import { openProxy } from "./proxy.ts";

/** What one agent needs to talk to the proxy in the place of its provider. */
interface Wrapping {
  readonly upstreams: readonly Upstream[];
  /** It would rather talk over a WebSocket, which no proxy can make smaller, and asks over HTTP where there is none. */
  readonly refusesSockets?: true;
  env(address: string): Environment;
  /** All of the agent's arguments. */
  args(address: string): readonly string[];
}

interface Wrapped {
  readonly env: Environment;
  readonly cwd: string;
  readonly args: readonly string[];
  /** In place of what the agent would ask. */
  readonly upstream: string | undefined;
}

const ANTHROPIC = "https://api.anthropic.com";
const OPENAI = "https://api.openai.com/v1";
const CHATGPT = "https://chatgpt.com/backend-api/codex";

const WRAPPINGS: Readonly<Record<WrappedHost, (wrapped: Wrapped) => Promise<Wrapping> | Wrapping>> = {
  claude: wrapClaude,
  codex: wrapCodex,
  opencode: wrapOpencode,
  aider: ({ env, args, upstream }) => {
    const anthropic = upstream ?? env.ANTHROPIC_API_BASE ?? env.ANTHROPIC_BASE_URL ?? ANTHROPIC;
    const openai = upstream ?? env.OPENAI_API_BASE ?? env.OPENAI_BASE_URL ?? OPENAI;
    return {
      upstreams: [
        { path: "/anthropic", url: new URL(anthropic) },
        { path: "/openai", url: new URL(openai) },
      ],
      env: (address) => ({
        ANTHROPIC_API_BASE: `${address}/anthropic`,
        ANTHROPIC_BASE_URL: `${address}/anthropic`,
        OPENAI_API_BASE: `${address}/openai`,
        OPENAI_BASE_URL: `${address}/openai`,
      }),
      args: () => args,
    };
  },
};

/** An address in Claude Code's settings wins over the environment, and one that is given with `--settings` over both. */
async function wrapClaude({ env, cwd, args, upstream }: Wrapped): Promise<Wrapping> {
  const folder = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), ".claude");
  const at = args.indexOf("--settings");
  const given = at < 0 ? {} : await readSettings(args[at + 1] ?? "", cwd);
  const places = [join(cwd, ".claude", "settings.local.json"), join(cwd, ".claude", "settings.json")];
  const files = await Promise.all([...places, join(folder, "settings.json")].map(readJsonc));
  const set = [given, ...files].map((settings) => (isObject(settings.env) ? settings.env.ANTHROPIC_BASE_URL : ""));
  const configured = set.map(asText).find((address) => address !== "");
  const own = at < 0 ? args : args.filter((_, index) => index !== at && index !== at + 1);
  const settings = (address: string) => ({
    ...given,
    env: { ...(isObject(given.env) ? given.env : {}), ANTHROPIC_BASE_URL: address },
  });
  return {
    upstreams: [{ url: new URL(upstream ?? configured ?? env.ANTHROPIC_BASE_URL ?? ANTHROPIC) }],
    env: (address) => ({ ANTHROPIC_BASE_URL: address }),
    args: (address) => (configured === undefined ? args : ["--settings", JSON.stringify(settings(address)), ...own]),
  };
}

/** JSON, or a file of it. */
async function readSettings(value: string, cwd: string): Promise<JsonObject> {
  return value.trimStart().startsWith("{") ? parsed(value) : await readJsonc(resolve(cwd, value));
}

/**
 * Codex takes a provider's address from its settings alone. One that they name is asked at its own address; else OpenAI, or
 * ChatGPT where Codex is logged in there. It stays the same provider, for Codex finds a session again only where it is.
 */
async function wrapCodex({ env, args, upstream }: Wrapped): Promise<Wrapping> {
  const home = env.CODEX_HOME ?? join(env.HOME ?? homedir(), ".codex");
  const at = args.findIndex((arg) => arg === "--profile" || arg === "-p");
  const profile = at < 0 ? {} : await readToml(join(home, `${args[at + 1]}.config.toml`));
  const layers = [profile, await readToml(join(home, "config.toml"))];
  const setting = (key: string) => layers.map((layer) => asText(layer[key])).find((value) => value !== "");
  const name = setting("model_provider") ?? "openai";
  const providers = layers.map(({ model_providers: all }) => (isObject(all) ? all[name] : undefined)).filter(isObject);
  const named = providers.map((provider) => asText(provider.base_url)).find((address) => address !== "");
  const isLogin = isObject(readJson(join(home, "auth.json")).tokens) && env.CODEX_API_KEY === undefined;
  const found = named ?? setting("openai_base_url") ?? (isLogin ? CHATGPT : OPENAI);
  const key = named === undefined ? "openai_base_url" : `model_providers.${name}.base_url`;
  return {
    upstreams: [{ url: new URL(upstream ?? found) }],
    refusesSockets: true,
    env: () => ({}),
    args: (address) => ["-c", `${key}=${JSON.stringify(address)}`, ...args],
  };
}

/** The two that opencode knows itself, and the variable that brings one up. */
const KNOWN = [
  ["anthropic", `${ANTHROPIC}/v1`, "ANTHROPIC_API_KEY"],
  ["openai", OPENAI, "OPENAI_API_KEY"],
] as const;

/** Every provider that opencode's settings give an address, and of those that it knows itself what there is a key for. */
async function wrapOpencode({ env, cwd, args, upstream }: Wrapped): Promise<Wrapping> {
  const home = env.HOME ?? homedir();
  const folder = join(env.XDG_CONFIG_HOME ?? join(home, ".config"), "opencode");
  const logins = readJson(join(env.XDG_DATA_HOME ?? join(home, ".local", "share"), "opencode", "auth.json"));
  const given = parsed(env.OPENCODE_CONFIG_CONTENT ?? "{}");
  const files = [folder, ...foldersAbove(cwd)].flatMap((each) => CONFIG_NAMES.map((name) => join(each, name)));
  const read = await Promise.all(
    [...files, ...(env.OPENCODE_CONFIG === undefined ? [] : [env.OPENCODE_CONFIG])].map(readJsonc),
  );
  const configs = [...read, given].map(({ provider }) => (isObject(provider) ? provider : {}));
  const isThere = (name: string) => name in logins || configs.some((providers) => name in providers);
  const places = new Map<string, string>(
    KNOWN.filter(([name, , key]) => env[key] !== undefined || isThere(name)).map(([name, address]) => [name, address]),
  );
  for (const [name, value] of configs.flatMap((providers) => Object.entries(providers))) {
    const address = isObject(value) && isObject(value.options) ? asText(value.options.baseURL) : "";
    if (URL.canParse(address)) places.set(name, address);
  }
  return {
    upstreams: [...places].map(([name, address]) => ({
      path: `/${encodeURIComponent(name)}`,
      url: new URL(upstream ?? address),
    })),
    env: (address) => {
      const provider = [...places.keys()].map((name) => {
        const before = isObject(given.provider) ? given.provider[name] : undefined;
        const options = { ...(isObject(before) && isObject(before.options) ? before.options : {}) };
        const baseURL = `${address}/${encodeURIComponent(name)}`;
        return [name, { ...(isObject(before) ? before : {}), options: { ...options, baseURL } }];
      });
      return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...given, provider: Object.fromEntries(provider) }) };
    },
    args: () => args,
  };
}

const CONFIG_NAMES = ["opencode.json", "opencode.jsonc"];

/** The outermost first, whose settings give way. */
function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [...foldersAbove(above), folder];
}

async function readToml(file: string): Promise<JsonObject> {
  if (!existsSync(file)) return {};
  const { parse } = await import("smol-toml");
  return parse(readFileSync(file, "utf8")) as JsonObject;
}

async function readJsonc(file: string): Promise<JsonObject> {
  if (!existsSync(file)) return {};
  const { parse } = await import("jsonc-parser");
  const value: unknown = parse(readFileSync(file, "utf8"));
  return isObject(value) ? value : {};
}

function readJson(file: string): JsonObject {
  return existsSync(file) ? parsed(readFileSync(file, "utf8")) : {};
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Ends as the agent does: throws `AgentEnded` with its exit code. Nothing is printed while it runs: the screen is the agent's. */
export async function wrapHost(
  host: WrappedHost,
  args: readonly string[],
  flags: ProxyFlags,
  terminal: Terminal,
): Promise<void> {
  const { env, cwd } = terminal;
  const wrapping = await WRAPPINGS[host]({ env, cwd, args, upstream: flags.upstream });
  const lines: string[] = [];
  const { running, close } = await openProxy(wrapping, { port: 0, ...flags }, terminal, (line) => {
    if (lines.push(line) > MOST_LINES) lines.shift();
  });
  const ignore = () => undefined;
  // Ctrl-C is for the agent, which is in the same terminal.
  process.on("SIGINT", ignore);
  try {
    const { address } = running;
    const code = await runAgent(host, wrapping.args(address), { ...env, ...wrapping.env(address) }, cwd);
    if (code !== 0) throw new AgentEnded(code);
  } finally {
    process.off("SIGINT", ignore);
    const { compactions, saved } = running.metrics.totals();
    if (flags.quiet !== true && compactions > 0) {
      const times = compactions === 1 ? "once" : `${compactions} times`;
      terminal.stderr.write(`agent-compact: compacted ${times}, ${figure(saved)} tokens less\n`);
    }
    if (flags.debug === true) for (const line of lines) terminal.stderr.write(`agent-compact: ${line}\n`);
    await close(0);
  }
}

/** Of the proxy's log, shown with --debug when the agent has ended. */
const MOST_LINES = 200;

function runAgent(host: string, args: readonly string[], env: Environment, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(host, args, { env: env as NodeJS.ProcessEnv, cwd, stdio: "inherit" });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, forward);
    const done = () => {
      for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, forward);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      done();
      const isMissing = error.code === "ENOENT";
      reject(
        isMissing
          ? badInput("HOST_NOT_FOUND", `There is no program ${host} here.`, `Install it, or see that it is on PATH.`)
          : error,
      );
    });
    child.once("exit", (code, signal) => {
      done();
      resolve(code ?? (signal === null ? 1 : 128 + (SIGNAL_NUMBERS[signal] ?? 0)));
    });
  });
}

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
