// One measured thing: the times of its runs, by the clock and of the processor alone, which a busy machine leaves as it is.
export interface Time {
  /** Milliseconds each. */
  readonly clock: number;
  readonly processor: number;
}

export interface Figure {
  readonly what: string;
  readonly times: readonly Time[];
  readonly note?: string;
}

export async function timed(run: () => unknown): Promise<Time> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { clock: performance.now() - startedAt, processor: (user + system) / 1000 };
}

/** After one run that is not counted. */
export async function timesOf(runs: number, run: (index: number) => unknown): Promise<Time[]> {
  const times: Time[] = [];
  for (let index = 0; index <= runs; index++) times.push(await timed(() => run(index)));
  return times.slice(1);
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((first, second) => first - second);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
