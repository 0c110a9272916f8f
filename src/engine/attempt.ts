// One attempt at an operation, alike in every memory: when it began and how long it takes, the event of what it did, and the
// one event of its failure. Errors of others may quote content, so of those only the name is emitted.
import { CompactError } from "../errors.ts";
import { causesOf } from "../http-client.ts";
import { type Clock, clockFrom } from "../time.ts";
import type { ErrorEvent, Part } from "../trace/compact-event.ts";
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
  /** Where it failed: of a conversation. */
  readonly place?: Pick<ErrorEvent, "step" | "strategy" | "model" | "provider">;
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
  { part, sessionId, fallback = "none", place }: AttemptOf,
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
    ...place,
    ...times,
  });
}

function describeError(
  error: unknown,
): Pick<ErrorEvent, "error_type" | "message"> & Partial<Pick<ErrorEvent, "code" | "attempt" | "cause">> {
  const causes = causesOf(error).filter((link) => !CompactError.isInstance(link));
  const cause = causes.length === 0 ? {} : { cause: causes.map(describeCause).join(" < ") };
  if (CompactError.isInstance(error)) {
    const { kind: error_type, code, data } = error;
    const message = [error.message.replace(/(?<![.!?])$/, "."), error.hint ?? ""].join(" ").trim();
    const isCall = typeof data.calls === "number" && data.calls > 0;
    return { error_type, code, message, ...(isCall ? { attempt: data.calls as number } : {}), ...cause };
  }
  const name = error instanceof Error ? error.name : "no error";
  if (name === "AbortError" || name === "TimeoutError")
    return { error_type: "Aborted", message: "It was aborted; what was done by then is kept." };
  return { error_type: "Unexpected", message: `It failed for a reason of another program (${name}).`, ...cause };
}

/** `TypeError at save (archive.js:12:9)`. Words are read by their form: a name or a code may be anything. */
function describeCause({ name, code, message, stack }: Readonly<Record<string, unknown>>): string {
  const words = [name, code].filter((word) => typeof word === "string" && /^\w[\w.]{0,60}$/.test(word));
  // Behind what was said, which may hold lines of the same form.
  const isTraced = typeof stack === "string" && typeof message === "string" && message !== "";
  const frames = isTraced ? stack.slice(stack.indexOf(message) + message.length) : "";
  const place = /^\n\s{0,8}at ([^\n]{1,300})/.exec(frames)?.[1];
  const at = place === undefined ? [] : [`at ${place.replace(/[^\s(]*[/\\]/g, "")}`];
  return [...new Set(words), ...at].join(" ");
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
