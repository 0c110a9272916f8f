// A provider's cache knows a message by what it says, not by the object: equal messages are made one object, so that
// libraries that copy are not charged for it.
import type { ChatMessage } from "../peer.ts";

export type Intern = (message: ChatMessage) => ChatMessage;

export function createIntern(): Intern {
  const known = new Map<string, ChatMessage>();
  const seen = new WeakMap<ChatMessage, ChatMessage>();
  return (message) => {
    const before = seen.get(message);
    if (before !== undefined) return before;
    const key = keyOf(message);
    const first = known.get(key) ?? message;
    known.set(key, first);
    seen.set(message, first);
    return first;
  };
}

export function areEqual(left: readonly ChatMessage[], right: readonly ChatMessage[]): boolean {
  return left.length === right.length && left.every((message, at) => keyOf(message) === keyOf(right[at] ?? {}));
}

function keyOf(message: ChatMessage): string {
  return JSON.stringify(canonical(message));
}

/** Keys in order, nothing empty, text as text. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return isText(value) ? value[0].text : value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, one]) => one !== undefined && one !== null && one !== "" && !(Array.isArray(one) && one.length === 0))
    .map(([key, one]) => [key, key === "arguments" ? parsed(one) : canonical(one)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function isText(value: readonly unknown[]): value is readonly [{ readonly text: string }] {
  const [part] = value as readonly [{ readonly type?: unknown; readonly text?: unknown }];
  return value.length === 1 && part?.type === "text" && typeof part.text === "string";
}

function parsed(json: unknown): unknown {
  try {
    return canonical(JSON.parse(String(json)));
  } catch {
    return json;
  }
}
