// What the SDK calls the items and fields of the Responses endpoint.
import { asText, type JsonObject } from "../../../formats/json-shape.ts";

const RENAMED_TYPES: ReadonlyMap<string, string> = new Map([
  ["function_call_output", "function_call_result"],
  ["computer_call_output", "computer_call_result"],
]);
/** Whose names are the same; any other item is one that the SDK has no name for. */
const SAME_TYPES: ReadonlySet<string> = new Set([
  ...["message", "reasoning", "compaction", "function_call", "computer_call", "shell_call", "shell_call_output"],
  ...["apply_patch_call", "apply_patch_call_output", "tool_search_call", "tool_search_output"],
  ...["program", "program_output"],
]);
const HOST_NAMES: ReadonlyMap<string, string> = new Map([
  ["call_id", "callId"],
  ["result", "output"],
  ["summary", "content"],
]);

/** Undefined for an item that the SDK has no name for. */
export function hostTypeOf({ type, role }: JsonObject): string | undefined {
  const named = asText(type) || (role === undefined ? "" : "message");
  return RENAMED_TYPES.get(named) ?? (SAME_TYPES.has(named) ? named : undefined);
}

export function hostNameOf(field: string): string {
  return HOST_NAMES.get(field) ?? field;
}
