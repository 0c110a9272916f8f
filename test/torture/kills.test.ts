// Commands that write, each stopped at random moments: the run after it ends as one that nobody stopped, and nothing that
// was there is lost. A few stops each by default, a hundred by `npm run torture`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ENDPOINT } from "../archive/s3/store.ts";
import { verifies } from "../requirements/verifies.ts";
import {
  environmentOf,
  IN_A_BUCKET,
  isBuilt,
  leftOversIn,
  newFolder,
  program,
  runAgain,
  unharmed,
  VICTIMS,
} from "./victims.ts";

const KILLS = Number(process.env.AGENT_TORTURE_KILLS ?? 4);
const SIGNALS = ["SIGKILL", "SIGKILL", "SIGTERM", "SIGINT"] as const;
const SEED = Number(process.env.AGENT_TORTURE_SEED ?? 1);

describe.skipIf(!isBuilt)(`a command that is killed ${KILLS} times${isBuilt ? "" : " (skipped: no build)"}`, () => {
  it.each([...VICTIMS, ...(ENDPOINT === "" ? [] : [IN_A_BUCKET])])(
    "$name",
    { timeout: 60_000 + KILLS * 20_000 },
    async (victim) => {
      verifies("field/abort-or-crash-half-way");
      const { name, argv, outcome } = victim;
      const random = randomBy(SEED);
      const { template, expected, durationMs, leftOvers } = await unharmed(victim);
      for (let kill = 1; kill <= KILLS; kill++) {
        const folder = newFolder();
        cpSync(template, folder, { recursive: true });
        const moment = durationMs * (0.3 + 0.7 * random());
        const signal = SIGNALS[kill % SIGNALS.length] ?? "SIGKILL";
        await runAndStop(folder, argv, signal, moment);
        const what = `${name}, seed ${SEED}, ${signal} ${kill} after ${Math.round(moment)} ms`;
        // Those of a run that may still be at work are left alone for an hour.
        for (const name of leftOversIn(folder)) utimesSync(join(folder, name), 0, 0);
        if (victim.check !== undefined) await expect(victim.check(folder), what).resolves.toBeDefined();
        runAgain(folder, victim);
        expect(await outcome(folder), what).toEqual(expected);
        expect(leftOversIn(folder), what).toEqual(leftOvers);
        rmSync(folder, { recursive: true });
      }
    },
  );
});

async function runAndStop(
  folder: string,
  argv: readonly string[],
  signal: NodeJS.Signals,
  afterMs: number,
): Promise<void> {
  const child = spawn(process.execPath, [program, ...argv], {
    ...{ cwd: folder, stdio: "ignore" },
    env: environmentOf(folder),
  });
  const ended = once(child, "exit");
  await Promise.race([ended, pause(afterMs)]);
  child.kill(signal);
  await ended;
}

/** Numbers of 0 to 1 that a seed fixes. */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
