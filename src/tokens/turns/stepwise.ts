// Work that may be put down between its steps: done at once where somebody waits for it, or in turns of the event loop.
import { createPacer } from "./pacer.ts";

/** Yields wherever the work may be put down; a step takes a few milliseconds at most. */
export type Stepwise<Result> = Generator<void, Result>;

export function runThrough<Result>(steps: Stepwise<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same result; other work runs in between. */
export async function runInTurns<Result>(steps: Stepwise<Result>): Promise<Result> {
  const pacer = createPacer();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.isDue()) await pacer.pause();
  }
}
