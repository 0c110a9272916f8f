// The user message that makes room where Anthropic wants one and the conversation has none to offer.
import { asArray, isObject } from "./json-shape.ts";
import { markHostWritten } from "./protected.ts";

const FILLER_TEXT = "The record of the earlier conversation follows.";

export function anthropicFiller() {
  return markHostWritten({ role: "user", content: [{ type: "text", text: FILLER_TEXT }] });
}

/** True for exactly the message that `anthropicFiller` makes, read back from a file or not. */
export function isAnthropicFiller(message: unknown): boolean {
  if (!isObject(message) || message.role !== "user" || Object.keys(message).length !== 2) return false;
  const blocks = asArray(message.content);
  const only = blocks[0];
  return blocks.length === 1 && isObject(only) && only.text === FILLER_TEXT && Object.keys(only).length === 2;
}
