// Starts the children of these tests: TypeScript files that run in a Node of their own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const RUN = fileURLToPath(new URL("run.mjs", import.meta.url));

export function start(child: URL, ...given: readonly string[]): ChildProcess {
  return spawn(process.execPath, [RUN, fileURLToPath(child), ...given], { stdio: ["pipe", "pipe", "pipe"] });
}

/** What it wrote until its end. */
export async function finish(child: ChildProcess): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")),
  );
  return { stdout: stdout ?? "", stderr: stderr ?? "" };
}

/** Its first words; fails with its complaint where it ends without a word. */
export async function firstWords(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error("no pipes");
  const ended = text(child.stderr).then((complaint) => {
    throw new Error(`ended: ${complaint}`);
  });
  ended.catch(() => undefined);
  const [words] = await Promise.race([once(child.stdout, "data"), ended]);
  return String(words);
}
