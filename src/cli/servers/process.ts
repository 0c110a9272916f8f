// What a server takes of its process: stdout, and the signals that end it.
// Stdout belongs to the protocol alone. Whatever else writes to it afterwards, a library's console.log or a banner, comes
// out on stderr instead: one stray line, and clients lose the connection.
import { Console } from "node:console";
import process from "node:process";

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
  for (const name of [
    "log",
    "info",
    "debug",
    "dir",
    "dirxml",
    "table",
    "group",
    "groupCollapsed",
    "groupEnd",
    "count",
    "timeEnd",
    "timeLog",
    "trace",
    "warn",
    "error",
    "assert",
  ]) {
    const method = own[name];
    if (typeof method === "function") shared[name] = method.bind(own);
  }
}

// What ends a server besides its client leaving: signals, and the death of the process that started it. And that it ends:
// whatever still runs some time after is cut off, exit code 0, so that no server outlives its client.

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"] as const;
/** Under the two seconds after which clients kill a server. */
const LONGEST_END_MS = 1_900;
const PARENT_CHECK_MS = 500;
/** The parent of processes without one. */
const INIT = 1;

interface StopOptions {
  /** For a server that belongs to one client. One that listens is often started from a shell that is closed. */
  readonly watchesParent: boolean;
  /** After how many milliseconds the process ends, whatever still runs. */
  readonly longestEndMs?: number;
}

/** Aborted when the server must end. */
export function stopSignal({ watchesParent, longestEndMs = LONGEST_END_MS }: StopOptions): AbortSignal {
  const stop = new AbortController();
  stop.signal.addEventListener("abort", () => leaveSoon(longestEndMs), { once: true });
  for (const signal of SIGNALS) process.on(signal, () => stop.abort());
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
