// An item of a rollout file as the Responses endpoint takes it. What the provider signed stays to the byte; what the
// host wrote in the user's place is marked.
import { isTextPart, TEXT_TYPES } from "../providers/content-parts.ts";
import { markHostWritten } from "../providers/message-marks.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { opensWith } from "./session-messages.ts";

/** Items in the host's own list that it never sends. */
const HOSTS_ITEMS: ReadonlySet<unknown> = new Set(["ghost_snapshot", "other", "compaction_trigger"]);

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

/** The fields that the endpoint knows. Whatever else an item carries is the host's own. */
const ITEM_FIELDS: ReadonlySet<string> = new Set(
  (
    "type id status role author content phase call_id name namespace arguments input output action actions operation summary " +
    "encrypted_content execution tools queries results result code container_id outputs server_label error " +
    "approval_request_id approve reason request_id pending_safety_checks acknowledged_safety_checks max_output_length " +
    "caller created_by agent revised_prompt size quality output_format background fingerprint"
  ).split(" "),
);

export function isHostsItem(item: JsonObject): boolean {
  return HOSTS_ITEMS.has(item.type) || (item.type === "agent_message" && textsIn(item.content).length === 0);
}

export function toResponsesItem(item: JsonObject): JsonObject {
  const plain = ownFields(item);
  switch (plain.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      return withOutput(plain);
    case "agent_message":
      return agentMessage(plain);
    case "function_call":
      return isObject(plain.arguments) ? { ...plain, arguments: toJson(plain.arguments) } : plain;
    case "local_shell_call":
      // Its output names the item where the call has no id of its own.
      return isFilledText(plain.call_id) || !isFilledText(plain.id) ? plain : { ...plain, call_id: plain.id };
    case "compaction_summary":
    case "context_compaction":
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
  if (typeof content === "string") return opensWith(content, HOST_OPENINGS);
  const parts = asArray(content);
  return parts.length > 0 && parts.every((part) => isTextPart(part) && opensWith(part.text, HOST_OPENINGS));
}

/** An answer that the host shows apart from the provider's own, or what another of its agents sent to this one. */
function agentMessage({ author, content }: JsonObject): JsonObject {
  const text = textsIn(content).join("\n\n");
  if (isObject(author) && author.role === "assistant") return messageItem("assistant", text);
  const name = isObject(author) ? author.name : author;
  return markHostWritten(messageItem("user", `[Message of ${isFilledText(name) ? name : "another agent"}]\n${text}`));
}

function textsIn(content: unknown): readonly string[] {
  if (isFilledText(content)) return [content];
  return asArray(content).flatMap((part) => (isTextPart(part) && part.text !== "" ? [part.text] : []));
}

function withOutput(item: JsonObject): JsonObject {
  const output = outputOf(item.output);
  return output === item.output ? item : { ...item, output };
}

/** A text, or parts of the kinds that the endpoint knows; in some versions within an object. */
function outputOf(output: unknown): unknown {
  if (Array.isArray(output)) {
    const parts = output.flatMap(outputPart);
    return parts.every((part, at) => part === output[at]) && parts.length === output.length ? output : parts;
  }
  if (!isObject(output)) return output;
  if (output.type === "text" && typeof output.text === "string") return output.text;
  const { content } = output;
  return typeof content === "string" || Array.isArray(content) ? outputOf(content) : toJson(output);
}

function outputPart(part: unknown): readonly unknown[] {
  if (!isObject(part) || asText(part.type).startsWith("input_")) return [part];
  if (isFilledText(part.image_url)) return [{ type: "input_image", image_url: part.image_url }];
  const isPicture = part.type === "image" && isFilledText(part.data) && isFilledText(part.mimeType);
  if (isPicture) return [{ type: "input_image", image_url: `data:${part.mimeType};base64,${part.data}` }];
  const text = TEXT_TYPES.has(part.type) ? asText(part.text) : toJson(part);
  return text === "" ? [] : [{ type: "input_text", text }];
}

/** The host writes fields that are not set as null, and its own beside them: the provider refuses both. */
function ownFields(item: JsonObject): JsonObject {
  const entries = Object.entries(item);
  const own = entries.filter(([name, field]) => field !== null && ITEM_FIELDS.has(name));
  return own.length === entries.length ? item : Object.fromEntries(own);
}
