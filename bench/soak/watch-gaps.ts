// What a piece of work does to the event loop: the time it took, and the longest that a timer had to wait meanwhile.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

export interface Gaps {
  /** Milliseconds. */
  longest(): number;
  stop(): void;
}

/** Of one turn of the loop at least, so that what comes next is watched from its start. */
const SETTLING_MS = 20;

export async function watchGaps(): Promise<Gaps> {
  await sleep(SETTLING_MS);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(SETTLING_MS);
  delay.reset();
  return { longest: () => delay.max / 1e6, stop: () => void delay.disable() };
}

export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started };
}

export async function watched<Result>(work: () => Promise<Result>) {
  const gaps = await watchGaps();
  const done = await timed(work);
  await sleep(SETTLING_MS);
  const gapMs = gaps.longest();
  gaps.stop();
  return { ...done, gapMs };
}
