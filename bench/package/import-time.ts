// How long a piece of code takes in a process that has loaded nothing else: medians over fresh processes, the pieces in
// turns, so that a slow moment of the machine falls on all of them.
import { execFileSync } from "node:child_process";

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

function timeOnce(code: string): number {
  const timed = `const start = performance.now(); ${code}; console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", timed], { encoding: "utf8" }));
}
