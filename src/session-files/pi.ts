// Reads a session file of the pi coding agent into the Anthropic messages of its live branch. The host's own
// compactions are undone: the whole transcript before them is in the file. What was left out is said in notes.
import { markHostWritten } from "../providers/message-marks.ts";
import { isFramed } from "../providers/place.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { type FoundCompaction, placeCompactions, tokensOf } from "./host-compactions.ts";
import {
  assembleMessages,
  firstCopies,
  imageBlocks,
  isPrompt,
  plainCallId,
  resultBlock,
  type SessionMessage,
  textAndImages,
  textBlocks,
  useBlock,
  walkThread,
} from "./session-messages.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { readLineValues, type SessionValue, sessionNotes, withoutDocument } from "./session-values.ts";

// Which entries of a pi session belong to the conversation: the parents of the last entry, across the host's own
// compactions. Sessions that were joined into one file follow each other.

/** Whatever its kind, the last entry is where the session stands. */
function walkBack(entries: readonly PiEntry[]) {
  const walked = new Set<PiEntry>();
  const { lines, gaps } = walkThread(entries.at(-1), {
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    before: new Map(entries.flatMap((entry, at) => (at === 0 ? [] : [[entry, entries[at - 1] as PiEntry]]))),
    walked,
  });
  const left = entries.filter((entry) => !walked.has(entry));
  return { path: lines, rewoundPrompts: left.filter(({ message }) => isPrompt(message)).length, gaps };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

// One entry of a pi session file, reduced to what matters: what it follows and what it put before the model. Files of
// the first version are plain lists; later ones name the entry that each follows.

export interface PiEntry {
  /** As it stands in the file. */
  readonly value: JsonObject;
  /** 1-based line in the file. */
  readonly line: number;
  readonly id: string;
  /** The entry it follows; "" for one that begins a conversation. */
  readonly parent: string;
  readonly isCompaction: boolean;
  readonly message: SessionMessage | undefined;
  /** Passages of reasoning that the message could not hold. */
  readonly unsigned: number;
}

/** A header and what stands behind it. */
interface PiSession {
  readonly id: string | undefined;
  readonly entries: readonly PiEntry[];
}

type EntryMessage = Pick<PiEntry, "message" | "unsigned">;

const NO_MESSAGE: EntryMessage = { message: undefined, unsigned: 0 };

export function isPiHeader(value: unknown): value is JsonObject {
  return isObject(value) && value.type === "session" && typeof value.cwd === "string";
}

/** Told apart where the head of a file is missing: other hosts that wrap messages so name no interface, or write results as blocks. */
function isPiAnswer(value: unknown): boolean {
  if (!isObject(value) || value.type !== "message" || !isObject(value.message)) return false;
  const { role, content, stopReason, toolCallId } = value.message;
  if (role === "toolResult") return isFilledText(toolCallId);
  return role === "assistant" && isFilledText(stopReason) && Array.isArray(content);
}

/** The sessions of a file, in order: one, unless files were joined. */
function readPiSessions(values: readonly SessionValue[]): readonly PiSession[] {
  const sessions: { id: string | undefined; entries: PiEntry[] }[] = [];
  for (const [at, { value, line }] of values.entries()) {
    if (isPiHeader(value)) sessions.push({ id: isFilledText(value.id) ? value.id : undefined, entries: [] });
    else if (isObject(value) && isFilledText(value.type)) {
      if (sessions.length === 0) sessions.push({ id: undefined, entries: [] });
      const { entries } = sessions.at(-1) as { entries: PiEntry[] };
      entries.push(readEntry(value, { at, line }, entries.at(-1)));
    }
  }
  return sessions;
}

function readEntry(
  value: JsonObject,
  { at, line }: { readonly at: number; readonly line: number },
  before: PiEntry | undefined,
): PiEntry {
  const isNameless = !isFilledText(value.id);
  return {
    value,
    line,
    id: isFilledText(value.id) ? value.id : `entry ${at}`,
    parent: isNameless ? (before?.id ?? "") : asText(value.parentId),
    isCompaction: value.type === "compaction",
    ...readEntryMessage(value, `entry ${at}`),
  };
}

function readEntryMessage(value: JsonObject, key: string): EntryMessage {
  switch (value.type) {
    case "message":
      return isObject(value.message) ? readMessage(value.message, key) : NO_MESSAGE;
    case "custom_message":
      return fromHost(textAndImages(value.content), key);
    case "compaction":
      return fromHost(
        isOurs(value) ? textBlocks(value.summary) : summaryBlocks("the conversation so far", value.summary),
        key,
      );
    case "branch_summary":
      return fromHost(summaryBlocks("a branch that was left", value.summary), key);
    default:
      return NO_MESSAGE;
  }
}

function readMessage(message: JsonObject, key: string): EntryMessage {
  switch (message.role) {
    case "user":
      return { message: userMessage(userBlocks(message), key, false), unsigned: 0 };
    case "assistant": {
      const { blocks, unsigned } = answerBlocks(message);
      return {
        message: { role: "assistant", id: key, blocks, isHostWritten: false, model: asText(message.model) },
        unsigned,
      };
    }
    case "toolResult":
      return { message: userMessage([resultOf(message)], key, false), unsigned: 0 };
    case "bashExecution":
      return message.excludeFromContext === true ? NO_MESSAGE : fromHost(textBlocks(textOfCommand(message)), key);
    case "compactionSummary":
      return fromHost(summaryBlocks("the conversation so far", message.summary), key);
    case "branchSummary":
      return fromHost(summaryBlocks("a branch that was left", message.summary), key);
    default:
      // Extensions put in messages of their own.
      return fromHost(textAndImages(message.content), key);
  }
}

function resultOf({ toolCallId, content, isError }: JsonObject): JsonObject {
  return resultBlock(callId(toolCallId), textAndImages(content), isError === true);
}

function fromHost(blocks: readonly JsonObject[], key: string): EntryMessage {
  return { message: userMessage(blocks, key, true), unsigned: 0 };
}

function userMessage(blocks: readonly JsonObject[], id: string, isHostWritten: boolean): SessionMessage {
  return { role: "user", id, blocks, isHostWritten, model: "" };
}

function summaryBlocks(of: string, summary: unknown): readonly JsonObject[] {
  return isFilledText(summary) ? [{ type: "text", text: `[The host's summary of ${of}]\n${summary}` }] : [];
}

/** A command that the user ran beside the conversation, and what it printed. */
function textOfCommand({ command, output, exitCode, cancelled, fullOutputPath }: JsonObject): string {
  const failed = typeof exitCode === "number" && exitCode !== 0 ? `exit code ${exitCode}` : "";
  const end = cancelled === true ? "cancelled" : failed;
  return [
    `[The user ran: ${asText(command)}]`,
    asText(output) || "[no output]",
    ...(end === "" ? [] : [`[${end}]`]),
    ...(isFilledText(fullOutputPath) ? [`[whole output: ${fullOutputPath}]`] : []),
  ].join("\n");
}

// The content of a pi message as Anthropic blocks. Reasoning stays only where Anthropic signed it; empty texts, which
// the provider would refuse, go.

/** Interfaces whose reasoning Anthropic messages can carry. */
const SIGNING_APIS: ReadonlySet<string> = new Set(["anthropic-messages", "bedrock-converse-stream"]);

/** What was typed and what was attached to it. */
function userBlocks(message: JsonObject): readonly JsonObject[] {
  return [...textAndImages(message.content), ...asArray(message.attachments).flatMap(attachmentBlocks)];
}

/** The blocks of an answer, and how many passages of reasoning had to be left out. */
function answerBlocks({ content, api, provider }: JsonObject): {
  readonly blocks: readonly JsonObject[];
  readonly unsigned: number;
} {
  // Early files name the provider only.
  const isSigned = SIGNING_APIS.has(asText(api)) || (!isFilledText(api) && provider === "anthropic");
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).filter(isObject);
  const isLeftOut = (part: JsonObject) =>
    part.type === "thinking" && !(isSigned && isFilledText(part.thinkingSignature));
  return {
    blocks: parts.filter((part) => !isLeftOut(part)).flatMap(answerBlock),
    unsigned: parts.filter((part) => isLeftOut(part) && asText(part.thinking).trim() !== "").length,
  };
}

function answerBlock(part: JsonObject): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text);
    case "thinking":
      return part.redacted === true
        ? [{ type: "redacted_thinking", data: part.thinkingSignature }]
        : [{ type: "thinking", thinking: asText(part.thinking), signature: part.thinkingSignature }];
    case "toolCall":
      return [useBlock(callId(part.id), part.name, part.arguments)];
    default:
      return [];
  }
}

/** Other providers' ids hold an item's id after a bar. */
export function callId(id: unknown): string {
  return plainCallId(asText(id).split("|", 1)[0]);
}

/** A document is what its host read out of it: nobody's words. */
function attachmentBlocks(attachment: unknown): readonly JsonObject[] {
  if (!isObject(attachment)) return [];
  if (attachment.type === "image") return imageBlocks(attachment.content, attachment.mimeType);
  if (!isFilledText(attachment.extractedText)) return [];
  const text = `[Attached document: ${asText(attachment.fileName)}]\n${attachment.extractedText}`;
  return [markHostWritten({ type: "text", text })];
}

/** Reads the text of a session file. Never throws: a file without a message gives an empty list. */
export function readPiSession(from: SessionText): SessionRead {
  const { values, faults } = readLineValues(from);
  const { sessions, paths, walked, entries } = readPath(values);
  const { messages, sources } = assembleMessages(entries);
  const model = entries.findLast(({ message }) => message !== undefined && message.model !== "")?.message?.model;
  return {
    sessionId: sessions.findLast(({ id }) => id !== undefined)?.id,
    messages,
    notes: sessionNotes(faults, {
      sessions: paths.filter(({ path }) => path.some(({ message }) => message !== undefined)).length,
      repeated: walked.length - entries.length,
      rewound: sum(paths.map(({ rewoundPrompts }) => rewoundPrompts)),
      gaps: sum(paths.map(({ gaps }) => gaps)),
      compactions: entries.filter(({ isCompaction, value, message }) => isCompaction && !(isOurs(value) && message))
        .length,
      unsigned: sum(entries.map(({ unsigned }) => unsigned)),
    }),
    sources: withoutDocument(sources),
    ...placeCompactions(findCompactions(entries), messages),
    ...(model ? { model } : {}),
  };
}

/** But for a summary of ours that is all there is of what left. */
function findCompactions(entries: readonly PiEntry[]): readonly FoundCompaction[] {
  const blockFrom = (start: number) =>
    entries.slice(start).find(({ message }) => message?.blocks[0])?.message?.blocks[0];
  return entries.flatMap(({ isCompaction, value, message }, index) => {
    if (!isCompaction || (isOurs(value) && message !== undefined)) return [];
    const block = blockFrom(index);
    const first = asText(value.firstKeptEntryId) || `entry ${value.firstKeptEntryIndex}`;
    const kept = entries.findIndex(({ id }) => id === first);
    return [
      {
        block,
        stays: kept < 0 ? undefined : blockFrom(kept),
        summary: asText(message === undefined ? value.summary : block?.text),
        ...tokensOf({ before: value.tokensBefore }),
      },
    ];
  });
}

/** The entries that stand before the model, in order. */
export function readPath(values: readonly SessionValue[]) {
  const sessions = readPiSessions(values);
  const paths = sessions.map(({ entries }) => walkBack(entries));
  const walked = paths.flatMap(({ path }) => path);
  // What a fork copied from the session before it counts once.
  const entries = sessions.length < 2 ? walked : firstCopies(walked, ({ value }) => toJson(value));
  return { sessions, paths, walked, entries: inOrderOfModel(entries) };
}

/** A compaction whose text we wrote. */
function isOurs({ type, summary }: JsonObject): boolean {
  return type === "compaction" && isFramed(asText(summary));
}

function inOrderOfModel(entries: readonly PiEntry[]): readonly PiEntry[] {
  const ordered = entries.filter(({ value }) => !isOurs(value));
  for (const entry of entries.filter(({ value }) => isOurs(value))) {
    const first = Math.max(
      0,
      ordered.findIndex(({ id }) => id === entry.value.firstKeptEntryId),
    );
    // Where `session compact` wrote it, nothing else holds what it stands for, so it is read where the host puts it.
    const isTold = ordered.slice(0, first).some(({ message }) => message !== undefined);
    ordered.splice(first, 0, isTold ? { ...entry, message: undefined } : entry);
  }
  return ordered;
}

export const piReader: SessionReader = {
  name: "pi",
  title: "pi session",
  matches: (values) => isPiHeader(values[0]) || values.some(isPiAnswer),
  read: readPiSession,
};
