// Reads what the provider itself did, or a part of a kind nobody knows, into labelled text: its fields line by line,
// without ids and without what only the provider can read.
import { asArray, asText, type JsonObject, toJson } from "../../json-shape.ts";
import { isTextPart } from "../../views/shared-parts.ts";
import { serverStepLabel } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import type { TextPart } from "../neutral/neutral.ts";

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
