// The one event for everything that fails, with the action that was taken instead.
import { CompactError } from "../errors.ts";
import type { Times } from "../trace/watch.ts";
import type { ConversationParts } from "./conversation-parts.ts";

/** `times`: of what failed, where that is less than the whole attempt. */
export function emitError(
  sessionId: string,
  error: unknown,
  fallback: string,
  { trace }: Pick<ConversationParts, "trace">,
  times?: Times,
): void {
  const known = CompactError.isInstance(error);
  trace.emit({
    event: "compact.error",
    session_id: sessionId,
    status: "error",
    error_type: known ? error.kind : error instanceof Error ? error.name : "Error",
    ...(known ? { code: error.code } : {}),
    message: known
      ? [error.message.replace(/(?<![.!?])$/, "."), error.hint ?? ""].join(" ").trim()
      : error instanceof Error
        ? error.message
        : "A value that is not an error was thrown.",
    fallback,
    ...times,
  });
}
