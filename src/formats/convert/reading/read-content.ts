// Reads what a message says, or what a tool gave back: a string or a list of parts, of any provider's types. What
// is no text, no refusal and no attachment becomes labelled text.
import { asArray, asText, isObject, type JsonObject, toJson } from "../../json-shape.ts";
import { isHostWritten } from "../../protected.ts";
import { isTextPart } from "../../views/shared-parts.ts";
import { documentLabel } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import type { Content, ContentPart } from "../neutral/neutral.ts";
import { readAttached } from "./read-attached.ts";
import { readServerStep } from "./read-server-step.ts";

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
  const document = readTextDocument(part);
  if (document !== undefined) return [{ kind: "text", text: document }];
  const attached = readAttached(part);
  return attached === undefined ? readServerStep(part, losses) : [attached];
}

function readText(part: JsonObject & { readonly text: string }, losses: Losses): ContentPart {
  if (asArray(part.citations).length > 0 || asArray(part.annotations).length > 0) losses.add("citations");
  return { kind: "text", text: part.text, ...(isHostWritten(part) ? { isHostWritten: true } : {}) };
}

/** A document that is text is text everywhere. */
function readTextDocument({ type, source, title }: JsonObject): string | undefined {
  if (type !== "document" || !isObject(source)) return undefined;
  const text = source.type === "text" ? asText(source.data) : source.type === "content" ? textOf(source.content) : "";
  return text === "" ? undefined : `${documentLabel(typeof title === "string" ? title : undefined)}\n${text}`;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .flatMap((part) => (isTextPart(part) ? [part.text] : []))
    .join("\n");
}
