// Makes a damaged Anthropic list valid: the results of each message's calls stand first in the one user message
// after it, ids are unique, orphans become text. Blocks are mended first.

import { asArray, asText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { toWellFormedValue } from "../../text/well-formed.ts";
import { isTextPart, readResultContent } from "../content-parts.ts";
import type { Healed } from "../format.ts";
import { carryMarks, copyWith, markHostWritten } from "../message-marks.ts";
import {
  duplicateNote,
  MISSING_RESULT,
  orphanNote,
  RENAMED,
  type Repairs,
  renameClashes,
  unreadableNote,
} from "../repair-notes.ts";
import { type PairedCall, type Pairing, pairCalls } from "../units.ts";
import { anthropicFiller, blockFault, viewAnthropicMessage } from "./messages.ts";

/** A message after cleaning, with its index in the input. */
interface Entry {
  readonly index: number;
  readonly message: JsonObject;
}

/** A result block and the text in it. */
interface ReadResult {
  readonly block: JsonObject;
  readonly text: string;
}

/** Repairs a list; see `Format.heal`. */
export function repairAnthropic(messages: readonly unknown[]): Healed {
  const repairs: Repairs = [];
  const entries = messages.flatMap((message, index): Entry[] => {
    const cleaned = cleanAnthropicMessage(message, index, index === messages.length - 1, repairs);
    return cleaned === undefined ? [] : [{ index, message: cleaned }];
  });
  const paired = repairPairs(entries, repairs);
  const lastIndex = entries.findLast(({ message }) => message === paired.at(-1))?.index ?? messages.length - 1;
  const healed = openWithUser(trimLastMessage(paired, lastIndex, repairs), repairs);
  return repairs.length === 0 ? { messages, repairs } : { messages: healed, repairs };
}

interface Work {
  readonly entries: readonly Entry[];
  /** The result blocks of each entry. */
  readonly results: readonly (readonly ReadResult[])[];
  readonly pairing: Pairing;
  readonly callsAt: ReadonlyMap<number, readonly PairedCall[]>;
  readonly renamed: ReadonlyMap<PairedCall, string>;
  readonly openStep: number;
  readonly repairs: Repairs;
}

function repairPairs(entries: readonly Entry[], repairs: Repairs): readonly JsonObject[] {
  const pairing = pairCalls(entries.map(({ message }) => viewAnthropicMessage(message)));
  const callsAt = new Map<number, PairedCall[]>();
  for (const call of pairing.calls) {
    const calls = callsAt.get(call.index);
    if (calls === undefined) callsAt.set(call.index, [call]);
    else calls.push(call);
  }
  const renamed = renameClashes(pairing, () => true);
  const results = entries.map(({ message }) => readResults(message));
  const work: Work = {
    entries,
    results,
    pairing,
    callsAt,
    renamed,
    openStep: findOpenStep(entries, pairing, callsAt),
    repairs,
  };
  return entries.flatMap((entry, at) => {
    if (entry.message.role !== "assistant") return repairUserMessage(work, at);
    return [withCallIds(work, at), ...insertedResults(work, at)];
  });
}

function readResults(message: JsonObject): readonly ReadResult[] {
  const blocks = message.role === "user" ? asArray(message.content).filter(isResult) : [];
  return blocks.map((block) => ({ block, text: readResultContent(block.content).text }));
}

function resultAt(work: Work, at: number, ordinal: number): ReadResult {
  return work.results[at]?.[ordinal] ?? { block: {}, text: "" };
}

/** The step in flight: the last assistant message, if nothing but results of its own calls follows it. */
function findOpenStep(
  entries: readonly Entry[],
  pairing: Pairing,
  callsAt: ReadonlyMap<number, readonly PairedCall[]>,
): number {
  const last = entries.findLastIndex(({ message }) => message.role === "assistant");
  if (!callsAt.has(last) || last < entries.length - 2) return -1;
  const following = entries[last + 1];
  if (following === undefined) return last;
  const blocks = asArray(following.message.content);
  const owns = (_: unknown, ordinal: number) => pairing.callOf(last + 1, ordinal)?.index === last;
  return blocks.length > 0 && blocks.every(isResult) && blocks.every(owns) ? last : -1;
}

function isResult(block: unknown): block is JsonObject {
  return isObject(block) && block.type === "tool_result";
}

function withCallIds(work: Work, at: number): JsonObject {
  const { index, message } = work.entries[at] as Entry;
  const calls = work.callsAt.get(at) ?? [];
  if (!calls.some((call) => work.renamed.has(call))) return message;
  let ordinal = -1;
  const content = asArray(message.content).map((block) => {
    if (!isObject(block) || block.type !== "tool_use") return block;
    ordinal += 1;
    const call = calls[ordinal];
    const id = call === undefined ? undefined : work.renamed.get(call);
    if (call === undefined || id === undefined) return block;
    work.repairs.push({ index, kind: "duplicate_call", callId: call.callId, action: RENAMED });
    return { ...block, id };
  });
  return copyWith(message, { content });
}

/** Where no user message follows a step, one is put in for its results. */
function insertedResults(work: Work, at: number): readonly JsonObject[] {
  if (work.entries[at + 1]?.message.role === "user") return [];
  const content = resultsOfStep(work, at);
  return content.length === 0 ? [] : [{ role: "user", content }];
}

/** First results of all calls of a step, those in the right message first, and made-up ones for dead calls. */
function resultsOfStep(work: Work, at: number): readonly JsonObject[] {
  const calls = work.callsAt.get(at) ?? [];
  const found = calls.flatMap((call) => {
    const place = call.results[0];
    return place === undefined ? [] : [{ call, place }];
  });
  found.sort((left, right) => left.place.index - right.place.index || left.place.ordinal - right.place.ordinal);
  const results = found.map(({ call, place }) => {
    const { block } = resultAt(work, place.index, place.ordinal);
    const id = work.renamed.get(call);
    return id === undefined ? block : { ...block, tool_use_id: id };
  });
  return [...results, ...calls.flatMap((call) => answerDeadCall(work, call, at))];
}

function answerDeadCall(work: Work, call: PairedCall, at: number): readonly JsonObject[] {
  if (call.results.length > 0 || at === work.openStep) return [];
  const action = "added a result that says that none was recorded";
  work.repairs.push({ index: work.entries[at]?.index ?? at, kind: "dead_call", callId: call.callId, action });
  return [{ type: "tool_result", tool_use_id: work.renamed.get(call) ?? call.callId, content: MISSING_RESULT }];
}

function repairUserMessage(work: Work, at: number): readonly JsonObject[] {
  const { index, message } = work.entries[at] as Entry;
  const isCarrier = work.entries[at - 1]?.message.role === "assistant";
  const results = isCarrier ? resultsOfStep(work, at - 1) : [];
  const own = Array.isArray(message.content) ? message.content : [];
  let ordinal = -1;
  const others = own.flatMap((block: unknown): readonly unknown[] => {
    if (!isResult(block)) return [block];
    ordinal += 1;
    return leftOver(work, at, ordinal);
  });
  const text = asText(message.content);
  const content = [...results, ...(text === "" ? others : [{ type: "text", text }])];
  if (text !== "" && results.length === 0) return [message];
  if (content.length === own.length && content.every((block, position) => block === own[position])) return [message];
  if (isReordered(own, results)) {
    work.repairs.push({ index, kind: "displaced_result", action: "moved results before the other blocks" });
  }
  return content.length === 0 ? [] : [copyWith(message, { content })];
}

function isReordered(own: readonly unknown[], results: readonly JsonObject[]): boolean {
  const firstOther = own.findIndex((block) => !isResult(block));
  const kept = new Set<unknown>(results);
  return firstOther >= 0 && own.slice(firstOther).some((block) => kept.has(block));
}

/** What is put in the place of a result: nothing where it stands with its call, a text where it has none. */
function leftOver(work: Work, at: number, ordinal: number): readonly JsonObject[] {
  const { index } = work.entries[at] as Entry;
  const { block, text } = resultAt(work, at, ordinal);
  const call = work.pairing.callOf(at, ordinal);
  if (call === undefined) {
    work.repairs.push({ index, kind: "orphan_result", callId: asText(block.tool_use_id), action: "kept as a note" });
    return [{ type: "text", text: orphanNote(text) }];
  }
  const first = call.results[0];
  if (first?.index !== at || first.ordinal !== ordinal) {
    const isSame = first?.text === text;
    const action = isSame ? "dropped the repetition" : "kept as a note";
    work.repairs.push({ index, kind: "duplicate_result", callId: call.callId, action });
    return isSame ? [] : [{ type: "text", text: duplicateNote(text) }];
  }
  if (call.index !== at - 1) {
    work.repairs.push({ index, kind: "displaced_result", callId: call.callId, action: "moved to its call" });
  }
  return [];
}

/** The first message must be the user's, unless a compaction block makes the provider skip what is before it. */
function openWithUser(messages: readonly JsonObject[], repairs: Repairs): readonly JsonObject[] {
  const first = messages[0];
  if (first?.role !== "assistant") return messages;
  const opener = asArray(first.content)[0];
  if (isObject(opener) && opener.type === "compaction") return messages;
  repairs.push({ index: 0, kind: "invalid_message", action: "put an opening user message before it" });
  return [anthropicFiller(), ...messages];
}

// Mends the blocks of one Anthropic message: empty texts, unsigned thinking, calls and results of a shape or
// in a role that the provider refuses. Signed blocks are never changed, only put first or left out whole.

/** A message of legal shape, the same object if it was one; undefined when nothing of it is worth keeping. */
function cleanAnthropicMessage(
  message: unknown,
  index: number,
  isLast: boolean,
  repairs: Repairs,
): JsonObject | undefined {
  const wellFormed = toWellFormedValue(message);
  if (wellFormed !== message) {
    repairs.push({ index, kind: "invalid_text", action: "replaced half surrogate pairs by U+FFFD" });
    if (isObject(message) && isObject(wellFormed)) carryMarks(message, wellFormed);
  }
  if (!isObject(wellFormed) || (wellFormed.role !== "user" && wellFormed.role !== "assistant")) {
    repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
    const content = [{ type: "text", text: unreadableNote(toJson(wellFormed)) }];
    return markHostWritten({ role: "user", content });
  }
  return cleanContent(wellFormed, index, isLast, repairs);
}

function cleanContent(message: JsonObject, index: number, isLast: boolean, repairs: Repairs): JsonObject | undefined {
  const { content } = message;
  const mayBeEmpty = isLast && message.role === "assistant" && (content === "" || isEmptyArray(content));
  if (mayBeEmpty || (typeof content === "string" && content.trim() !== "")) return message;
  if (isNothing(content)) return drop(index, repairs);
  if (!Array.isArray(content)) {
    repairs.push({ index, kind: "invalid_message", action: "wrote the content as text" });
    return copyWith(message, { content: toJson(content) });
  }
  const blocks = thinkingFirst(content.flatMap((block) => cleanBlock(block, message.role, index, repairs)));
  if (blocks.length === 0) return drop(index, repairs);
  if (blocks.length === content.length && blocks.every((block, at) => block === content[at])) return message;
  const isMended = repairs.at(-1)?.index === index;
  if (!isMended) repairs.push({ index, kind: "invalid_message", action: "moved the thinking to the front" });
  return copyWith(message, { content: blocks });
}

function isEmptyArray(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

function isNothing(content: unknown): boolean {
  return content === undefined || content === null || isEmptyArray(content) || typeof content === "string";
}

function drop(index: number, repairs: Repairs): undefined {
  repairs.push({ index, kind: "empty_message", action: "dropped: it had no content" });
  return undefined;
}

function cleanBlock(block: unknown, role: unknown, index: number, repairs: Repairs): readonly unknown[] {
  const fault = blockFault(block, role);
  if (fault === undefined) return [block];
  if (fault === "empty-text") {
    repairs.push({ index, kind: "empty_message", action: "left out an empty text block" });
    return [];
  }
  if (fault === "bad-thinking") {
    repairs.push({ index, kind: "invalid_message", action: "left out thinking without its signature" });
    return [];
  }
  if (fault === "orphan-result" && isObject(block)) {
    repairs.push({ index, kind: "orphan_result", callId: String(block.tool_use_id ?? ""), action: "kept as a note" });
    return [{ type: "text", text: orphanNote(readResultContent(block.content).text) }];
  }
  if (isObject(block) && block.type === "tool_result") return [cleanResult(block, index, repairs)];
  repairs.push({ index, kind: "invalid_message", action: "kept a block as a note" });
  return [{ type: "text", text: unreadableNote(toJson(block)) }];
}

/** A result keeps its id; of its content what the provider takes. */
function cleanResult(block: JsonObject, index: number, repairs: Repairs): JsonObject {
  repairs.push({ index, kind: "invalid_message", action: "left out result blocks that the provider refuses" });
  if (!Array.isArray(block.content)) return { ...block, content: readResultContent(block.content).text };
  const content = asArray(block.content).flatMap((inner) => {
    if (blockFault(inner, "user") === undefined) return [inner];
    const isEmptyText = isTextPart(inner) && inner.text.trim() === "";
    return isEmptyText ? [] : [{ type: "text", text: toJson(inner) }];
  });
  return { ...block, content };
}

function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

/** A message with thinking begins with it; what is moved keeps its order. */
function thinkingFirst(blocks: readonly unknown[]): readonly unknown[] {
  const start = isObject(blocks[0]) && blocks[0].type === "compaction" ? 1 : 0;
  const first = blocks.findIndex(isThinking);
  if (first <= start) return blocks;
  const end = blocks.findIndex((block, at) => at > first && !isThinking(block));
  const run = blocks.slice(first, end < 0 ? blocks.length : end);
  return [...blocks.slice(0, start), ...run, ...blocks.slice(start, first), ...(end < 0 ? [] : blocks.slice(end))];
}

/** The model continues a last assistant message, and takes no white space at its end. */
export function trimLastMessage(
  messages: readonly JsonObject[],
  index: number,
  repairs: Repairs,
): readonly JsonObject[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return messages;
  const trimmed = trimEnd(last);
  if (trimmed === last) return messages;
  repairs.push({ index, kind: "invalid_text", action: "cut white space at its end" });
  return [...messages.slice(0, -1), trimmed];
}

function trimEnd(message: JsonObject): JsonObject {
  const { content } = message;
  if (typeof content === "string") {
    return content === content.trimEnd() ? message : copyWith(message, { content: content.trimEnd() });
  }
  const blocks = asArray(content);
  const last = blocks.at(-1);
  if (!isTextPart(last) || last.text === last.text.trimEnd()) return message;
  return copyWith(message, { content: [...blocks.slice(0, -1), { ...last, text: last.text.trimEnd() }] });
}
