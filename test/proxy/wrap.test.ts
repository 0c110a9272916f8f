// How an agent is told of the proxy, where each looks for its provider's address, and that it is asked there.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, newFolder, snapshot } from "../cli/command-line.ts";
import { startProvider } from "./provider.ts";

/** What the agent was started with, and what it was answered when it asked. */
interface Started {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly status: number;
}

interface Setting {
  readonly files?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
}

/** An agent that asks below an address that `find` has it look for, as a program on PATH. */
async function wrap(host: string, find: string, setting: (address: string) => Setting) {
  const folder = newFolder();
  const [home, project, bin] = ["home", "project", "bin"].map((name) => join(folder, name)) as [string, string, string];
  const provider = await startProvider();
  onTestFinished(() => provider.close());
  const { files = {}, env = {}, args = [], flags = [] } = setting(provider.address);
  const write = (path: string, content: unknown, mode = 0o600) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode });
  };
  mkdirSync(home);
  write(join(project, "in", "keep"), "");
  for (const [path, content] of Object.entries(files)) write(join(folder, path), content);
  const agent = `#!${process.execPath}
    const { args, env } = { args: process.argv.slice(2), env: process.env };
    const list = [{ role: "user", content: "hello" }];
    const body = JSON.stringify({ model: "m", messages: list, input: list });
    Promise.resolve((${find})(args, env))
      .then((url) => fetch(url, { method: "POST", body }))
      .then(({ status }) => status, String)
      .then((status) => require("node:fs").writeFileSync("../../told.json", JSON.stringify({ args, env, status })))
      .then(() => process.exit(7));`;
  write(join(bin, host), agent, 0o755);
  const before = [snapshot(join(home)), snapshot(project)];
  const options = { cwd: join(project, "in"), env: { HOME: home, PATH: bin, ...env } };
  const state = ["--state", join(folder, "state")];
  const { code, stderr } = await call(["wrap", host, ...state, ...flags, "--", ...args], options);
  expect([code, stderr]).toEqual([7, ""]);
  expect([snapshot(home), snapshot(project)]).toEqual(before);
  const told = JSON.parse(readFileSync(join(folder, "told.json"), "utf8")) as Started;
  expect(told.status).toBe(200);
  return { ...told, heard: provider.heard.map(({ path }) => path) };
}

describe("Claude Code", () => {
  const asks = `(args, env) => {
    const at = args.lastIndexOf("--settings");
    const settings = at < 0 ? {} : JSON.parse(args[at + 1]);
    return (settings.env?.ANTHROPIC_BASE_URL ?? env.ANTHROPIC_BASE_URL) + "/v1/messages";
  }`;

  it("is told by its environment, its arguments as they were", async () => {
    const { args, heard } = await wrap("claude", asks, (address) => ({
      env: { ANTHROPIC_BASE_URL: address },
      args: ["-p", "hello", "--settings", "{}"],
    }));
    expect([args, heard]).toEqual([["-p", "hello", "--settings", "{}"], ["/v1/messages"]]);
  });

  it.each(["home/.claude/settings.json", "project/in/.claude/settings.json", "project/in/.claude/settings.local.json"])(
    "is told by a setting where %s names an address, which wins over the environment",
    async (file) => {
      const { args, heard } = await wrap("claude", asks, (address) => ({
        files: { [file]: { env: { ANTHROPIC_BASE_URL: `${address}/gateway` } } },
        env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
        args: ["-p", "hello"],
      }));
      expect(args.slice(-2)).toEqual(["-p", "hello"]);
      expect(heard).toEqual(["/gateway/v1/messages"]);
    },
  );

  it("keeps the settings that it is given by hand, of which it takes the last alone", async () => {
    const { args, heard } = await wrap("claude", asks, (address) => ({
      args: [
        ...["-p", "hello", "--settings"],
        JSON.stringify({ model: "opus", env: { A: "1", ANTHROPIC_BASE_URL: address } }),
      ],
    }));
    expect(args).toHaveLength(4);
    expect(JSON.parse(args[1] ?? "")).toMatchObject({ model: "opus", env: { A: "1" } });
    expect(heard).toEqual(["/v1/messages"]);
  });
});

describe("Codex", () => {
  const asks = `(args) => JSON.parse(/base_url=(.*)/.exec(args.join("\\n"))[1]) + "/responses"`;
  const named = (address: string) => `model_providers.mine = { name = "mine", base_url = "${address}/v1" }`;

  it("stays with its own provider, and so with its sessions", async () => {
    const { args, heard } = await wrap("codex", asks, (address) => ({
      flags: ["--upstream", `${address}/v1`],
      args: ["resume", "--last"],
    }));
    expect(args.filter((arg) => arg.includes("="))).toEqual([
      expect.stringMatching(/^openai_base_url="http:\/\/127\.0\.0\.1:\d+"$/),
    ]);
    expect(args.slice(-2)).toEqual(["resume", "--last"]);
    expect(heard).toEqual(["/v1/responses"]);
  });

  it.each<[string, (address: string) => Setting]>([
    ["by openai_base_url", (address) => ({ files: { [CONFIG]: `openai_base_url = "${address}/v1"` } })],
    ["by a provider", (address) => ({ files: { [CONFIG]: `model_provider = "mine"\n${named(address)}` } })],
    [
      "by a profile",
      (address) => ({
        files: { [CONFIG]: named(address), "home/.codex/work.config.toml": 'model_provider = "mine"' },
        args: ["--profile", "work"],
      }),
    ],
  ])("is asked where its settings say: %s", async (_, setting) => {
    expect((await wrap("codex", asks, setting)).heard).toEqual(["/v1/responses"]);
  });
  const CONFIG = "home/.codex/config.toml";

  it("is answered that there is no WebSocket, for it asks over HTTP then", async () => {
    const socket = `(args, env) => new Promise((resolve) => {
      const url = (${asks})(args);
      const headers = { connection: "Upgrade", upgrade: "websocket" };
      require("node:http").get(url, { headers }, (answer) => resolve(url, (env.SOCKET = answer.statusCode)));
    })`;
    const { env, heard } = await wrap("codex", socket, (address) => ({ flags: ["--upstream", `${address}/v1`] }));
    expect([env.SOCKET, heard]).toEqual(["426", ["/v1/responses"]]);
  });
});

describe("opencode", () => {
  const asks = `(_, env) =>
    Object.values(JSON.parse(env.OPENCODE_CONFIG_CONTENT).provider)[0].options.baseURL + "/chat/completions"`;
  const provider = (address: string) => ({
    provider: { mine: { options: { baseURL: `${address}/v1`, apiKey: "k" } } },
  });

  it.each<[string, (address: string) => Setting]>([
    ["its own settings", (address) => ({ files: { "home/.config/opencode/opencode.json": provider(address) } })],
    ["those of a folder above", (address) => ({ files: { "project/opencode.jsonc": provider(address) } })],
    ["its environment", (address) => ({ env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(provider(address)) } })],
  ])("is told of every provider that has an address in %s", async (_, setting) => {
    expect((await wrap("opencode", asks, setting)).heard).toEqual(["/v1/chat/completions"]);
  });

  it("is told of no provider that it has no key for: it would offer its models", async () => {
    const { env } = await wrap("opencode", asks, (address) => ({
      env: { OPENAI_API_KEY: "k" },
      flags: ["--upstream", address],
    }));
    expect(Object.keys(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? "{}").provider)).toEqual(["openai"]);
  });
});
