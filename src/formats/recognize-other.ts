// Names the kinds of files that people try and that no format reads yet, so that the error can say what the
// file is. Looks at the first value only, or at the first lines of a text.
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

const HEADING = /^#{1,6} \S/;
const ABOUT_TALK = /\b(?:chat|conversation|session|transcript)\b/i;
const SPEAKER = /^(?:#{1,6} |\*\*)(?:user|human|you|assistant|model|ai)\b/i;
const MOST_LINES = 200;
const LONGEST_LINE = 500;

/** The same for a text that is no JSON at all. */
export function recognizeText(text: string): string | undefined {
  const lines = text
    .slice(0, MOST_LINES * LONGEST_LINE)
    .trimStart()
    .split("\n", MOST_LINES);
  const first = (lines[0] ?? "").slice(0, LONGEST_LINE);
  if (!HEADING.test(first)) return undefined;
  return ABOUT_TALK.test(first) || lines.some((line) => SPEAKER.test(line)) ? "a Markdown chat log" : undefined;
}

function hasMessageOfType(value: JsonObject, type: string): boolean {
  return Array.isArray(value.messages) && value.messages.some((message) => isObject(message) && message.type === type);
}
