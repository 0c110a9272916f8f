// Names the kinds of files that people try and that no format reads yet, so that the error can say what the
// file is. Looks at the first value only.
import type { JsonObject } from "./json-shape.ts";
import { isObject } from "./json-shape.ts";

interface KnownKind {
  readonly name: string;
  readonly fits: (value: JsonObject) => boolean;
}

const KINDS: readonly KnownKind[] = [
  { name: "a SWE-agent trajectory", fits: (value) => Array.isArray(value.trajectory) },
  { name: "a tau-bench result list", fits: (value) => Array.isArray(value.traj) && value.task_id !== undefined },
  {
    name: "a Gemini CLI chat",
    fits: (value) =>
      value.projectHash !== undefined || (value.sessionId !== undefined && hasMessageOfType(value, "gemini")),
  },
  { name: "a Gemini request", fits: (value) => Array.isArray(value.contents) },
  { name: "a pi session", fits: (value) => value.type === "session" && typeof value.cwd === "string" },
  {
    name: "a request log",
    fits: (value) => isObject(value.request_params) || (isObject(value.request) && isObject(value.response)),
  },
  { name: "a Codex session", fits: (value) => value.type === "session_meta" || value.type === "response_item" },
  { name: "a chat completion response", fits: (value) => Array.isArray(value.choices) },
  {
    name: "a list of interface messages",
    fits: (value) => Array.isArray(value.parts) && typeof value.role === "string",
  },
];

/** A short name with its article ("a SWE-agent trajectory") of a known kind that is not supported, or undefined. */
export function recognizeOther(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? KINDS.find((kind) => kind.fits(first))?.name : undefined;
}

function hasMessageOfType(value: JsonObject, type: string): boolean {
  return Array.isArray(value.messages) && value.messages.some((message) => isObject(message) && message.type === type);
}
