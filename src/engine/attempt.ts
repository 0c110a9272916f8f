// One attempt at an operation, alike in every memory: when it began and how long it takes, the event of what it did, and the
// one event of its failure. Errors of others may quote content, so of those only the name is emitted.
import { CompactError } from "../errors.ts";
import { type Clock, clockFrom } from "../time.ts";
import type { Part } from "../trace/compact-event.ts";
import { startWatch, type Times, type Trace } from "../trace/emit.ts";

/** Ids that an event names at most; its counts are whole. */
const MOST_EVENT_IDS = 1000;

/** Whose attempt it is, as its events say. */
export interface AttemptOf {
  /** Absent where it is a conversation. */
  readonly part?: Part;
  readonly sessionId: string;
  /** What was done instead of what failed. Default `none`. */
  readonly fallback?: string;
}

export interface AttemptOptions {
  readonly trace?: Pick<Trace, "emit"> | undefined;
  /** When the work begins, milliseconds since the epoch. Default: the time of this machine. */
  readonly now?: number | undefined;
  /** Default: `now`, and the time that has passed since the call. */
  readonly clock?: Clock | undefined;
}

export function clockOf({ clock, now = Date.now() }: Pick<AttemptOptions, "clock" | "now">): Clock {
  return clock ?? clockFrom(now);
}

/** Runs the work, which learns how long it has taken; a failure is emitted, then thrown on. */
export async function attempt<T>(
  of: AttemptOf,
  options: AttemptOptions,
  work: (watch: () => Times) => Promise<T>,
): Promise<T> {
  const watch = startWatch(clockOf(options));
  try {
    return await work(watch);
  } catch (error) {
    emitFailure(of, error, options, watch());
    throw error;
  }
}

/** `times`: of what failed, where they are known. */
export function emitFailure(
  { part, sessionId, fallback = "none" }: AttemptOf,
  error: unknown,
  { trace }: Pick<AttemptOptions, "trace">,
  times?: Times,
): void {
  trace?.emit({
    event: "compact.error",
    ...(part === undefined ? {} : { part }),
    session_id: sessionId,
    status: "error",
    ...describeError(error),
    fallback,
    ...times,
  });
}

function describeError(error: unknown): {
  readonly error_type: string;
  readonly code?: string;
  readonly message: string;
} {
  if (CompactError.isInstance(error)) {
    const message = [error.message.replace(/(?<![.!?])$/, "."), error.hint ?? ""].join(" ").trim();
    return { error_type: error.kind, code: error.code, message };
  }
  const name = error instanceof Error ? error.name : "no error";
  if (name === "AbortError" || name === "TimeoutError")
    return { error_type: "Aborted", message: "It was aborted; what was done by then is kept." };
  return { error_type: "Unexpected", message: `It failed for a reason of another program (${name}).` };
}

/** What was planned, applied or restored. */
export function emitDone(
  event: "compact.plan" | "compact.applied" | "compact.restored",
  { part, sessionId }: AttemptOf & { readonly part: Part },
  { ids, counts }: { readonly ids: readonly (number | string)[]; readonly counts: Readonly<Record<string, number>> },
  { trace }: Pick<AttemptOptions, "trace">,
  times: Times,
): void {
  trace?.emit({ event, part, session_id: sessionId, ids: ids.slice(0, MOST_EVENT_IDS), counts, ...times });
}
