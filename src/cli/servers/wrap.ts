// `agent-compact wrap HOST`: the proxy and the agent together. The agent is told of the proxy by its environment and its
// arguments alone, so that nothing is left in a file when one of them ends badly.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Environment } from "../../config/variables.ts";
import type { Upstream } from "../../proxy/upstreams.ts";
import { figure } from "../../text/figures.ts";
import { asText, isObject, type JsonObject } from "../../text/json-values.ts";
import { badInput } from "../flags.ts";
import type { WrappedHost } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";
import { openProxy, type ProxyFlags } from "./proxy.ts";

/** What one agent needs to talk to the proxy in the place of its provider. */
interface Wrapping {
  readonly upstreams: readonly Upstream[];
  env(address: string): Environment;
  args(address: string): readonly string[];
}

const ANTHROPIC = "https://api.anthropic.com";
const OPENAI = "https://api.openai.com/v1";
const CHATGPT = "https://chatgpt.com/backend-api/codex";
const noArgs = () => [];

const WRAPPINGS: Readonly<
  Record<WrappedHost, (env: Environment, upstream: URL | undefined) => Promise<Wrapping> | Wrapping>
> = {
  claude: (env, upstream) => ({
    upstreams: [{ url: upstream ?? new URL(env.ANTHROPIC_BASE_URL ?? ANTHROPIC) }],
    env: (address) => ({ ANTHROPIC_BASE_URL: address }),
    args: noArgs,
  }),
  codex: wrapCodex,
  opencode: wrapOpencode,
  aider: (env) => ({
    upstreams: [
      { path: "/anthropic", url: new URL(env.ANTHROPIC_API_BASE ?? env.ANTHROPIC_BASE_URL ?? ANTHROPIC) },
      { path: "/openai", url: new URL(env.OPENAI_API_BASE ?? env.OPENAI_BASE_URL ?? OPENAI) },
    ],
    env: (address) => ({
      ANTHROPIC_API_BASE: `${address}/anthropic`,
      ANTHROPIC_BASE_URL: `${address}/anthropic`,
      OPENAI_API_BASE: `${address}/openai`,
      OPENAI_BASE_URL: `${address}/openai`,
    }),
    args: noArgs,
  }),
};

/**
 * Codex takes a provider's address from its settings, and would rather talk over a WebSocket, which no proxy can make smaller. One
 * that its settings name is asked at its own address; else OpenAI, or ChatGPT where Codex is logged in there.
 */
async function wrapCodex(env: Environment, upstream: URL | undefined): Promise<Wrapping> {
  const home = env.CODEX_HOME ?? join(env.HOME ?? homedir(), ".codex");
  const settings = await readToml(join(home, "config.toml"));
  const name = asText(settings.model_provider) || "openai";
  const providers = isObject(settings.model_providers) ? settings.model_providers : {};
  const own = providers[name];
  const isNamed = isObject(own) && asText(own.base_url) !== "";
  const isLogin = isObject(readJson(join(home, "auth.json")).tokens) && env.OPENAI_API_KEY === undefined;
  const found = isNamed ? asText(own.base_url) : (env.OPENAI_BASE_URL ?? (isLogin ? CHATGPT : OPENAI));
  const through = isNamed ? name : "agent-compact";
  const set = (key: string, value: string) => ["-c", `model_providers.${through}.${key}=${value}`];
  return {
    upstreams: [{ url: upstream ?? new URL(found) }],
    env: () => ({}),
    args: (address) => [
      ...set("base_url", JSON.stringify(address)),
      ...set("supports_websockets", "false"),
      ...(isNamed
        ? []
        : [
            ...set("name", '"OpenAI"'),
            ...set("wire_api", '"responses"'),
            ...set("requires_openai_auth", "true"),
            ...["-c", 'model_provider="agent-compact"'],
          ]),
    ],
  };
}

/** Every provider that opencode's settings give an address, and the two that it knows itself. */
async function wrapOpencode(env: Environment): Promise<Wrapping> {
  const folder = join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), ".config"), "opencode");
  const files = [join(folder, "opencode.json"), join(folder, "opencode.jsonc"), env.OPENCODE_CONFIG, "opencode.json"];
  const places = new Map([
    ["anthropic", `${ANTHROPIC}/v1`],
    ["openai", OPENAI],
  ]);
  for (const file of files) {
    const { provider } = await readJsonc(file);
    for (const [name, value] of Object.entries(isObject(provider) ? provider : {})) {
      const address = isObject(value) && isObject(value.options) ? asText(value.options.baseURL) : "";
      if (URL.canParse(address)) places.set(name, address);
    }
  }
  const given = parsed(env.OPENCODE_CONFIG_CONTENT ?? "{}");
  return {
    upstreams: [...places].map(([name, address]) => ({ path: `/${encodeURIComponent(name)}`, url: new URL(address) })),
    env: (address) => {
      const provider = [...places.keys()].map((name) => {
        const before = isObject(given.provider) ? given.provider[name] : undefined;
        const options = { ...(isObject(before) && isObject(before.options) ? before.options : {}) };
        const baseURL = `${address}/${encodeURIComponent(name)}`;
        return [name, { ...(isObject(before) ? before : {}), options: { ...options, baseURL } }];
      });
      return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...given, provider: Object.fromEntries(provider) }) };
    },
    args: noArgs,
  };
}

async function readToml(file: string): Promise<JsonObject> {
  if (!existsSync(file)) return {};
  const { parse } = await import("smol-toml");
  return parse(readFileSync(file, "utf8")) as JsonObject;
}

async function readJsonc(file: string | undefined): Promise<JsonObject> {
  if (file === undefined || !existsSync(file)) return {};
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

/** Resolves to the agent's exit code. Nothing is printed while it runs: the screen is the agent's. */
export async function wrapHost(
  host: WrappedHost,
  args: readonly string[],
  flags: ProxyFlags,
  terminal: Terminal,
): Promise<number> {
  const upstream = flags.upstream === undefined ? undefined : new URL(flags.upstream);
  const wrapping = await WRAPPINGS[host](terminal.env, upstream);
  const lines: string[] = [];
  const { running, close } = await openProxy(wrapping.upstreams, { port: 0, ...flags }, terminal, (line) => {
    if (lines.push(line) > MOST_LINES) lines.shift();
  });
  const ignore = () => undefined;
  // Ctrl-C is for the agent, which is in the same terminal.
  process.on("SIGINT", ignore);
  try {
    const env = { ...terminal.env, ...wrapping.env(running.address) };
    return await runAgent(host, [...wrapping.args(running.address), ...args], env, terminal.cwd);
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
