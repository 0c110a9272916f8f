// Newer Claude models bind their thinking to all that stood before it, and take it back behind nothing else: not behind a
// beginning that was compacted since. What was thought behind a compacted one is bound to that, which stays.
import { isThinking } from "../providers/anthropic/messages.ts";
import { isObject, type JsonObject } from "../text/json-values.ts";

/** The same object where there is none; no message for one that was nothing else. */
export function withoutThinking<Message>(message: Message): readonly (Message | JsonObject)[] {
  if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return [message];
  const content = message.content.filter((block: unknown) => !isThinking(block));
  if (content.length === message.content.length) return [message];
  return content.length === 0 ? [] : [{ ...message, content }];
}
