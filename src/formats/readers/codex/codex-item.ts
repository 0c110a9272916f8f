// An item of a rollout file as the Responses endpoint takes it. What the provider signed stays to the byte; what the
// host wrote in the user's place is marked.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, isFilledText, isObject, toJson } from "../../json-shape.ts";
import { markHostWritten } from "../../protected.ts";
import { isTextPart } from "../../views/shared-parts.ts";

/** Items in the host's own list that it never sends. */
const HOSTS_ITEMS: ReadonlySet<unknown> = new Set(["ghost_snapshot", "other"]);

/** Openings of what the host puts in the user's place: surroundings, instructions, what commands printed. */
const HOST_OPENINGS = [
  "<environment_context>",
  "<user_instructions>",
  "# AGENTS.md instructions",
  "<skill>",
  "<user_shell_command>",
  "<turn_aborted>",
  "<subagent_notification>",
  "<hook_prompt",
] as const;

export function isHostsItem(item: JsonObject): boolean {
  return HOSTS_ITEMS.has(item.type);
}

export function toResponsesItem(item: JsonObject): JsonObject {
  const plain = withoutNulls(item);
  switch (plain.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      return isObject(plain.output) ? { ...plain, output: outputOf(plain.output) } : plain;
    case "function_call":
      return isObject(plain.arguments) ? { ...plain, arguments: toJson(plain.arguments) } : plain;
    case "local_shell_call":
      // Its output names the item where the call has no id of its own.
      return isFilledText(plain.call_id) || !isFilledText(plain.id) ? plain : { ...plain, call_id: plain.id };
    case "compaction_summary":
      return { ...plain, type: "compaction" };
    default:
      return isWrittenByHost(plain) ? markHostWritten(plain) : plain;
  }
}

export function messageItem(role: "user" | "assistant", text: string): JsonObject {
  const type = role === "user" ? "input_text" : "output_text";
  return { type: "message", role, content: [{ type, text }] };
}

/** A message of the user's, and nothing but the host's words in it. */
function isWrittenByHost({ role, content }: JsonObject): boolean {
  if (role !== "user") return false;
  if (typeof content === "string") return opensAsHost(content);
  const parts = asArray(content);
  return parts.length > 0 && parts.every((part) => isTextPart(part) && opensAsHost(part.text));
}

function opensAsHost(text: string): boolean {
  const start = text.slice(0, 200).trimStart();
  return HOST_OPENINGS.some((opening) => start.startsWith(opening));
}

function outputOf(output: JsonObject): unknown {
  const { content } = output;
  return typeof content === "string" || Array.isArray(content) ? content : toJson(output);
}

/** The host writes fields that are not set as null, which the provider refuses. */
function withoutNulls(item: JsonObject): JsonObject {
  const entries = Object.entries(item);
  const set = entries.filter(([, field]) => field !== null);
  return set.length === entries.length ? item : Object.fromEntries(set);
}
