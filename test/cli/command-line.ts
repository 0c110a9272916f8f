// Runs a command line in this process, in a folder of its own, and tells what it printed and what it left behind.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { run } from "../../src/cli/run.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd: string;
  readonly stdin?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly program?: readonly [string, string];
}

/** An empty folder that is gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function call(
  argv: readonly string[],
  { cwd, stdin = "", env = {}, isTerminal = false, program }: CallOptions,
): Promise<Outcome> {
  const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY: isTerminal,
    columns: 100,
    write: (content: string | Uint8Array) => written[name].push(Buffer.from(content)),
  });
  const code = await run({
    argv,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    cwd,
    env,
    ...(program === undefined ? {} : { program }),
  });
  const text = (name: "stdout" | "stderr") => Buffer.concat(written[name]).toString("utf8");
  return { code, stdout: text("stdout"), stderr: text("stderr") };
}

/** Every file below a folder with the hash of its content: equal before and after means nothing was touched. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    files.map((file) => {
      const path = join(folder, file);
      const content = statSync(path).isDirectory()
        ? "folder"
        : createHash("sha256").update(readFileSync(path)).digest("hex");
      return [relative(folder, path), content];
    }),
  );
}
