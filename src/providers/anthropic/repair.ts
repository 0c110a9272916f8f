// Makes a damaged Anthropic list valid: the results of each message's calls stand first in the one user message
// after it, ids are unique, orphans become text. Blocks are mended first.
import { asArray, asText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { isTextPart, readResultContent } from "../content-parts.ts";
import type { Healed } from "../format.ts";
import { copyWith, markHostWritten } from "../message-marks.ts";
import {
  type Entry,
  MISSING_RESULT,
  orphanNote,
  type PairRepair,
  type Repairs,
  repairList,
  unreadableNote,
} from "../repair.ts";
import { firstResults } from "../units.ts";
import {
  anthropicOpener,
  blockFault,
  isCall,
  isResult,
  isSetting,
  isSystemPlace,
  isThinking,
  SILENT_ERROR,
  viewAnthropicMessage,
} from "./messages.ts";
import { isSystem, settleSystem } from "./system-messages.ts";

/** Repairs a list; see `Format.heal`. */
export function repairAnthropic(messages: readonly unknown[]): Healed {
  const last = messages.length - 1;
  return repairList(messages, {
    clean: (message, index, repairs) => cleanAnthropicMessage(message, index, messages, repairs),
    view: viewAnthropicMessage,
    clashes: () => true,
    arrange: (pairs) => {
      const { entries, repairs } = pairs;
      const openStep = findOpenStep(pairs);
      const paired = entries.flatMap(({ message }, at) => {
        if (message.role === "system") return [message];
        if (message.role !== "assistant") return arrangeUserMessage(pairs, at, openStep);
        const renamed = renameCalls(pairs, at);
        const results = entries[at + 1]?.message.role === "user" ? [] : resultsOfStep(pairs, at, openStep);
        // Where no user message follows a step, one is put in for its results.
        return [renamed, ...(results.length === 0 ? [] : [{ role: "user", content: results }])];
      });
      const lastIndex = entries.findLast(({ message }) => message === paired.at(-1))?.index ?? last;
      const settled = settleSystem(paired);
      if (settled !== paired) repairs.push({ index: 0, kind: "invalid_message", action: "moved system messages" });
      return openWithUser(trimLastMessage(settled, lastIndex, repairs), repairs);
    },
  });
}

/** The step in flight: the last assistant message, if nothing but results of its own calls follows it, none of them twice. */
function findOpenStep({ entries, pairing }: PairRepair): number {
  const last = entries.findLastIndex(({ message }) => message.role === "assistant");
  if (pairing.callsAt(last).length === 0 || last < entries.length - 2) return -1;
  const following = entries[last + 1];
  if (following === undefined) return last;
  const blocks = asArray(following.message.content);
  const owns = (_: unknown, ordinal: number) => {
    const result = pairing.resultsAt(last + 1)[ordinal];
    return result?.call?.index === last && result.call.results[0] === result;
  };
  return blocks.length > 0 && blocks.every(isResult) && blocks.every(owns) ? last : -1;
}

function renameCalls(pairs: PairRepair, at: number): JsonObject {
  const { message } = pairs.entries[at] as Entry;
  const calls = pairs.pairing.callsAt(at);
  let ordinal = 0;
  if (!calls.some((call) => pairs.newId(call) !== undefined)) return message;
  const content = asArray(message.content).map((block) =>
    isCall(block) ? pairs.renameCall(calls[ordinal++], block, "id") : block,
  );
  return copyWith(message, { content });
}

const resultBlocksOf = new WeakMap<Entry, readonly JsonObject[]>();

/** Found once an entry: a step may have thousands. */
function resultBlocks(entry: Entry | undefined): readonly JsonObject[] {
  if (entry === undefined) return [];
  const blocks = resultBlocksOf.get(entry) ?? asArray(entry.message.content).filter(isResult);
  resultBlocksOf.set(entry, blocks);
  return blocks;
}

/** First results of all calls of a step, those in the right message first, and made-up ones for dead calls. */
function resultsOfStep(pairs: PairRepair, at: number, openStep: number): readonly JsonObject[] {
  const results = firstResults(pairs.pairing.callsAt(at)).map(({ index, ordinal, call }) => {
    const block = resultBlocks(pairs.entries[index])[ordinal] ?? {};
    const id = pairs.newId(call);
    return id === undefined ? block : { ...block, tool_use_id: id };
  });
  const dead = at === openStep ? [] : pairs.deadCalls(at);
  return [...results, ...dead.map((id) => ({ type: "tool_result", tool_use_id: id, content: MISSING_RESULT }))];
}

function arrangeUserMessage(pairs: PairRepair, at: number, openStep: number): readonly JsonObject[] {
  const { index, message } = pairs.entries[at] as Entry;
  const isCarrier = pairs.entries[at - 1]?.message.role === "assistant";
  const results = isCarrier ? resultsOfStep(pairs, at - 1, openStep) : [];
  const text = asText(message.content);
  if (text !== "")
    return results.length === 0 ? [message] : [copyWith(message, { content: [...results, { type: "text", text }] })];
  const own = asArray(message.content);
  const brought = pairs.pairing.resultsAt(at);
  let ordinal = 0;
  const others = own.flatMap((block) => {
    const result = isResult(block) ? brought[ordinal++] : undefined;
    if (result === undefined) return [block];
    const note = pairs.noteFor(result, result.call?.index === at - 1);
    return note === undefined ? [] : [{ type: "text", text: note }];
  });
  const content = [...results, ...others];
  if (content.length === own.length && content.every((block, position) => block === own[position])) return [message];
  if (isReordered(own, results)) {
    pairs.repairs.push({ index, kind: "displaced_result", action: "moved results before the other blocks" });
  }
  return content.length === 0 ? [] : [copyWith(message, { content })];
}

function isReordered(own: readonly unknown[], results: readonly JsonObject[]): boolean {
  const firstOther = own.findIndex((block) => !isResult(block));
  const kept = new Set<unknown>(results);
  return firstOther >= 0 && own.slice(firstOther).some((block) => kept.has(block));
}

/** The first message must be the user's, unless a compaction block makes the provider skip what is before it. */
function openWithUser(messages: readonly JsonObject[], repairs: Repairs): readonly JsonObject[] {
  const first = messages[0];
  if (first?.role !== "assistant") return messages;
  const opener = asArray(first.content)[0];
  if (isObject(opener) && opener.type === "compaction") return messages;
  repairs.push({ index: 0, kind: "invalid_message", action: "put an opening user message before it" });
  return [anthropicOpener(), ...messages];
}

// Mends the blocks of one Anthropic message: empty texts, unsigned thinking, calls and results of a shape or
// in a role that the provider refuses. Signed blocks are never changed, only put first or left out whole.

function cleanAnthropicMessage(
  message: unknown,
  index: number,
  messages: readonly unknown[],
  repairs: Repairs,
): JsonObject | undefined {
  const isLast = index === messages.length - 1;
  const isSystemInPlace = isSystem(message) && isSystemPlace(messages, index);
  if (isObject(message) && (message.role === "user" || message.role === "assistant" || isSystemInPlace)) {
    return isSetting(message) ? message : cleanContent(message, index, isLast, repairs);
  }
  repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
  return markHostWritten({ role: "user", content: [{ type: "text", text: unreadableNote(message) }] });
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
  if (fault === "empty-error" && isObject(block)) {
    repairs.push({ index, kind: "empty_message", action: "said that the tool gave no reason for its error" });
    return [{ ...block, content: SILENT_ERROR }];
  }
  if (isObject(block) && block.type === "tool_result") return [cleanResult(block, index, repairs)];
  repairs.push({ index, kind: "invalid_message", action: "kept a block as a note" });
  return [{ type: "text", text: unreadableNote(block) }];
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
  return { ...block, content: block.is_error === true && content.length === 0 ? SILENT_ERROR : content };
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
