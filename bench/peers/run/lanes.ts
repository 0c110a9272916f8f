// Has tasks done in several workers at once, each task in the worker that is free first. Results keep their order.
import { type Crew, createCrew } from "./worker-crew.ts";

export type Task<Result> = (crew: Crew) => Promise<Result>;

export interface Lanes {
  all<Result>(tasks: readonly Task<Result>[]): Promise<readonly Result[]>;
  close(): Promise<void>;
}

export function createLanes(count: number): Lanes {
  const crews = Array.from({ length: count }, createCrew);
  const all = async <Result>(tasks: readonly Task<Result>[]) => {
    const results: Result[] = [];
    const waiting = [...tasks.entries()];
    const work = async (crew: Crew) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [at, task] = next;
        results[at] = await task(crew);
      }
    };
    await Promise.all(crews.map(work));
    return results;
  };
  const close = async () => {
    await Promise.all(crews.map((crew) => crew.close()));
  };
  return { all, close };
}
