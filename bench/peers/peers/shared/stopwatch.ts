// Processor time of a library's own call, so that what this comparison does around it is not charged to it.
import { processorTime } from "../../measures/processor-time.ts";

export class Stopwatch {
  #milliseconds = 0;

  async time<T>(call: () => T | Promise<T>): Promise<T> {
    const start = processorTime();
    try {
      return await call();
    } finally {
      this.#milliseconds = processorTime() - start;
    }
  }

  get milliseconds(): number {
    return this.#milliseconds;
  }
}
