// How much a store holds.
import { SUMMARY_TYPE } from "../observation.ts";
import type { ObservationReader, ObservationStore, Totals } from "../observation-store.ts";

const PAGE = 500;

export interface MemoryStats extends Totals {
  /** Live rows that stand for compacted ones. */
  readonly summaries: number;
  /** Of titles and contents of live rows. Absent unless asked for: every row is read for it. */
  readonly tokens?: number;
}

export interface StatsOptions {
  /** Counts the tokens of a text: given, the live rows are counted. */
  readonly count?: ((text: string) => number) | undefined;
}

/** From one state of the store. Throws what the store throws. */
export async function memoryStats(store: ObservationStore, { count }: StatsOptions = {}): Promise<MemoryStats> {
  return store.read(async (rows) => ({
    ...(await rows.totals()),
    summaries: await rows.count({ type: SUMMARY_TYPE }, "live"),
    ...(count === undefined ? {} : { tokens: await tokensOf(rows, count) }),
  }));
}

async function tokensOf(rows: ObservationReader, count: (text: string) => number): Promise<number> {
  let tokens = 0;
  let last = 0;
  for (;;) {
    const page = await rows.observationsAfter(last, PAGE);
    for (const { title, content, deleted_at } of page) {
      if (deleted_at === null) tokens += count(`${title}\n${content}`);
    }
    last = page.at(-1)?.id ?? last;
    if (page.length < PAGE) return tokens;
  }
}
