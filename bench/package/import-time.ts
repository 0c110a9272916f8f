// How long `import()` of a file takes in a process that has loaded nothing else: medians over fresh processes, the files in
// turns, so that a slow moment of the machine falls on all of them.
import { execFileSync } from "node:child_process";

export interface ImportTime {
  readonly file: string;
  /** Milliseconds. */
  readonly median: number;
}

const PROCESSES = 15;

export async function timeImports(files: readonly string[]): Promise<readonly ImportTime[]> {
  const times = files.map((file) => ({ file, taken: [] as number[] }));
  for (let round = 0; round < PROCESSES; round += 1) for (const { file, taken } of times) taken.push(timeOnce(file));
  return times.map(({ file, taken }) => ({
    file,
    median: taken.sort((a, b) => a - b)[Math.floor(PROCESSES / 2)] ?? 0,
  }));
}

function timeOnce(file: string): number {
  const code = `const start = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }));
}
