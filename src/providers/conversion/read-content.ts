// Reads what a message says, or what a tool gave back: a string or a list of parts, of any provider's types. What
// is no text, no refusal and no attachment becomes labelled text.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { type AttachedPart, readAttached } from "../attachments.ts";
import { isCiting, isTextPart, wordsOf } from "../content-parts.ts";
import { isHostWritten } from "../message-marks.ts";
import { qualifiedName } from "../names.ts";
import { unreadableNote } from "../repair.ts";
import {
  type Content,
  type ContentPart,
  documentLabel,
  type Losses,
  type NeutralTool,
  serverStepLabel,
  type TextPart,
  type Utterance,
} from "./neutral-conversation.ts";

export function readContent(content: unknown, losses: Losses): Content {
  if (typeof content === "string") return { parts: [{ kind: "text", text: content }], isPlain: true };
  if (content === undefined || content === null) return { parts: [], isPlain: true };
  const parts = Array.isArray(content) ? content : [content];
  return { parts: parts.flatMap((part: unknown) => readPart(part, losses)), isPlain: false };
}

export function readPart(part: unknown, losses: Losses): readonly ContentPart[] {
  if (typeof part === "string") return [{ kind: "text", text: part }];
  if (!isObject(part)) return [{ kind: "text", text: toJson(part) }];
  if (isTextPart(part)) return [readText(part, losses)];
  if (part.type === "refusal" && typeof part.refusal === "string") return [{ kind: "refusal", text: part.refusal }];
  const words = part.type === "document" ? wordsOf(part) : "";
  if (words !== "") return [{ kind: "text", text: `${documentLabel(part.title)}\n${words}` }];
  const attached = part.type === "audio" ? undefined : readAttached(part);
  return attached === undefined || isEmpty(attached) ? readServerStep(part, losses) : [attached];
}

function isEmpty({ base64, url, file }: AttachedPart): boolean {
  return !isFilledText(base64) && !isFilledText(url) && file === undefined;
}

function readText(part: JsonObject & { readonly text: string }, losses: Losses): ContentPart {
  if (isCiting(part)) losses.add("citations");
  return { kind: "text", text: part.text, ...(isHostWritten(part) ? { isHostWritten: true } : {}) };
}

// Reads what the provider itself did, or a part of a kind nobody knows, into labelled text: its fields line by line,
// without ids and without what only the provider can read.

/** Of use to the provider alone. */
const SILENT_FIELDS: ReadonlySet<string> = new Set([
  "type",
  "id",
  "status",
  "call_id",
  "tool_use_id",
  "approval_request_id",
  "cache_control",
  "encrypted_content",
  "encrypted_index",
  "meta",
]);
/** Bytes, not words. */
const BYTES: ReadonlySet<string> = new Set(["data", "file_data", "result"]);
const LONGEST_BYTES = 1_000;
const BASE64 = /^[\w+/=-]*$/;

export function readServerStep(step: JsonObject, losses: Losses): readonly TextPart[] {
  const fields = Object.entries(step).flatMap(([name, value]) => {
    const text = fieldText(name, value);
    return text === "" ? [] : [`${name}: ${text}`];
  });
  if (fields.length === 0) {
    losses.add("empty_steps");
    return [];
  }
  losses.add("server_steps");
  return [{ kind: "text", text: [serverStepLabel(asText(step.type)), ...fields].join("\n"), isHostWritten: true }];
}

function fieldText(name: string, value: unknown): string {
  if (SILENT_FIELDS.has(name) || value === null || value === undefined || isBytes(name, value)) return "";
  if (typeof value === "string") return value;
  const texts = asArray(value);
  if (texts.length > 0 && texts.every(isTextPart)) return texts.map(({ text }) => text).join("\n");
  const json = toJson(value, (key, field) =>
    key !== "" && (field === null || SILENT_FIELDS.has(key) || isBytes(key, field)) ? undefined : field,
  );
  return json === "{}" || json === "[]" ? "" : json;
}

function isBytes(name: string, value: unknown): boolean {
  if (!BYTES.has(name) || typeof value !== "string") return false;
  return value.length > LONGEST_BYTES && BASE64.test(value.slice(0, 200));
}

// Reads the system prompt that is sent beside a list, and what has no shape that any provider knows.

export function readSystem(system: unknown, losses: Losses): Content | undefined {
  if (system === undefined || system === null || system === "") return undefined;
  return readContent(system, losses);
}

/** Kept as labelled text, as healing would keep it. */
export function unreadable(message: unknown, losses: Losses): Utterance {
  losses.add("unreadable");
  return {
    kind: "said",
    role: "user",
    parts: [{ kind: "text", text: unreadableNote(message) }],
    isPlain: true,
    isHostWritten: true,
    sources: [message],
  };
}

// Reads tool definitions by their shape. Tools that run at the provider have no counterpart and are left out.

export function readTools(tools: readonly unknown[] | undefined, losses: Losses): readonly NeutralTool[] | undefined {
  return tools?.flatMap(ungrouped).flatMap((tool) => {
    const read = isObject(tool) ? readTool(tool) : undefined;
    if (read === undefined) losses.add("server_tools", isObject(tool) ? asText(tool.type) || asText(tool.name) : "");
    return read === undefined ? [] : [read];
  });
}

/** One provider groups tools, and calls name the group beside the tool: elsewhere both are the name. */
function ungrouped(tool: unknown): readonly unknown[] {
  if (!isObject(tool) || tool.type !== "namespace") return [tool];
  return asArray(tool.tools).map((inner: unknown) =>
    isObject(inner) ? { ...inner, name: qualifiedName(tool.name, inner.name) } : inner,
  );
}

function readTool(tool: JsonObject): NeutralTool | undefined {
  if (isObject(tool.function)) return readFunction(tool.function, tool.function.parameters);
  if (isObject(tool.custom)) return readCustom(tool.custom);
  if (isObject(tool.input_schema)) return readFunction(tool, tool.input_schema);
  if (tool.type === "custom") return readCustom(tool);
  if (tool.type === "function" || tool.type === undefined) return readFunction(tool, tool.parameters);
  return undefined;
}

function readFunction(tool: JsonObject, schema: unknown): NeutralTool | undefined {
  if (!isFilledText(tool.name)) return undefined;
  return {
    kind: "function",
    name: tool.name,
    ...described(tool),
    ...(isObject(schema) ? { schema } : {}),
    ...(tool.strict === true ? { strict: true } : {}),
  };
}

function readCustom(tool: JsonObject): NeutralTool | undefined {
  if (!isFilledText(tool.name)) return undefined;
  const grammar = isObject(tool.format) && tool.format.type !== "text" ? { grammar: tool.format } : {};
  return { kind: "custom", name: tool.name, ...described(tool), ...grammar };
}

function described({ description }: JsonObject): { readonly description?: string } {
  return isFilledText(description) ? { description } : {};
}
