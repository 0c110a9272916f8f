// One session of a host with the scripted model: set up in a scratch home, prompted turn by turn (a process each), compacted
// by the host, and then read with the command line of the product, as a person would.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Host, modules, QUIET } from "./hosts.ts";
import { type Heard, type ScriptedModel, startScriptedModel, type Turn } from "./scripted-model.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
/** Of one process of a host; the slowest takes some seconds, on a machine that is busy minutes. */
const TIMEOUT = 300_000;

export interface Session {
  /** In the order in which they came, the host's own among them. */
  readonly heard: readonly Heard[];
  /** Command lines of processes that were there three seconds after a host ended. */
  readonly leftBehind: readonly string[];
  /** What the host wrote about the session. */
  readonly file: string;
  /** What `session compact` told, each time that the host went on from it. */
  readonly smaller: readonly Smaller[];
  /** Calls the product in the project's folder; its output, or what went wrong. */
  compact(...args: string[]): Promise<string>;
}

interface Smaller {
  readonly source: string;
  readonly result: string;
  /** Asked before the host goes on: Gemini CLI removes sessions of its own accord. */
  readonly isSourceAsBefore: boolean;
  /** Of the command, its start among them. */
  readonly seconds: number;
}

const SMALLER = ["session", "compact", "--target-tokens", "4000", "--keep-recent-turns", "1", "--json"];

export interface OpenedHost {
  readonly home: string;
  /** Where the host runs. */
  readonly surroundings: Surroundings;
  readonly model: ScriptedModel;
  /** Any program, in the project's folder; its output, or what went wrong. */
  run(program: string, args: readonly string[]): Promise<string>;
  /** Starts the host in the project's folder; its output, or what went wrong. */
  start(...args: readonly string[]): Promise<string>;
  /** The same with the product. */
  compact(...args: string[]): Promise<string>;
}

/** `isByHand`: with our server and hook, as the guides say; else without. `model`: where another one answers. */
export async function openHost(
  host: Host,
  turns: readonly Turn[],
  folder: string,
  isByHand: boolean,
  model?: ScriptedModel,
): Promise<OpenedHost> {
  const [home, project, bin] = ["home", "project", "bin"].map((name) => join(folder, name)) as [string, string, string];
  model ??= await startScriptedModel(turns);
  const env = {
    ...QUIET,
    ...host.env?.(model.address),
    HOME: home,
    TMPDIR: folder,
    PATH: `${bin}:${modules}node-linux-${process.arch}/bin:${process.env.PATH}`,
  };
  const run = (program: string, args: readonly string[]) => output(program, args, { cwd: project, env });
  const start = (...args: readonly string[]) => run(modules + host.program, args);
  const compact = (...args: string[]) => run(join(bin, "agent-compact"), args);
  for (const made of [home, project]) mkdirSync(made, { recursive: true });
  // What was taken in, the product has deleted by the host itself.
  if (host.takeIn !== undefined)
    write(join(bin, host.format), `#!/bin/sh\nexec ${modules + host.program} "$@"\n`, 0o755);
  write(join(bin, "agent-compact"), `#!/bin/sh\nexec node ${PROGRAM} "$@"\n`, 0o755);
  const files = host.files?.(model.address, isByHand) ?? {};
  for (const [path, content] of Object.entries(files)) write(join(home, path), content);
  const print = isByHand ? host.hook?.print : undefined;
  if (print !== undefined) write(join(home, print.to), await compact("hook", "--print", print.name));
  if (isByHand && host.addServer !== undefined) await start(...host.addServer);
  return { home, surroundings: { cwd: project, env }, model, run, start, compact };
}

/** `goesOnAt`: before these turns the session is compacted by us, and the host goes on with what was written. */
export async function runSession(
  host: Host,
  turns: readonly Turn[],
  folder: string,
  goesOnAt: readonly number[] = [],
): Promise<Session> {
  const { home, model, run, start, compact } = await openHost(host, turns, folder, true);
  const leftBehind: string[] = [];
  const smaller: Smaller[] = [];
  for (const [index, { prompt }] of turns.entries()) {
    const approval = index === 0 ? [] : (host.approve ?? []);
    if (goesOnAt.includes(index)) {
      const source = await sessionFile();
      const before = readFileSync(source);
      const started = performance.now();
      const report = JSON.parse(await compact(...SMALLER, source));
      const seconds = (performance.now() - started) / 1000;
      smaller.push({ ...report, isSourceAsBefore: readFileSync(source).equals(before), seconds });
      if (host.takeIn !== undefined) await start(...host.takeIn(report.result));
    }
    const last = smaller.at(-1);
    const words = last === undefined ? host.prompt(prompt, index === 0) : host.goOn?.(prompt, last.result);
    await start(...(words ?? []), ...approval);
    leftBehind.push(...(await processesOf(home)));
  }
  if (host.compact !== undefined) await start(...host.compact);
  await model.close();

  return { heard: model.heard, leftBehind, file: await sessionFile(), compact, smaller };

  async function sessionFile(): Promise<string> {
    if (typeof host.sessions === "string") return smaller.at(-1)?.result ?? largestFileOf(join(home, host.sessions));
    const id = /\bses_\w+/.exec(await start(...host.sessions.list))?.[0] ?? "";
    const file = join(folder, "session.json");
    // Into the file itself: what opencode prints into a pipe ends somewhere once it is large.
    await run("sh", ["-c", `exec "$@" > '${file}'`, "sh", modules + host.program, ...host.sessions.print, id]);
    return file;
  }
}

export function write(path: string, content: unknown, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode });
}

/** Gemini CLI leaves stubs beside the session's file when it takes the session up again. */
function largestFileOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  const files = names.map((name) => join(folder, name)).sort((a, b) => statSync(b).size - statSync(a).size);
  if (files[0] === undefined) throw new Error(`No session file below ${folder}`);
  return files[0];
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Its stdout; throws with everything it said when it fails or takes too long. */
async function output(program: string, args: readonly string[], { cwd, env }: Surroundings): Promise<string> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += chunk));
  child.stderr.on("data", (chunk) => (said.stderr += chunk));
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT);
  const code = await new Promise<unknown>((done) => {
    child.on("error", done);
    child.on("close", (exit, signal) => done(exit ?? signal));
  });
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${said.stdout}\n${said.stderr}`);
  return said.stdout;
}

/** What runs with this home folder, once it had time to end. */
export async function processesOf(home: string): Promise<string[]> {
  for (let tries = 30; ; tries--) {
    const found = readdirSync("/proc").flatMap((id) => {
      try {
        if (!readFileSync(`/proc/${id}/environ`, "utf8").split("\0").includes(`HOME=${home}`)) return [];
        return [readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });
    if (found.length === 0 || tries === 0) return found;
    await wait(100);
  }
}
