// Runs one measurement in a fresh process and reads its figures, one JSON object a line.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./run-one.mjs", import.meta.url));

export type Figure = Readonly<Record<string, number | string | boolean>>;

/** What was told before the time was up; a process that is too slow is ended. */
export function runOne(mode: string, peer: string, ...rest: readonly string[]): Promise<readonly Figure[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--expose-gc", script, mode, peer, ...rest], {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 60_000,
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", () =>
      resolve(
        output
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Figure),
      ),
    );
  });
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

export function numbersOf(figures: readonly Figure[], name: string): readonly number[] {
  return figures.map((figure) => Number(figure[name]));
}
