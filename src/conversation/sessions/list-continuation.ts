// How one list of messages goes on from another: what a caller keeps by itself, and what it added while we worked.
import { CompactError } from "../../errors.ts";

/** A list as it came in, and what it became. */
export interface Answered {
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
}

/** A caller that keeps its own whole history gets the compacted prefix instead of the messages it stands for. */
export function replay(answered: Answered | undefined, messages: readonly unknown[]): readonly unknown[] {
  if (answered === undefined || !continues(messages, answered.input)) return messages;
  return [...answered.output, ...messages.slice(answered.input.length)];
}

/** Does `messages` begin with these, by content? Copies of the same messages count. */
export function continues(messages: readonly unknown[], head: readonly unknown[]): boolean {
  return messages.length >= head.length && head.every((message, index) => isSame(message, messages[index]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** What the caller pushed onto its list meanwhile; undefined when the list is no longer the one that was read. */
export function appendedSince(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] | undefined {
  const isIntact = now.length >= before.length && before.every((message, index) => message === now[index]);
  return isIntact ? now.slice(before.length) : undefined;
}

/** What `messages` has behind the list that the last compaction gave. Throws `Conflict` when it does not go on from it. */
export function behind(output: readonly unknown[], messages: readonly unknown[]): readonly unknown[] {
  if (continues(messages, output)) return messages.slice(output.length);
  throw new CompactError("Conflict", "The messages do not go on from the list that the last compaction gave.", {
    code: "LIST_CHANGED",
    hint: "Call undo without messages to get the list as it was before that compaction.",
  });
}
