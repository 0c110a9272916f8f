// Long work in turns: lets timers and I/O in every few milliseconds, so that summarizing a long session stalls nobody.
import { createPacer } from "../tokens/stepwise.ts";

/** Looking at the clock costs something too. */
const TICKS_PER_LOOK = 512;

export interface Turns {
  /** Called once per small piece of work. */
  tick(): Promise<void> | undefined;
}

export function createTurns(ticksPerLook = TICKS_PER_LOOK): Turns {
  const pacer = createPacer();
  let ticks = 0;
  return {
    tick() {
      ticks += 1;
      if (ticks < ticksPerLook) return undefined;
      ticks = 0;
      return pacer.isDue() ? pacer.pause() : undefined;
    },
  };
}
