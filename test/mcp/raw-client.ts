// Starts a server as a client does, as a child process, and speaks JSON-RPC to it line by line, so that a test sees every
// byte of stdout.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

export interface Answer {
  readonly id?: number | string | null;
  readonly result?: Record<string, unknown> & {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Writes one line. */
  readonly send: (line: string | object) => void;
  readonly request: (method: string, params?: object) => Promise<Answer>;
  /** The answer to an id, when it comes. */
  readonly answer: (id: number | string) => Promise<Answer>;
  readonly initialize: () => Promise<Answer>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What follows `node`. */
  readonly argv: readonly string[];
}

export function startRaw(options: StartOptions): RawServer {
  const { env = {}, cwd, argv } = options;
  const child = spawn(process.execPath, [...argv], {
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return speak(child);
}

export function speak(child: ChildProcessWithoutNullStreams): RawServer {
  let written = "";
  let logged = "";
  let nextId = 1;
  const waiting = new Map<number | string, (answer: Answer) => void>();
  const early = new Map<number | string, Answer>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) deliver(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    logged += text;
  });
  child.stdin.on("error", () => undefined);

  function deliver(line: string): void {
    let message: Answer;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (message.id === undefined || message.id === null) return;
    const take = waiting.get(message.id);
    waiting.delete(message.id);
    if (take === undefined) early.set(message.id, message);
    else take(message);
  }

  const send = (line: string | object) =>
    void child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  const answer = (id: number | string) =>
    new Promise<Answer>((resolve) => {
      const known = early.get(id);
      if (known === undefined) waiting.set(id, resolve);
      else resolve(known);
    });
  const request = (method: string, params: object = {}) => {
    const id = nextId++;
    send({ jsonrpc: "2.0", id, method, params });
    return answer(id);
  };
  return {
    child,
    send,
    answer,
    request,
    initialize: async () => {
      const initialized = await request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "raw", version: "1" },
      });
      send({ jsonrpc: "2.0", method: "notifications/initialized" });
      return initialized;
    },
    stdout: () => written,
    stderr: () => logged,
    exit: new Promise((resolve) => {
      child.once("close", (code, signal) => resolve({ code, signal }));
    }),
  };
}

export function call(name: string, given: unknown = {}): { readonly name: string; readonly arguments: unknown } {
  return { name, arguments: given };
}

/** The lines of stdout that are no JSON-RPC message: none, if all is well. */
export function strayLines(stdout: string): readonly string[] {
  return stdout.split("\n").filter((line) => {
    if (line === "") return false;
    try {
      return JSON.parse(line).jsonrpc !== "2.0";
    } catch {
      return true;
    }
  });
}

/** Starts the server over HTTP on a free port and tells its address. It is stopped after the test. */
export async function startHttp(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<URL> {
  return (await startHttpServer(argv, env)).url;
}

export interface HttpServer {
  readonly url: URL;
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exit: RawServer["exit"];
}

export async function startHttpServer(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const child = spawn(process.execPath, [...argv, "--http", "0", "--json"], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let written = "";
  let logged = "";
  child.stderr.on("data", (text) => {
    logged += text;
  });
  const exit = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  const url = await new Promise<URL>((resolve, reject) => {
    child.stdout.on("data", (text) => {
      written += text;
      const line = written.split("\n").find((one) => one.startsWith("{"));
      if (line !== undefined && written.endsWith("\n")) resolve(new URL(JSON.parse(line).url));
    });
    void exit.then(({ code }) => reject(new Error(`The server exited with ${code}: ${logged}`)));
  });
  return { url, child, exit, stdout: () => written, stderr: () => logged };
}
