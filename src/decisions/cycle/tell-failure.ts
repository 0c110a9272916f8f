// Every attempt ends in one event: what a plan or a cycle tells when it fails. Errors of others may quote a decision, so
// only what this package wrote itself is told.
import { CompactError } from "../../errors.ts";
import type { Trace } from "../../trace/emit.ts";
import { startWatch, type Times } from "../../trace/watch.ts";
import { type CycleOptions, clockOf } from "./cycle-options.ts";

/** Where the events of decision logs belong: there are no sessions. */
export const DECISIONS_SESSION = "decisions";

/** Ids that an event names at most; its counts are whole. */
export const MOST_TOLD = 1000;

export type Telling = Pick<CycleOptions, "now" | "clock"> & { readonly trace?: Pick<Trace, "emit"> | undefined };

/** Runs the work, which learns how long it has taken; a failure is told, then thrown on. */
export async function tellingFailure<T>(telling: Telling, work: (watch: () => Times) => Promise<T>): Promise<T> {
  const watch = startWatch(clockOf(telling));
  try {
    return await work(watch);
  } catch (error) {
    telling.trace?.emit({
      event: "compact.error",
      part: "decisions",
      session_id: DECISIONS_SESSION,
      status: "error",
      ...described(error),
      fallback: "none",
      ...watch(),
    });
    throw error;
  }
}

function described(error: unknown): { readonly error_type: string; readonly code?: string; readonly message: string } {
  if (CompactError.isInstance(error)) return { error_type: error.kind, code: error.code, message: error.message };
  const isAborted = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
  if (isAborted)
    return { error_type: "Aborted", message: "The compaction was aborted; texts that were written are kept." };
  return { error_type: "Unexpected", message: "The compaction failed for a reason of another program." };
}
