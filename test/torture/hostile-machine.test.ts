// Commands that write on a machine that plays along badly: few open files, a clock that jumps, a full disk, a folder
// nobody can write to. Either a command does all that it should, or it says what is wrong, and the next run finds
// everything as it was.
import { spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentOf, isBuilt, newFolder, program, runAgain, unharmed, VICTIMS } from "./victims.ts";

const clock = `
  const now = Date.now;
  let calls = 0;
  Date.now = () => now() + [0, 3e10, -3e10, 36e5, -36e5][calls++ % 5];
`;

/** Shell scripts that run the command, `"$@"`, in the folder `$0`, with the folder `$SCRATCH` beside it. */
const TROUBLES = [
  // Fewer do not suffice for Node to load our modules.
  { name: "few open files", needsRoot: false, script: `cd "$0"; ulimit -n 60; exec "$@"` },
  {
    name: "a clock that jumps",
    needsRoot: false,
    script: `cd "$0"; NODE_OPTIONS="--import=$SCRATCH/clock.mjs" exec "$@"`,
  },
  {
    name: "a disk with 16 KB left",
    needsRoot: true,
    script: `
      mount -t tmpfs -o size=32m none "$SCRATCH" && cp -a "$0/." "$SCRATCH" && cd "$SCRATCH" &&
      (dd if=/dev/zero of=filler bs=1k 2>/dev/null; truncate -s -16K filler) && ("$@"; status=$?; rm filler; exit $status)
      status=$?; find "$0" -mindepth 1 -delete; cp -a . "$0"; exit $status`,
  },
  {
    name: "a folder nobody can write to",
    needsRoot: true,
    script: `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && exec "$@"`,
  },
];

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;

describe.skipIf(!isBuilt)(`a command that writes${isBuilt ? "" : " (skipped: no build)"}`, () => {
  for (const { name, needsRoot, script } of TROUBLES) {
    const isLeftOut = needsRoot && !canMount;
    describe.skipIf(isLeftOut)(`with ${name}${isLeftOut ? " (skipped: needs the right to mount)" : ""}`, () => {
      it.each(VICTIMS)("$name", { timeout: 120_000 }, async (victim) => {
        const { argv, outcome } = victim;
        const { template, expected } = await unharmed(victim);
        const [folder, scratch] = [newFolder(), newFolder()];
        cpSync(template, folder, { recursive: true });
        writeFileSync(join(scratch, "clock.mjs"), clock);
        const shell = [...(needsRoot ? ["unshare", "-m"] : []), "sh", "-c", script, folder];
        const { status, stderr } = spawnSync("env", [...shell, process.execPath, program, ...argv], {
          encoding: "utf8",
          env: { ...environmentOf(folder), SCRATCH: scratch },
        });
        if (status !== 0) expect(stderr).toMatch(/^agent-compact: \S.*\n {2}\S.*\n$/);
        runAgain(folder, victim);
        expect(await outcome(folder)).toEqual(expected);
      });
    });
  }
});
