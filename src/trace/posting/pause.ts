// Keeps from asking an endpoint that does not answer. One that failed is left alone for a while, longer each time, so
// that neither a flush nor a program's end waits once per batch for a server that is not there.
import type { Failure } from "./deliver.ts";

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export class Pause {
  #until = 0;
  #length = FIRST_MS;
  #isSlow = false;

  /** Milliseconds that it still lasts. */
  get left(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Begun by a failure that took its whole time: even one who waits for the result does not try again now. */
  get holdsEveryone(): boolean {
    return this.#isSlow && this.left > 0;
  }

  begin({ isSlow, retryAfterMs }: Failure): void {
    this.#isSlow = isSlow;
    this.#until = performance.now() + Math.min(LONGEST_MS, Math.max(this.#length, retryAfterMs));
    this.#length = Math.min(LONGEST_MS, this.#length * 2);
  }

  end(): void {
    this.#until = 0;
    this.#length = FIRST_MS;
  }
}
