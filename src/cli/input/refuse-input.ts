// What is said of a file that holds no conversation, or none of the format that was asked for. Names what it is
// instead, where that can be told.
import type { CompactError } from "../../errors.ts";
import { detectInput } from "../../formats/detect-format.ts";
import { isObject } from "../../formats/json-shape.ts";
import { recognizeOther, recognizeText } from "../../formats/recognize-other.ts";
import { FORMATS } from "../../from-config/formats.ts";
import { READERS } from "../../from-config/readers.ts";
import { badInput } from "./bad-input.ts";
import { type ParsedText, refuseFaults } from "./parse-text.ts";
import { findReader } from "./read-session.ts";

/** Throws for a kind of file that is known but read by nothing. */
export function refuseOther(parsed: ParsedText, label: string): void {
  const kind = parsed.kind === "text" ? undefined : recognizeOther(listOf(parsed));
  if (kind !== undefined) throw unsupported(kind, label);
}

/** The same for a text that is no JSON. */
export function refuseText(text: string, label: string): void {
  const kind = recognizeText(text);
  if (kind !== undefined) throw unsupported(kind, label);
}

export function unknownKind(parsed: ParsedText, label: string): CompactError {
  if (isEmptyList(parsed)) return badInput("NO_MESSAGES", `${label} holds no messages.`, readable());
  if (parsed.kind === "lines") refuseFaults(parsed.faults, label);
  return badInput("UNKNOWN_FORMAT", `${label} is JSON, but no conversation in a format that is known.`, readable());
}

export function otherFormat(parsed: ParsedText, format: string, label: string): CompactError {
  const detected = parsed.kind === "text" ? undefined : detectInput(listOf(parsed), FORMATS);
  const actual = findReader(parsed)?.name ?? detected?.format.name;
  const hint =
    actual === undefined
      ? "Leave --format out to have its format found."
      : `It reads as ${actual}: leave --format out.`;
  return badInput("WRONG_FORMAT", `${label} does not hold ${format} messages.`, hint);
}

function unsupported(kind: string, label: string): CompactError {
  return badInput("UNSUPPORTED_KIND", `${label} is ${kind}, which cannot be read yet.`, readable());
}

function readable(): string {
  const formats = FORMATS.map(({ name }) => name).join(", ");
  return `Give messages of ${formats}, or a session file of ${READERS.map(({ name }) => name).join(", ")}.`;
}

function listOf(parsed: Exclude<ParsedText, { readonly kind: "text" }>): unknown {
  return parsed.kind === "document" ? parsed.value : parsed.values.map(({ value }) => value);
}

function isEmptyList(parsed: ParsedText): boolean {
  if (parsed.kind === "text") return false;
  if (parsed.kind === "lines") return parsed.values.length === 0;
  const { value } = parsed;
  const body = isObject(value) ? value : {};
  const list = Array.isArray(value) ? value : (body.messages ?? body.input ?? body.output);
  return Array.isArray(list) && list.length === 0;
}
