// Runs that die: in this process by a disk that takes nothing any more, or as a process of their own that is killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countSteps } from "./count-steps.mjs";

const RUN = fileURLToPath(new URL("../../observations/children/run.mjs", import.meta.url));
const DIE = new URL("children/die-at-step.mjs", import.meta.url).href;
const APPLY = fileURLToPath(new URL("children/apply-plan.ts", import.meta.url));

/** From the step of that number on, nothing in `root` is changed any more, as after a crash. Returns the steps taken. */
export async function dyingAt(root: string, step: number, work: () => Promise<unknown>): Promise<number> {
  let taken = 0;
  const stop = countSteps(root, () => {
    if (taken >= step) throw Object.assign(new Error("dead"), { code: "EIO", syscall: "any" });
    taken += 1;
  });
  try {
    await work().catch(() => undefined);
  } finally {
    stop();
  }
  return taken;
}

/** The lock of a run that died is taken over once it is old: as if time had passed. */
export function letTimePass(root: string): void {
  const lock = join(root, "memory/archive/journal/lock");
  const long = new Date(Date.now() - 60_000);
  if (existsSync(lock)) utimesSync(lock, long, long);
}

/** True where it was killed before its end. */
export async function killedAt(root: string, step: number, plan: string, then = ""): Promise<boolean> {
  const env = { ...process.env, DIE_AT_STEP: String(step), DIE_IN_FOLDER: root };
  const child = spawn(process.execPath, ["--import", DIE, RUN, APPLY, root, plan, then], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code, signal] = await once(child, "exit");
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`ended with ${code}`);
  return signal === "SIGKILL";
}
