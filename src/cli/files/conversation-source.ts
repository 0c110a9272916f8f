// A conversation as it was found in a file: its messages, their format, what is sent beside them, and where each
// message stands in the text, so that the result can be spliced from it.
import type { Archive } from "../../archive/archive.ts";
import { findSessionOf } from "../../conversation/summary-frame.ts";
import type { CompactError } from "../../errors.ts";
import { FORMATS } from "../../factories/formats.ts";
import { READERS } from "../../factories/readers.ts";
import { convertConversation, type ProviderFormat } from "../../providers/conversion/convert-conversation.ts";
import { type DetectedInput, detectInput, recognizeOther, recognizeText } from "../../providers/detect-format.ts";
import type { Format } from "../../providers/format.ts";
import type { HostCompaction, ReadNote, SessionReader, SessionText } from "../../session-files/session-reader.ts";
import { sha256 } from "../../storage/sha256.ts";
import { figure } from "../../text/figures.ts";
import { type ArraySlices, DEEPEST_NESTING, isNestedDeeper, type Slice, sliceArray } from "../../text/json.ts";
import { isObject, withoutUndefined } from "../../text/json-values.ts";
import { badInput } from "../flags.ts";
import type { Progress } from "../report.ts";
import type { Terminal } from "../terminal.ts";
import { plainName } from "./output.ts";
import { type ParsedText, parseText, refuseFaults } from "./parse-text.ts";
import { type DecodedText, decodeText, readBytes } from "./read-file.ts";

export interface ConversationSource extends FoundMessages {
  /** The path as it was given, or `stdin`. */
  readonly label: string;
  /** Absolute; undefined for stdin. */
  readonly path: string | undefined;
  /** `talk` for `talk.jsonl.gz`. */
  readonly name: string;
  readonly mode: number | undefined;
  /** Without the byte order mark; "" of a session file, which is as large again and has all in `parsed`. */
  readonly text: string;
  readonly hasMark: boolean;
}

/** Throws `InvalidInput` or `NotFound` for whatever is no conversation, saying what it is instead. */
export async function readConversationSource(
  file: string,
  format: string,
  terminal: Terminal,
  progress?: Progress,
): Promise<ConversationSource> {
  progress?.step(`Reading ${file === "-" ? "stdin" : file}`);
  const { label, path, mode, decoded } = await readText(file, terminal);
  const name = path === undefined ? "stdin" : plainName(path);
  return sourceOf(decoded, { format, label, path, mode, name });
}

/** Apart from what is done with the text, so that nothing holds the bytes any more. */
async function readText(file: string, terminal: Terminal) {
  const { bytes, ...input } = await readBytes(file, terminal);
  return { ...input, decoded: decodeText(bytes, input.label) };
}

type Origin = Pick<ConversationSource, "label" | "path" | "mode" | "name"> & { readonly format: string };

/** Of a text that lies in no file. Throws as `readConversationSource` does. */
export function readConversationText(text: string, origin: Omit<Origin, "path" | "mode">): ConversationSource {
  return sourceOf({ text, skipped: 0 }, { ...origin, path: undefined, mode: undefined });
}

function sourceOf(decoded: DecodedText, { format, ...origin }: Origin): ConversationSource {
  const found = findMessages(decoded, format, origin.label);
  refuseNested(found, origin.label);
  const text = found.parsed === undefined ? decoded.text : "";
  return { ...found, ...origin, text, hasMark: decoded.skipped > 0 };
}

/** What nothing after this could write as JSON again. */
function refuseNested({ messages, system, tools }: FoundMessages, label: string): void {
  const index = messages.findIndex((message) => isNestedDeeper(message));
  const isBeside = isNestedDeeper(system) || isNestedDeeper(tools);
  if (index < 0 && !isBeside) return;
  const what = index < 0 ? "What is sent beside the messages" : `Message ${figure(index + 1)}`;
  throw badInput(
    "TOO_DEEP",
    `${what} of ${label} is nested more than ${figure(DEEPEST_NESTING)} levels deep.`,
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
  return { format, readAs: format.name, messages, notes: [], ...withoutUndefined({ system, tools }) };
}

/** What a compactor is told of a source besides its messages. */
export function requestOf({ format, system, tools }: ConversationSource) {
  return { format: format.name, ...withoutUndefined({ system, tools }) };
}

export type Layout =
  | { readonly kind: "array"; readonly array: ArraySlices }
  | { readonly kind: "lines"; readonly slices: readonly Slice[] };

interface FoundMessages {
  readonly format: Format;
  /** The name of what was read: a format, or a reader of session files, whose messages are of `format`. */
  readonly readAs: string;
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  /** Undefined when the messages are no slices of the text: a session file, a single message. */
  readonly layout: Layout | undefined;
  /** The file's own id. */
  readonly sessionId?: string;
  readonly notes: readonly ReadNote[];
  /** Of a session file: what it was parsed to. */
  readonly parsed?: SessionText;
  /** The host's own. */
  readonly compactions?: readonly HostCompaction[];
  /** The model that a session file names, and its window. */
  readonly model?: string;
  readonly window?: number;
}

// Session files of hosts: which reader takes a file, and what it gives as messages of a provider.

/** The first that takes the file, or undefined. */
function findReader(parsed: ParsedText): SessionReader | undefined {
  return READERS.find((reader) => takes(reader, parsed));
}

function takes(reader: SessionReader, parsed: ParsedText): boolean {
  return parsed.kind === "text" ? reader.matchesText?.(parsed.text) === true : reader.matches(valuesOf(parsed));
}

function valuesOf(parsed: Exclude<ParsedText, { readonly kind: "text" }>): readonly unknown[] {
  if (parsed.kind === "lines") return parsed.values.map(({ value }) => value);
  return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
}

/** Throws `InvalidInput` for a file of another kind, and for a session in which nothing was said. */
function readSession(reader: SessionReader, parsed: ParsedText, text: string, label: string): FoundMessages {
  if (!takes(reader, parsed))
    throw badInput(
      "WRONG_FORMAT",
      `${label} is not ${withArticle(reader.title)}.`,
      "Leave --format out to have its format found.",
    );
  const read = reader.read(parsed.kind === "text" ? text : parsed);
  if (read.messages.length === 0)
    throw badInput(
      "NO_MESSAGES",
      `${label} is ${withArticle(reader.title)} without a message.`,
      "Give a session in which something was said.",
    );
  const { sessionId, messages, system, tools, notes, compactions, model, window } = read;
  return {
    format: nativeFormat(read.format ?? "anthropic"),
    readAs: reader.name,
    messages,
    layout: undefined,
    notes,
    parsed: parsed.kind === "text" ? text : parsed,
    ...withoutUndefined({ system, tools, sessionId, compactions, model, window }),
  };
}

function nativeFormat(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
}

export function withArticle(title: string): string {
  return `${/^[aeiou]/i.test(title) ? "an" : "a"} ${title}`;
}

// What is said of a file that holds no conversation, or none of the format that was asked for. Names what it is
// instead, where that can be told.

/** Throws for a kind of file that is known but read by nothing. */
function refuseOther(parsed: ParsedText, label: string): void {
  const kind = parsed.kind === "text" ? undefined : recognizeOther(listOf(parsed));
  if (kind !== undefined) throw unsupported(kind, label);
}

/** The same for a text that is no JSON. */
function refuseText(text: string, label: string): void {
  const kind = recognizeText(text);
  if (kind !== undefined) throw unsupported(kind, label);
}

function unknownKind(parsed: ParsedText, label: string): CompactError {
  if (isEmptyList(parsed)) return badInput("NO_MESSAGES", `${label} holds no messages.`, readable());
  if (parsed.kind === "lines") refuseFaults(parsed.faults, label);
  return badInput("UNKNOWN_FORMAT", `${label} is JSON, but not a known conversation format.`, readable());
}

function otherFormat(parsed: ParsedText, format: string, label: string): CompactError {
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

// Which session an input belongs to when nobody says so: the one that wrote the summary in it, else the file's own
// id, else a name made from the file's name and how the conversation begins, which stays the same as it grows.

/** System messages and the first request nearly always stand in here. */
const MOST_OPENING_MESSAGES = 4;

export async function nameSession(source: ConversationSource, archive: Archive | undefined): Promise<string> {
  const known = archive === undefined ? undefined : await findSessionOf(source.messages, source.format, archive);
  return known ?? source.sessionId ?? `${source.name}-${hashOpening(source).slice(0, 8)}`;
}

/** Up to the first user message: a later message does not change it. */
function hashOpening({ messages, format }: ConversationSource): string {
  const start = messages.slice(0, MOST_OPENING_MESSAGES);
  const request = start.findIndex((message) => format.view(message).role === "user");
  return sha256(JSON.stringify(request < 0 ? start : start.slice(0, request + 1)));
}

// A conversation that was read, in the format that was asked for. What is sent beside it comes along; it is no slice
// of its file any more.

export interface ConvertedSource extends ConversationSource {
  /** What the conversion left out, or says in another way. */
  readonly losses: readonly ReadNote[];
}

/** `to` is the name of a format; undefined leaves the source as it is. */
export function convertSource(source: ConversationSource, to: string | undefined): ConvertedSource {
  const format = FORMATS.find(({ name }) => name === to) ?? source.format;
  if (format === source.format) return { ...withSystemInside(source), losses: [] };
  const { messages, system, tools, ...rest } = source;
  const { notes, ...converted } = convertConversation(
    {
      format: source.format.name as ProviderFormat,
      messages,
      ...withoutUndefined({ system, tools }),
    },
    format.name as ProviderFormat,
  );
  return { ...rest, ...converted, format, layout: undefined, losses: notes };
}

/**
 * What session files are written as where nobody says otherwise: what their host speaks, when it speaks one format
 * alone; else Anthropic messages.
 */
export function nativeTarget({ readAs, format }: ConversationSource): string | undefined {
  return readAs === format.name || format.name === "openai-responses" ? undefined : "anthropic";
}

/** Chat has no place beside its messages: what a session file says was sent there is the first of them. */
function withSystemInside(source: ConversationSource): ConversationSource {
  const { system, ...rest } = source;
  const isBeside = system !== undefined && source.format.name === "openai-chat" && source.layout === undefined;
  return isBeside ? { ...rest, messages: [{ role: "system", content: system }, ...source.messages] } : source;
}
