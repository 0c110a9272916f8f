// The hosts through our proxy, before a provider as strict as the real ones with a window that their task does not fit in:
// they finish it, and do not compact by themselves. Run by `npm run e2e:hosts`, as hosts.test.ts is.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Heard as Asked, type Provider, startProvider } from "../../test/proxy/provider.ts";
import { HOSTS, type Host, modules, versionOf } from "./hosts.ts";
import { type ScriptedModel, startScriptedModel, type Turn } from "./scripted-model.ts";
import { type OpenedHost, openHost, processesOf, write } from "./session.ts";
import type { Body } from "./wires.ts";

type Call = Turn["calls"][number];

interface Through {
  readonly host: Host;
  /** For `wrap`; without it the host is pointed at a proxy that stands by itself. */
  readonly program?: string;
  /** Tokens of the provider's window: the host's own prompt and tools take half to three quarters of it, but in pi. */
  readonly window: number;
  /** By which tokens are counted. */
  readonly model?: string;
  /** Reads a file of the project. */
  readonly look: (file: string) => Call;
  /** Gives a task to an agent of its own. */
  readonly delegate?: (prompt: string) => Call;
}

const hostNamed = (wanted: string) => HOSTS.find(({ name }) => name === wanted) as Host;

const THROUGH: readonly Through[] = [
  {
    host: hostNamed("Claude Code"),
    program: "claude",
    window: 24_000,
    model: "claude-opus-5",
    look: (file) => ({ tool: "Bash", input: { command: `cat ${file}`, description: "Read it" } }),
    delegate: (prompt) => ({
      tool: "Agent",
      input: { description: "Count", prompt, subagent_type: "general-purpose" },
    }),
  },
  {
    host: hostNamed("Codex"),
    program: "codex",
    window: 16_000,
    look: (file) => ({ tool: "exec_command", input: { cmd: `cat ${file}` } }),
  },
  {
    host: hostNamed("opencode"),
    program: "opencode",
    window: 16_000,
    look: (file) => ({ tool: "bash", input: { command: `cat ${file}`, description: "Read it" } }),
    delegate: (prompt) => ({ tool: "task", input: { description: "Count", prompt, subagent_type: "general" } }),
  },
  { host: hostNamed("pi"), window: 16_000, look: (path) => ({ tool: "read", input: { path } }) },
];

const RULE = "The gateway has to listen on 8443, never on 8080.";
/** Of two turns: with the answers behind them, and three turns without a call, 60 of the model. */
const CALLS = [27, 28] as const;
const COUNT = "Count the listeners, please.";
const DELEGATE = "Let somebody else count them.";
const STAY = "Wait a minute.";
const numbered = /Report (\d+)\./;

function turnsFor({ look, delegate }: Through): readonly Turn[] {
  const looks = (name: string, calls: number) =>
    Array.from({ length: calls }, (_, at) => look(`${name}-${at + 1}.txt`));
  return [
    { prompt: RULE, calls: [], says: "Noted." },
    { prompt: "Look at the first reports, please.", calls: looks("first", CALLS[0]), says: "All looked at.", numbered },
    { prompt: "Look at the other reports, please.", calls: looks("other", CALLS[1]), says: "They answer.", numbered },
    { prompt: "Which port was that?", calls: [], says: "8443." },
    { prompt: "And which not?", calls: [], says: "8080." },
    { prompt: COUNT, calls: looks("first", 12), says: "Thirty each.", numbered },
    { prompt: DELEGATE, calls: delegate === undefined ? [] : [delegate(COUNT)], says: "It is counted." },
    { prompt: STAY, calls: [], says: "", isNever: true },
  ];
}

function reportFiles(): Readonly<Record<string, string>> {
  const lines = (name: string) =>
    Array.from({ length: 30 }, (_, n) => `Listener ${name}.${n} answers after ${n * 7} ms.`);
  const files = ["first", "other"].flatMap((name) =>
    Array.from({ length: Math.max(...CALLS) }, (_, at) => [
      `${name}-${at + 1}.txt`,
      [`Report ${at + 1}.`, ...lines(`${name}-${at + 1}`)].join("\n"),
    ]),
  );
  return Object.fromEntries(files);
}

/** A host with a proxy for each of its processes, and the provider behind that. */
interface Running {
  readonly opened: OpenedHost;
  readonly model: ScriptedModel;
  readonly provider: Provider;
  /** Of the host with one prompt; `isDirect`: without a proxy. */
  begin(prompt: string, isFirst: boolean, isDirect?: boolean): Promise<ChildProcess>;
  /** What it printed, and its exit code. */
  prompt(prompt: string, isFirst?: boolean): Promise<{ readonly code: number | null; readonly text: string }>;
}

async function open({ host, program, window, model: counts }: Through, turns: readonly Turn[], folder: string) {
  const model = await startScriptedModel(turns);
  const provider = await startProvider({
    window,
    behind: model.address,
    ...(counts === undefined ? {} : { model: counts }),
  });
  const opened = await openHost(host, turns, folder, false, { ...model, address: provider.address });
  const { cwd, env } = opened.surroundings;
  const bin = join(folder, "bin");
  if (program !== undefined) write(join(bin, program), `#!/bin/sh\nexec ${modules + host.program} "$@"\n`, 0o755);
  for (const [file, text] of Object.entries(reportFiles())) write(join(cwd, file), text);
  const flags = ["--max-context-tokens", String(window), "--quiet"];
  const start = (command: string, args: readonly string[]) =>
    spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
  const tell = (address: string) => {
    const files = host.files?.(address, false) ?? {};
    for (const [path, content] of Object.entries(files)) write(join(opened.home, path), content);
  };
  const standing = async () => {
    const child = start(join(bin, "agent-compact"), [
      "proxy",
      "--json",
      "--port",
      "0",
      "--upstream",
      provider.address,
      ...flags,
    ]);
    const { url } = JSON.parse(String((await once(child.stdout, "data"))[0]));
    tell(url);
    return child;
  };
  const begin = async (prompt: string, isFirst: boolean, isDirect = false) => {
    const args = host.prompt(prompt, isFirst);
    if (isDirect) {
      if (program === undefined) tell(provider.address);
      return start(modules + host.program, args);
    }
    if (program !== undefined) return start(join(bin, "agent-compact"), ["wrap", program, ...flags, "--", ...args]);
    const proxy = await standing();
    const child = start(modules + host.program, args);
    child.once("close", () => proxy.kill("SIGTERM"));
    return child;
  };
  const running: Running = {
    opened,
    model,
    provider,
    begin,
    prompt: async (prompt, isFirst = false) => {
      const child = await begin(prompt, isFirst);
      const pieces: Buffer[] = [];
      child.stdout?.on("data", (chunk) => pieces.push(chunk));
      const [code] = await once(child, "close");
      return { code, text: Buffer.concat(pieces).toString() };
    },
  };
  return running;
}

const missing = THROUGH.filter(({ host }) => versionOf(host) === undefined);
const isReady = process.env.AGENT_HOSTS !== undefined && missing.length === 0;
if (!isReady) it.skip("the real hosts are run by `npm run e2e:hosts`, which installs them", () => undefined);

const older = THROUGH.map((each): Through => ({ ...each, host: { ...each.host, ...each.host.older } }))
  // Its prompt and tools are larger.
  .map((each) => (each.program === "claude" ? { ...each, window: 32_000 } : each));
const all = [...THROUGH, ...older].map((each) => [`${each.host.name} ${versionOf(each.host)}`, each] as const);

describe.runIf(isReady).each(all)("%s", { timeout: 300_000 }, (name, through) => {
  const isCurrent = THROUGH.includes(through);
  const turns = turnsFor(through);
  const task = turns.slice(0, 5);
  let folder: string;
  let running: Running;
  let configuration: Readonly<Record<string, string>>;
  let said: readonly { readonly code: number | null; readonly text: string }[];
  /** Requests of the task, and at which of them a process began. */
  let asked: readonly Asked[];
  const begins: number[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "proxied-"));
    running = await open(through, turns, folder);
    configuration = filesBelow(running.opened.home);
    const results: Awaited<ReturnType<Running["prompt"]>>[] = [];
    const startedAt = performance.now();
    for (const [index, { prompt }] of task.entries()) {
      begins.push(conversations(running.provider).length);
      results.push(await running.prompt(prompt, index === 0));
    }
    said = results;
    asked = conversations(running.provider);
    const sizes = asked
      .filter(({ bytes }) => JSON.parse(bytes.toString()).tools !== undefined)
      .map(({ tokens }) => tokens);
    const made = new Set(asked.map(summaryIn)).size - 1;
    const figures = [name, through.window, sizes[0], Math.max(...sizes), asked.length, made];
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    // Host, window, tokens of its first and of its largest request, requests, compactions, seconds.
    console.log(`| ${figures.join(" | ")} | ${seconds} |`);
  }, 900_000);
  afterAll(async () => {
    await running.provider.close();
    await running.model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("finishes a task of 60 turns, each of them once", () => {
    expect(said.map(({ code, text }) => [code, text.trim().split("\n").at(-1)])).toEqual(
      task.map(({ says }) => [0, says]),
    );
    const heard = running.model.heard.filter(({ turn }) => turn !== undefined && task.includes(turn));
    const expected = task.flatMap(({ calls }) => Array.from({ length: calls.length + 1 }, (_, at) => at));
    expect(heard.map(({ done }) => done)).toEqual(expected);
    expect(expected).toHaveLength(60);
  });

  it("is refused nothing, and told of what was said first, in a window that it would have left", () => {
    expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
    const made = new Set(asked.map(summaryIn));
    expect(made.size - 1).toBeGreaterThanOrEqual(2);
    expect(summaryIn(asked.at(-1))).not.toBe("");
    expect(asked.at(-1)?.bytes.toString()).toContain(RULE);
  });

  it("is told the same between two compactions, by one proxy and by the next", () => {
    expect(breaks(asked)).toEqual([]);
    const goesOn = (at: number) => summaryIn(asked[at]) === summaryIn(asked[at - 1]) && summaryIn(asked[at]) !== "";
    expect(begins.slice(1).filter(goesOn)).not.toEqual([]);
  });

  it("did not compact by itself", () => {
    const others = running.model.heard.filter(({ turn }) => turn === undefined);
    expect(others.filter(({ raw }) => raw.includes("Listener"))).toEqual([]);
  });

  it.runIf(isCurrent && through.delegate !== undefined)("is not disturbed by an agent that it starts", async () => {
    const before = conversations(running.provider).length;
    expect((await running.prompt(DELEGATE)).text).toContain("It is counted.");
    const since = conversations(running.provider).slice(before);
    const isOther = (each: Asked) => !each.bytes.toString().includes(RULE);
    const others = since.filter(isOther);
    expect(since.map(({ status }) => status)).toEqual(since.map(() => 200));
    expect(others.length).toBeGreaterThan(12);
    expect(others.filter((each) => each.bytes.toString().includes("8443"))).toEqual([]);
    expect(breaks([...asked, ...since.filter((each) => !isOther(each))])).toEqual([]);
  });

  it.runIf(isCurrent).each(["SIGINT", "SIGTERM"] as const)(
    "ends with its host by %s, with its exit code",
    async (signal) => {
      const direct = await interrupted(running, signal, true);
      expect(await interrupted(running, signal, false)).toEqual(direct);
      expect(await processesOf(running.opened.home)).toEqual([]);
    },
  );

  it.runIf(isCurrent && through.program !== undefined)("ends when its host is killed", async () => {
    const child = await begun(running);
    const [host] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
    process.kill(Number(host), "SIGKILL");
    expect(await once(child, "close")).toEqual([137, null]);
    expect(await processesOf(running.opened.home)).toEqual([]);
  });

  it("leaves nothing in its host's configuration", () => {
    const after = filesBelow(running.opened.home);
    const named = through.program === undefined ? [] : Object.keys(through.host.files?.("", false) ?? {});
    // Hosts add to their settings themselves: opencode its schema.
    for (const file of named) expect(after[file]).toContain(configuration[file]?.slice(1).trim());
    // The folder of the tests has our name, too, and stands cut in the pages of a database.
    const isOthers = (file: string) => file.startsWith(".agent-compact/") || /\.db/.test(file);
    const ours = Object.entries(after).filter(
      ([file, text]) => !isOthers(file) && /agent-compact(?!-tests)/.test(text),
    );
    expect(ours.map(([file]) => file)).toEqual([]);
  });
});

function conversations({ heard }: Provider): readonly Asked[] {
  return heard.filter(({ path }) => /messages|responses|completions/.test(path));
}

/** Where the provider could not read from its cache what it was told before, although nothing was compacted since the first time. */
function breaks(asked: readonly Asked[]): readonly number[] {
  return asked.flatMap((each, at) => {
    const before = asked[at - 1];
    const isSame = summaryIn(each) !== "" && summaryIn(each) === summaryIn(before);
    return isSame && each.cached < 0.95 * (before?.tokens ?? 0) ? [at] : [];
  });
}

/** The message that stands for what left; empty where nothing did. */
function summaryIn(asked: Asked | undefined): string {
  if (asked === undefined) return "";
  const { messages, input }: Body = JSON.parse(asked.bytes.toString());
  const found = (messages ?? input).find((message: Body) => JSON.stringify(message).includes("<COMPACT-SUMMARY v"));
  return found === undefined ? "" : JSON.stringify(found);
}

/** A host that waits for the first answer of a conversation. */
async function begun({ begin, model }: Running, isDirect = false): Promise<ChildProcess> {
  const before = model.heard.length;
  const child = await begin(STAY, true, isDirect);
  while (!model.heard.slice(before).some(({ turn }) => turn?.isNever === true)) await wait(50);
  return child;
}

/** How it ends by a signal that its whole group gets, as from a terminal. */
async function interrupted(running: Running, signal: NodeJS.Signals, isDirect: boolean): Promise<unknown> {
  const child = await begun(running, isDirect);
  process.kill(-(child.pid ?? 0), signal);
  const [code, by] = await once(child, "close");
  return code ?? { SIGINT: 130, SIGTERM: 143 }[by as string];
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true);
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}
