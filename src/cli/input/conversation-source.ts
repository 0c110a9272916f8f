// A conversation as it was found in a file: its messages, their format, what is sent beside them, and where each
// message stands in the text, so that the result can be spliced from it.
import type { DetectedInput } from "../../formats/detect-format.ts";
import { detectInput } from "../../formats/detect-format.ts";
import type { Format } from "../../formats/format.ts";
import { FORMATS } from "../../from-config/formats.ts";
import { READERS } from "../../from-config/readers.ts";
import { sliceArray } from "../../text/json-slices.ts";
import { DEEPEST_NESTING, isNestedDeeper } from "../../text/nesting.ts";
import { plainName } from "../output/output-place.ts";
import type { Terminal } from "../terminal.ts";
import { badInput } from "./bad-input.ts";
import { type DecodedText, decodeText } from "./decode-text.ts";
import type { FoundMessages } from "./found-messages.ts";
import { type ParsedText, parseText, refuseFaults } from "./parse-text.ts";
import { readBytes } from "./read-bytes.ts";
import { findReader, readSession } from "./read-session.ts";
import { otherFormat, refuseOther, refuseText, unknownKind } from "./refuse-input.ts";

export type { Layout } from "./found-messages.ts";

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
  const parsed = parseText(decoded, label, (text) => {
    const isRead = READERS.some(({ matchesText }) => matchesText?.(text) === true);
    if (!isRead) refuseText(text, label);
    return isRead;
  });
  const reader = format === "auto" ? findReader(parsed) : READERS.find(({ name }) => name === format);
  if (reader !== undefined) return readSession(reader, parsed, decoded.text, label);
  // Asked first: some session files of other products look like a list of messages, with their text elsewhere.
  if (format === "auto") refuseOther(parsed, label);
  const formats = format === "auto" ? FORMATS : FORMATS.filter(({ name }) => name === format);
  const found = inParsed(parsed, decoded.text, formats, label);
  if (found !== undefined) return found;
  throw format === "auto" ? unknownKind(parsed, label) : otherFormat(parsed, format, label);
}

function inParsed(
  parsed: ParsedText,
  text: string,
  formats: readonly Format[],
  label: string,
): FoundMessages | undefined {
  if (parsed.kind === "text") return undefined;
  return parsed.kind === "document" ? inDocument(parsed.value, text, formats) : inLines(parsed, formats, label);
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
