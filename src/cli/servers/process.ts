// What a server takes of its process: stdout, and the signals that end it. The server itself runs in a thread of its own, so
// that a signal is heard and obeyed whatever keeps that thread busy.
// Stdout belongs to the protocol alone. Whatever else writes to it afterwards, a library's console.log or a banner, comes
// out on stderr instead: one stray line, and clients lose the connection.
import { Console } from "node:console";
import process from "node:process";
import { parentPort, Worker } from "node:worker_threads";

export interface OwnedStdout {
  /** Resolves when the text has left the process; rejects when nobody reads it any more. */
  write(text: string): Promise<void>;
  /** Aborted when the reader has gone away. */
  readonly gone: AbortSignal;
}

export function ownStdout(): OwnedStdout {
  const { stdout, stderr } = process;
  const gone = new AbortController();
  const send = stdout.write.bind(stdout);
  // The program's own listener ends the process at once, also when only the log's reader has left.
  stdout.removeAllListeners("error").on("error", () => gone.abort());
  onNews("gone", () => gone.abort());
  stderr.removeAllListeners("error").on("error", () => undefined);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  bindConsole();
  return {
    gone: gone.signal,
    write: (text) =>
      new Promise((resolve, reject) => {
        send(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** Also for those who hold on to the console object, and whatever `stdout.write` becomes later. */
function bindConsole(): void {
  const own = new Console({ stdout: process.stderr, stderr: process.stderr }) as unknown as Record<string, unknown>;
  const shared = globalThis.console as unknown as Record<string, unknown>;
  for (const [name, method] of Object.entries(own)) if (typeof method === "function") shared[name] = method.bind(own);
}

// What ends a server besides its client leaving: signals, and the death of the process that started it. And that it ends:
// whatever still runs some time after is cut off, exit code 0, so that no server outlives its client.

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"] as const;
/** Under the two seconds after which clients kill a server. */
const LONGEST_END_MS = 1_600;
const PARENT_CHECK_MS = 500;
/** The parent of processes without one. */
const INIT = 1;

interface StopOptions {
  /** For a server that belongs to one client. One that listens is often started from a shell that is closed. */
  readonly watchesParent: boolean;
}

/** Aborted when the server must end. */
export function stopSignal({ watchesParent }: StopOptions): AbortSignal {
  const stop = new AbortController();
  stop.signal.addEventListener("abort", () => leaveSoon(LONGEST_END_MS), { once: true });
  for (const signal of SIGNALS) process.on(signal, () => stop.abort());
  onNews("stop", () => stop.abort());
  if (watchesParent && process.ppid !== INIT) watchParent(() => stop.abort());
  return stop.signal;
}

/** A client that dies leaves its pipes open where a process between it and us, as `npx` is, has them too. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** Ends the process, if by then anything keeps it alive. */
export function leaveSoon(milliseconds: number): void {
  setTimeout(() => process.exit(0), milliseconds).unref();
}

// The thread that has the process: it passes on what comes in and goes out, and does nothing else. Signals are delivered to it
// alone; a server that ran here could hear none while it reads a large request, or waits for SQLite.

type News = "stop" | "gone";

/** For a thread that found no time to end itself, then for one that does not even end when it is told to. */
const LAST_MS = 300;

/**
 * Runs the program at `url` in a thread, with the arguments of this one, and ends the process with its exit code; within two
 * seconds of a signal, whatever it does. What it cannot finish by then is cut off, as by a crash.
 */
export function runServerThread(url: URL): void {
  const stdout = ownStdout();
  const thread = new Worker(url, { argv: process.argv.slice(2), stdin: true, stdout: true });
  const tell = (news: News) => thread.postMessage(news);
  if (thread.stdin !== null) process.stdin.on("error", () => undefined).pipe(thread.stdin);
  thread.stdout.on("data", (chunk: string) => {
    thread.stdout.pause();
    stdout.write(chunk).then(
      () => thread.stdout.resume(),
      () => thread.stdout.resume(),
    );
  });
  stdout.gone.addEventListener("abort", () => tell("gone"), { once: true });
  thread.on("error", (error: unknown) => {
    process.stderr.write(`${(error instanceof Error ? error.stack : undefined) ?? String(error)}\n`);
  });
  thread.on("exit", (code) => {
    process.exitCode = code;
    process.stdin.destroy();
    leaveSoon(LAST_MS);
  });
  const end = () => {
    tell("stop");
    setTimeout(() => void thread.terminate().then(() => process.exit(0)), LONGEST_END_MS).unref();
    // Not even that ends what runs outside of JavaScript.
    setTimeout(() => process.kill(process.pid, "SIGKILL"), LONGEST_END_MS + LAST_MS).unref();
  };
  for (const signal of SIGNALS) process.once(signal, end);
}

/** What the thread that has the process tells this one, where this one has not got it. */
function onNews(news: News, act: () => void): void {
  parentPort?.on("message", (told: News) => told === news && act()).unref();
}
