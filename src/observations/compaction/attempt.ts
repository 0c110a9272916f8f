// Every attempt ends in one event: what a plan, a compaction or a restore tells when it fails, and how long it took. Errors of
// others may quote a row, so only what this package wrote itself is told.
import { CompactError } from "../../errors.ts";
import { clockFrom } from "../../time.ts";
import { startWatch, type Times, type Trace } from "../../trace/emit.ts";

/** Ids that an event names at most; its counts are whole. */
export const MOST_EMITTED_IDS = 1000;

interface AttemptOptions {
  readonly trace?: Pick<Trace, "emit"> | undefined;
  readonly sessionId: string;
  /** When the work begins, milliseconds since the epoch. */
  readonly now: number;
}

/** Runs the work, which learns how long it has taken; a failure is told, then thrown on. */
export async function attempt<T>(options: AttemptOptions, work: (watch: () => Times) => Promise<T>): Promise<T> {
  const watch = startWatch(clockFrom(options.now));
  try {
    return await work(watch);
  } catch (error) {
    emitFailure(options, error, watch());
    throw error;
  }
}

export function emitFailure({ trace, sessionId }: Omit<AttemptOptions, "now">, error: unknown, times: Times): void {
  trace?.emit({
    event: "compact.error",
    part: "observations",
    session_id: sessionId,
    status: "error",
    ...describeError(error),
    fallback: "none",
    ...times,
  });
}

function describeError(error: unknown): {
  readonly error_type: string;
  readonly code?: string;
  readonly message: string;
} {
  if (CompactError.isInstance(error)) return { error_type: error.kind, code: error.code, message: error.message };
  const isAborted = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
  if (isAborted) return { error_type: "Aborted", message: "It was aborted; what was done by then is in the store." };
  return { error_type: "Unexpected", message: "It failed for a reason of another program." };
}
