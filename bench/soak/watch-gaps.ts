// What a piece of work does to the event loop: the time it took, and the longest that a timer had to wait meanwhile.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";

export interface Gaps {
  /** Milliseconds. */
  longest(): number;
  stop(): void;
}

export function watchGaps(): Gaps {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  return { longest: () => delay.max / 1e6, stop: () => void delay.disable() };
}

export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started };
}
