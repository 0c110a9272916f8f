// What of a session's messages is how large, and where its turns begin.
import { createMessageCounter } from "../../tokens/count-messages.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import type { ConversationSource } from "../files/conversation-source.ts";

/** Tokens of a message. What was counted once is not counted again. */
export function createMeasure({
  format,
  model,
}: Pick<ConversationSource, "format" | "model">): (message: unknown) => number {
  const counter = createMessageCounter(counterFor(resolveModel(model)));
  return (message) => counter.countMessage(message, format.view(message));
}

/** Tokens of what the host sends of a session, and of all that is in the file: more where the host has compacted it. */
export function sizeOf(source: Pick<ConversationSource, "format" | "model" | "messages" | "compactions">) {
  const sizes = source.messages.map(createMeasure(source));
  const start = source.compactions?.at(-1)?.start ?? 0;
  const from = (index: number) => sizes.slice(index).reduce((sum, size) => sum + size, 0);
  return {
    sent: from(start),
    inFile: from(0),
    olderThan: (index: number) => from(start) - from(Math.max(start, index)),
  };
}

/** Turns that stay by default, see `session compact`. */
export const KEPT_TURNS = 6;

/** Indices of the messages in which a person said something. */
export function turnStarts({ format, messages }: Pick<ConversationSource, "format" | "messages">): readonly number[] {
  return messages.flatMap((message, index) => {
    const { role, parts, isHostWritten } = format.view(message);
    const isSaid = role === "user" && isHostWritten !== true && parts.some(({ kind }) => kind !== "result");
    return isSaid ? [index] : [];
  });
}
