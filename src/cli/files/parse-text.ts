// Text to JSON values: one document, or JSON Lines. Decides which it is, and says precisely where it breaks. What is no
// JSON may still be a text that a reader takes.
import { figure } from "../../text/figures.ts";
import {
  findJsonFault,
  type JsonFault,
  type JsonLineFault,
  type JsonLineValue,
  readJsonValues,
} from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";
import { badInput } from "../flags.ts";
import type { DecodedText } from "./read-file.ts";

/** Lines before the first value, and others that cannot be read, in what still counts as lines. */
const MOST_FAULTS = 3;

export type ParsedText =
  | { readonly kind: "document"; readonly value: unknown }
  | { readonly kind: "lines"; readonly values: readonly JsonLineValue[]; readonly faults: readonly JsonLineFault[] }
  /** No JSON, but a text that somebody reads. */
  | { readonly kind: "text"; readonly text: string };

/** `readsText`: asked for a text that is no JSON; may throw for one that can be named, but not read. */
export function parseText(decoded: DecodedText, label: string, readsText: (text: string) => boolean): ParsedText {
  const { text } = decoded;
  if (text.trim() === "")
    throw badInput("EMPTY_INPUT", `${label} holds only white space.`, "Give a file that holds a conversation.");
  const document = parseDocument(text);
  if (document !== undefined) return { kind: "document", value: document.value };
  const { values, faults } = readJsonValues(text);
  const lines = { kind: "lines", values, faults } as const;
  const [first] = values;
  const isObject = typeof first?.value === "object" && first.value !== null;
  if (isObject && (faults[0]?.line ?? Number.POSITIVE_INFINITY) > first.line) return lines;
  // Cut at its head, or with a title above it.
  const isCut = isObject && faults[0]?.line === 1 && faults.length <= MOST_FAULTS && values.length > faults.length;
  if (isCut && !looksLikeDocument(text)) return lines;
  if (readsText(text)) return { kind: "text", text };
  throw notJson(decoded, label);
}

/** One value that is written over many lines and broken somewhere: its inner lines may be values by themselves. */
function looksLikeDocument(text: string): boolean {
  return /^\s{0,100}[[{]\s{0,100}(?:\n|$)/.test(text.slice(0, 1000));
}

function parseDocument(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Lines that cannot be read: a reader of session files works around them, a list of messages has none to spare. */
export function refuseFaults(faults: readonly JsonLineFault[], label: string): void {
  const [fault] = faults;
  if (fault === undefined) return;
  if (fault.reason === "torn")
    throw badInput(
      "TRUNCATED_JSON",
      `${label} ends in the middle of line ${figure(fault.line)}.`,
      "Copy or export it again: its end is missing.",
    );
  throw badInput(
    "NOT_JSON",
    `${label} is not JSON Lines: line ${figure(fault.line)} cannot be read.`,
    "Each line must be one JSON message.",
  );
}

function notJson({ text, skipped }: DecodedText, label: string) {
  const fault = findJsonFault(text) ?? { offset: text.length, isEnd: true, inside: "a value" };
  if (fault.isEnd) {
    const byte = figure(skipped + Buffer.byteLength(text));
    return badInput(
      "TRUNCATED_JSON",
      `${label} ends in the middle of ${fault.inside}, at byte ${byte}.`,
      "Copy or export it again: its end is missing.",
    );
  }
  const { line, column } = lineAndColumn(text, fault);
  return badInput(
    "NOT_JSON",
    `${label} is not JSON: line ${figure(line)}, column ${figure(column)}, inside ${fault.inside}.`,
    "Give a JSON file of messages, or JSON Lines with one message a line.",
  );
}

/** Line and column as an editor counts them, from 1. */
function lineAndColumn(text: string, { offset }: JsonFault): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let newline = text.indexOf("\n"); newline >= 0 && newline < offset; newline = text.indexOf("\n", start)) {
    line += 1;
    start = newline + 1;
  }
  return { line, column: Array.from(text.slice(start, Math.min(offset, start + 100_000))).length + 1 };
}
