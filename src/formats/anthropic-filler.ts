// The messages that make room where Anthropic wants one and the conversation has none to offer: an opener, and one
// of either role between two neighbours of the other whose alternation went with the messages between them.
import { asArray, isObject } from "./json-shape.ts";
import { markHostWritten } from "./protected.ts";

const OPENER = "The record of the earlier conversation follows.";
const GAP_TEXTS = {
  user: "The message that stood here was left out.",
  assistant: "The answer that stood here was left out.",
} as const;

type Role = keyof typeof GAP_TEXTS;

const KNOWN: Readonly<Record<Role, readonly unknown[]>> = {
  user: [OPENER, GAP_TEXTS.user],
  assistant: [GAP_TEXTS.assistant],
};

export function anthropicFiller() {
  return filler("user", OPENER);
}

/** Stands between two messages of the other role. */
export function gapFiller(role: Role) {
  return filler(role, GAP_TEXTS[role]);
}

function filler(role: Role, text: string) {
  return markHostWritten({ role, content: [{ type: "text", text }] });
}

/** True for exactly the messages that are made here, read back from a file or not. */
export function isAnthropicFiller(message: unknown): boolean {
  if (!isObject(message) || Object.keys(message).length !== 2) return false;
  if (message.role !== "user" && message.role !== "assistant") return false;
  const blocks = asArray(message.content);
  const only = blocks[0];
  if (blocks.length !== 1 || !isObject(only) || only.type !== "text" || Object.keys(only).length !== 2) return false;
  return KNOWN[message.role].includes(only.text);
}
