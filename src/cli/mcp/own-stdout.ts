// Gives stdout to the protocol alone. Whatever else writes to it afterwards, a library's console.log or a banner, comes
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
