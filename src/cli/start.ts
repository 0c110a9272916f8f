// Connects run.ts to this process: its streams, its signals, its exit code. Servers get a thread of their own.
import process, { env } from "node:process";
import { fileURLToPath } from "node:url";
import { silenceSdkWarning } from "../config/variables.ts";
import { commandOf, LastSteps } from "./terminal.ts";

/** `program`: the file that a thread runs in turn. */
export async function start(program: URL): Promise<void> {
  silenceSdkWarning();
  const argv = process.argv.slice(2);
  if (["mcp", "serve"].includes(commandOf(argv) ?? "") && (await import("node:worker_threads")).isMainThread) {
    const { runServerThread } = await import("./servers/process.ts");
    runServerThread(program);
  } else process.exitCode = await runHere(argv, program);
}

async function runHere(argv: readonly string[], program: URL): Promise<number> {
  const stop = new AbortController();
  const lastSteps = new LastSteps();

  // The first Ctrl-C lets a write that has begun come to its end, so that no temporary file stays; the second ends
  // the process at once.
  process.once("SIGINT", () => {
    stop.abort();
    // Whoever waits for input waits no longer.
    process.stdin.destroy();
  });

  // The reader of our output (`| head`) has left: nobody to write for, nothing went wrong.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      void lastSteps.endWith(undefined);
    });
  }

  const { run } = await import("./run.ts");
  return run({
    argv,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    env,
    program: [process.execPath, fileURLToPath(program)],
    signal: stop.signal,
    beforeExit: lastSteps.add,
  });
}
