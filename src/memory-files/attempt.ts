// Every attempt ends in one event: what a plan, an apply or a restore emits when it fails. Errors of others may quote a file, so only
// what this package wrote itself is emitted.
import { CompactError } from "../errors.ts";
import { clockFrom } from "../time.ts";
import { startWatch, type Times, type Trace } from "../trace/emit.ts";

/** Where the events of memory files belong: there are no sessions. */
export const MEMORY_FILES_SESSION = "memory-files";

/** Ids that an event names at most; its counts are whole. */
export const MOST_IDS = 1000;

export interface AttemptOptions {
  readonly trace?: Pick<Trace, "emit"> | undefined;
  /** When the work begins, milliseconds since the epoch. Default: the time of this machine. */
  readonly now?: number | undefined;
}

/** Runs the work, which learns how long it has taken; a failure is emitted, then thrown on. */
export async function emittingFailure<T>(
  { trace, now = Date.now() }: AttemptOptions,
  work: (watch: () => Times) => Promise<T>,
): Promise<T> {
  const watch = startWatch(clockFrom(now));
  try {
    return await work(watch);
  } catch (error) {
    trace?.emit({
      event: "compact.error",
      part: "memory_files",
      session_id: MEMORY_FILES_SESSION,
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
  if (isAborted) return { error_type: "Aborted", message: "It was aborted; what was done by then is in the journal." };
  return { error_type: "Unexpected", message: "It failed for a reason of another program." };
}
