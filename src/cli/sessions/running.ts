// Whether a host is at work where a session belongs, so that a file is not replaced under it.
import { execFile } from "node:child_process";
import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { sha256 } from "../../storage/sha256.ts";

interface Process {
  readonly pid: string;
  readonly words: readonly string[];
  /** Undefined where the system does not tell: it may be any. */
  readonly folder?: string;
}

/**
 * The number of a process that is `command` and works in `folder`, which may be given by its SHA-256 too; undefined where
 * none is seen, as always on Windows.
 */
export async function findRunning(command: string, folder: string | undefined): Promise<string | undefined> {
  const wanted = folder === undefined ? undefined : await realpath(folder).catch(() => folder);
  const isThere = (own: string | undefined) =>
    own === undefined || wanted === undefined || own === wanted || sha256(own) === wanted;
  return (await processes()).find(({ words, folder: own }) => isCalled(words, command) && isThere(own))?.pid;
}

/** By its own name, or as the script that a runtime runs. */
function isCalled(words: readonly string[], command: string): boolean {
  const names = words.filter((word) => !word.startsWith("-")).slice(0, 2);
  return names.some((name) => basename(name).replace(/\.(?:[cm]?js|exe)$/, "") === command);
}

async function processes(): Promise<readonly Process[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (pids.length > 0) return (await Promise.all(pids.map(ofLinux))).filter((found) => found !== undefined);
  const { stdout } = await promisify(execFile)("ps", ["-xo", "pid=,args="]).catch(() => ({ stdout: "" }));
  return stdout.split("\n").map((line) => {
    const [pid = "", ...words] = line.trim().split(/\s+/);
    return { pid, words };
  });
}

/** Undefined for what has ended meanwhile, and for other users' processes. */
async function ofLinux(pid: string): Promise<Process | undefined> {
  try {
    const words = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    return { pid, words, folder: await readlink(`/proc/${pid}/cwd`) };
  } catch {
    return undefined;
  }
}
