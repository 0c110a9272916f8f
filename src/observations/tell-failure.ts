// Every attempt ends in one event: what a compaction or a restore tells when it fails.
import { CompactError } from "../errors.ts";
import type { Trace } from "../trace/emit.ts";

/** Runs the work; a failure is told, then thrown on. */
export async function tellingFailure<T>(
  trace: Trace | undefined,
  sessionId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    tellFailure(trace, sessionId, error);
    throw error;
  }
}

export function tellFailure(trace: Trace | undefined, sessionId: string, error: unknown): void {
  trace?.emit({
    event: "compact.error",
    part: "observations",
    session_id: sessionId,
    status: "error",
    error_type: CompactError.isInstance(error) ? error.kind : "StoreFailed",
    ...(CompactError.isInstance(error) ? { code: error.code } : {}),
    message: error instanceof Error ? error.message : String(error),
    fallback: "none",
  });
}
