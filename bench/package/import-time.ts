// How long a piece of code takes in a process that has loaded nothing else: medians over fresh processes, the pieces in
// turns, so that a slow moment of the machine falls on all of them.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface StartTime {
  readonly what: string;
  /** Milliseconds. */
  readonly median: number;
}

const PROCESSES = 15;

/** @param pieces what is told of each, and a module's text. */
export function timeStarts(pieces: Readonly<Record<string, string>>): readonly StartTime[] {
  const times = Object.entries(pieces).map(([what, code]) => ({ what, code, taken: [] as number[] }));
  for (let round = 0; round < PROCESSES; round += 1) for (const { code, taken } of times) taken.push(timeOnce(code));
  return times.map(({ what, taken }) => ({
    what,
    median: taken.sort((a, b) => a - b)[Math.floor(PROCESSES / 2)] ?? 0,
  }));
}

export interface CommandTime {
  readonly what: string;
  /** Of the processor, in times of a Node that does nothing. */
  readonly ratio: number;
}

export interface Command {
  readonly what: string;
  readonly args: readonly string[];
  readonly stdin?: string;
}

/** Medians of whole processes, each against the bare Node of its own turn. */
export function timeCommands(commands: readonly Command[]): readonly CommandTime[] {
  const all = commands.map((command) => ({ ...command, ratios: [] as number[] }));
  for (let round = 0; round <= PROCESSES; round += 1) {
    const bare = processorTime(["-e", "0"], "");
    for (const { args, stdin = "", ratios } of all) {
      const taken = processorTime(args, stdin);
      // The first round fills the caches.
      if (round > 0) ratios.push(taken / bare);
    }
  }
  return all.map(({ what, ratios }) => ({
    what,
    ratio: ratios.sort((a, b) => a - b)[Math.floor(PROCESSES / 2)] ?? 0,
  }));
}

function processorTime(args: readonly string[], input: string): number {
  const before = childTime();
  const { status, stderr } = spawnSync(process.execPath, args, { input });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return childTime() - before;
}

/** Milliseconds of the processor of all children that have ended, as Linux counts them. */
function childTime(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function timeOnce(code: string): number {
  const timed = `const start = performance.now(); ${code}; console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", timed], { encoding: "utf8" }));
}
