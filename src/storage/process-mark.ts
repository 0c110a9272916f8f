// Which process holds something, so that others on the same machine see when it is dead. In doubt it is alive: whatever it
// holds has an end of its own.
import { sha256 } from "./sha256.ts";

export interface ProcessMark {
  /** This machine since it was started, and the processes that see each other there (a container has its own); names nobody. */
  readonly machine: string;
  readonly pid: number;
  /** When the process began, as the system counts: numbers of processes are used again. Undefined where nothing tells. */
  readonly started?: string | undefined;
}

/** Of this process; undefined where there are none, as in a browser. */
export async function ownMark(): Promise<ProcessMark | undefined> {
  const pid = globalThis.process?.pid;
  if (pid === undefined) return undefined;
  return { machine: await machineMark(), pid, started: await startOf(pid) };
}

/** True when the process is surely dead. */
export async function isDead(mark: ProcessMark): Promise<boolean> {
  if (globalThis.process?.pid === undefined || mark.machine !== (await machineMark())) return false;
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    // Anything else is a process that is not ours to ask.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const started = await startOf(mark.pid);
  return started !== undefined && mark.started !== undefined && started !== mark.started;
}

async function machineMark(): Promise<string> {
  const [{ hostname }, { readFile, readlink }] = await Promise.all([import("node:os"), import("node:fs/promises")]);
  const [boot, processes] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return sha256(JSON.stringify([hostname(), boot.trim(), processes])).slice(0, 16);
}

/** The 22nd field of Linux; those behind the name, which may hold anything, begin with the third. */
async function startOf(pid: number): Promise<string | undefined> {
  const { readFile } = await import("node:fs/promises");
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}
