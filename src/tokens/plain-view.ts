// Reads a message of no known format for counting: role and strings, all else as JSON. Formats do better.
import type { MessagePart, MessageRole, MessageView } from "../formats/format.ts";
import { compactJson } from "./compact-json.ts";

const ROLES: readonly string[] = ["system", "developer", "user", "assistant", "tool"] satisfies readonly MessageRole[];

/** Never throws. Text in `content` counts as text; a message without `content` counts as its JSON. */
export function plainView(message: unknown): MessageView {
  return {
    role: roleOf(message),
    parts: partsOf(message),
    isProtected: false,
    isIrreplaceable: false,
    joinsNext: false,
  };
}

function roleOf(message: unknown): MessageRole {
  const role = fieldOf(message, "role");
  return typeof role === "string" && ROLES.includes(role) ? (role as MessageRole) : "user";
}

function partsOf(message: unknown): readonly MessagePart[] {
  if (typeof message === "string") return [{ kind: "text", text: message }];
  if (message === undefined || message === null) return [];
  const {
    content,
    role: _,
    ...rest
  } = typeof message === "object" ? (message as Record<string, unknown>) : { content: message };
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const parts = blocks.flatMap(blockParts);
  return Object.keys(rest).length === 0
    ? parts
    : [...parts, { kind: "opaque", type: "fields", text: compactJson(rest), sealedLength: 0 }];
}

function blockParts(block: unknown): readonly MessagePart[] {
  if (block === undefined || block === null || block === "") return [];
  if (typeof block === "string") return [{ kind: "text", text: block }];
  const text = fieldOf(block, "text");
  if (typeof text === "string") return [{ kind: "text", text }];
  return [{ kind: "opaque", type: "unknown", text: compactJson(block), sealedLength: 0 }];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
