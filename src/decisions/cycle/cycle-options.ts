// What a cycle is given besides the log and its request, and the clock that it goes by.
import { type Clock, clockFrom } from "../../time.ts";
import type { DecisionOptions } from "../decision-options.ts";
import type { TextWriter } from "../texts/text-writer.ts";

export interface CycleOptions extends DecisionOptions {
  /** Writes the texts of summaries and digests. Absent: none is written; they are served as code writes them at once. */
  readonly texts?: TextWriter | undefined;
  /** Ends the cycle between two texts; those that are written are kept. */
  readonly signal?: AbortSignal | undefined;
  /** What the lease and the end of the run go by. Default: `now`, and the time that has passed since the call. */
  readonly clock?: Clock | undefined;
}

export function clockOf({ clock, now }: Pick<CycleOptions, "clock" | "now">): Clock {
  return clock ?? clockFrom(now);
}
