// What commands of the built program take on an archive of many steps, as whole processes, beside Node that does nothing.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Time } from "../observations/timing.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
/** Said at the end: what the process took of the processor, in milliseconds. */
const TELL_TIME =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process._rawDebug('took '+(user+system)/1000)})";
const RUNS = 5;

export interface CommandFigure {
  readonly what: string;
  readonly times: readonly Time[];
}

export function timeCommands(root: string): readonly CommandFigure[] {
  const archive = (...argv: readonly string[]) => [PROGRAM, "archive", ...argv, "--archive-dir", root];
  const unfound = archive("search", "lighthousekeeper");
  rmSync(join(root, "@words"), { recursive: true, force: true });
  return [
    { what: "`node -e 0`", times: timesOf(["-e", "0"], RUNS) },
    { what: "`agent-compact --version`", times: timesOf([PROGRAM, "--version"], RUNS) },
    { what: "`archive list`", times: timesOf(archive("list"), RUNS) },
    { what: "`archive search` without a hit, the first", times: timesOf(unfound, 1) },
    { what: "the same again", times: timesOf(unfound, RUNS) },
    { what: "`archive search` with hits", times: timesOf(archive("search", "database"), RUNS) },
    { what: "`archive verify`", times: timesOf(archive("verify"), 1) },
  ];
}

function timesOf(argv: readonly string[], runs: number): readonly Time[] {
  return Array.from({ length: runs }, () => {
    const startedAt = performance.now();
    const { stderr } = spawnSync(process.execPath, ["--import", TELL_TIME, ...argv], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    const processor = Number(/took ([\d.]+)/.exec(stderr)?.[1]);
    if (Number.isNaN(processor)) throw new Error(`${argv.join(" ")}: ${stderr}`);
    return { clock: performance.now() - startedAt, processor };
  });
}
