// A conversation as it was found in a file: its messages, their format, what is sent beside them, and where each
// message stands in the text, so that the result can be spliced from it.
import type { DetectedInput } from "../../formats/detect-format.ts";
import { detectInput } from "../../formats/detect-format.ts";
import type { Format } from "../../formats/format.ts";
import type { ReadNote, SessionReader } from "../../formats/readers/reader.ts";
import { recognizeOther, recognizeText } from "../../formats/recognize-other.ts";
import { FORMATS, READERS } from "../../from-config/conversation.ts";
import { type ArraySlices, type Slice, sliceArray } from "../../text/json-slices.ts";
import { DEEPEST_NESTING, isNestedDeeper } from "../../text/nesting.ts";
import { plainName } from "../output/output-place.ts";
import type { Terminal } from "../terminal.ts";
import { badInput } from "./bad-input.ts";
import { type DecodedText, decodeText } from "./decode-text.ts";
import { type ParsedText, parseText, refuseFaults } from "./parse-text.ts";
import { readBytes } from "./read-bytes.ts";

export type Layout =
  | { readonly kind: "array"; readonly array: ArraySlices }
  | { readonly kind: "lines"; readonly slices: readonly Slice[] };

interface FoundMessages {
  readonly format: Format;
  /** The name of what was read: a format, or a reader of session files. */
  readonly readAs: string;
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  /** Undefined when the messages are no slices of the text: a session file, a single message. */
  readonly layout: Layout | undefined;
  /** The file's own id. */
  readonly sessionId?: string;
  readonly notes: readonly ReadNote[];
}

export interface ConversationSource extends FoundMessages {
  /** The path as it was given, or `stdin`. */
  readonly label: string;
  /** Absolute; undefined for stdin. */
  readonly path: string | undefined;
  /** `talk` for `talk.jsonl.gz`. */
  readonly name: string;
  readonly mode: number | undefined;
  readonly text: string;
  /** The bytes behind `text`, unpacked: what a result that changes nothing is a copy of. */
  readonly bytes: Uint8Array;
}

/** Throws `InvalidInput` or `NotFound` for whatever is no conversation, saying what it is instead. */
export async function readConversationSource(
  file: string,
  format: string,
  terminal: Terminal,
): Promise<ConversationSource> {
  const { label, path, mode, bytes } = await readBytes(file, terminal);
  const decoded = decodeText(bytes, label);
  const found = findMessages(decoded, format, label);
  refuseNested(found, label);
  return {
    ...found,
    label,
    path,
    mode,
    name: path === undefined ? "stdin" : plainName(path),
    text: decoded.text,
    bytes,
  };
}

/** What nothing after this could write as JSON again. */
function refuseNested({ messages, system, tools }: FoundMessages, label: string): void {
  const index = messages.findIndex((message) => isNestedDeeper(message));
  const isBeside = isNestedDeeper(system) || isNestedDeeper(tools);
  if (index < 0 && !isBeside) return;
  const what = index < 0 ? "What is sent beside the messages" : `Message ${(index + 1).toLocaleString("en-US")}`;
  throw badInput(
    "TOO_DEEP",
    `${what} of ${label} is nested more than ${DEEPEST_NESTING.toLocaleString("en-US")} levels deep.`,
    "Take the nested field out of it, or write it as a text.",
  );
}

function findMessages(decoded: DecodedText, format: string, label: string): FoundMessages {
  const parsed = parseText(decoded, label, refuseText);
  const values = valuesOf(parsed);
  const reader = READERS.find(({ name, matches }) => (format === "auto" ? matches(values) : name === format));
  if (reader !== undefined) return readSession(reader, decoded.text, values, label);
  // Asked first: some session files of other products look like a list of messages, with their text elsewhere.
  if (format === "auto") refuseOther(parsed, values, label);
  const formats = format === "auto" ? FORMATS : FORMATS.filter(({ name }) => name === format);
  const found =
    parsed.kind === "document" ? inDocument(parsed.value, decoded.text, formats) : inLines(parsed, formats, label);
  if (found !== undefined) return found;
  throw format === "auto" ? unknownKind(parsed, label) : otherFormat(parsed, format, label);
}

function valuesOf(parsed: ParsedText): readonly unknown[] {
  if (parsed.kind === "lines") return parsed.values.map(({ value }) => value);
  return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
}

function readSession(reader: SessionReader, text: string, values: readonly unknown[], label: string): FoundMessages {
  if (!reader.matches(values))
    throw badInput(
      "WRONG_FORMAT",
      `${label} is not a ${reader.title}.`,
      "Leave --format out to have its format found.",
    );
  const { sessionId, messages, notes } = reader.read(text);
  const format = FORMATS.find(({ name }) => name === "anthropic");
  if (format === undefined || messages.length === 0)
    throw badInput(
      "NO_MESSAGES",
      `${label} is a ${reader.title} without a message.`,
      "Give a session in which something was said.",
    );
  return {
    format,
    readAs: reader.name,
    messages,
    layout: undefined,
    notes,
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

function inDocument(value: unknown, text: string, formats: readonly Format[]): FoundMessages | undefined {
  const detected = detectInput(value, formats);
  if (detected === undefined) return detectLoneMessage(value, text, formats);
  const array = detected.path === undefined ? undefined : sliceArray(text, detected.path);
  const isWhole = array?.elements.length === detected.messages.length;
  return { ...foundIn(detected), layout: array !== undefined && isWhole ? { kind: "array", array } : undefined };
}

/** JSON Lines of a single line looks like a document that is one message. */
function detectLoneMessage(value: unknown, text: string, formats: readonly Format[]): FoundMessages | undefined {
  const detected = Array.isArray(value) ? undefined : detectInput([value], formats);
  if (detected === undefined) return undefined;
  const start = text.length - text.trimStart().length;
  return { ...foundIn(detected), layout: { kind: "lines", slices: [{ start, end: text.trimEnd().length }] } };
}

function inLines(
  parsed: ParsedText & { readonly kind: "lines" },
  formats: readonly Format[],
  label: string,
): FoundMessages | undefined {
  const detected = detectInput(
    parsed.values.map(({ value }) => value),
    formats,
  );
  if (detected === undefined) return undefined;
  refuseFaults(parsed.faults, label);
  return { ...foundIn(detected), layout: { kind: "lines", slices: parsed.values } };
}

function foundIn({ format, messages, system, tools }: DetectedInput) {
  return {
    format,
    readAs: format.name,
    messages,
    notes: [],
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
  };
}

function readable(): string {
  const sessions = READERS.map(({ title }) => `a ${title}`).join(" or ");
  return `Give messages of ${FORMATS.map(({ name }) => name).join(", ")}, or ${sessions}.`;
}

function refuseOther(parsed: ParsedText, values: readonly unknown[], label: string): void {
  const kind = recognizeOther(parsed.kind === "document" ? parsed.value : values);
  if (kind !== undefined) throw unsupported(kind, label);
}

function refuseText(text: string, label: string): void {
  const kind = recognizeText(text);
  if (kind !== undefined) throw unsupported(kind, label);
}

function unsupported(kind: string, label: string) {
  return badInput("UNSUPPORTED_KIND", `${label} is ${kind}, which cannot be read yet.`, readable());
}

function unknownKind(parsed: ParsedText, label: string) {
  if (isEmptyList(parsed)) return badInput("NO_MESSAGES", `${label} holds no messages.`, readable());
  if (parsed.kind === "lines") refuseFaults(parsed.faults, label);
  return badInput("UNKNOWN_FORMAT", `${label} is JSON, but no conversation in a format that is known.`, readable());
}

function isEmptyList(parsed: ParsedText): boolean {
  if (parsed.kind === "lines") return parsed.values.length === 0;
  const { value } = parsed;
  const list = Array.isArray(value)
    ? value
    : (((value ?? {}) as { messages?: unknown; input?: unknown }).messages ??
      (value as { input?: unknown } | null)?.input);
  return Array.isArray(list) && list.length === 0;
}

function otherFormat(parsed: ParsedText, format: string, label: string) {
  const list = parsed.kind === "document" ? parsed.value : parsed.values.map(({ value }) => value);
  const values = valuesOf(parsed);
  const actual = detectInput(list, FORMATS)?.format.name ?? READERS.find(({ matches }) => matches(values))?.name;
  const hint =
    actual === undefined
      ? "Leave --format out to have its format found."
      : `It reads as ${actual}: leave --format out.`;
  return badInput("WRONG_FORMAT", `${label} does not hold ${format} messages.`, hint);
}
