// Makes a damaged Anthropic list valid: the results of each message's calls stand first in the one user message
// after it, ids are unique, orphans become text. Blocks are mended first, in clean-anthropic.ts.

import { anthropicFiller } from "../anthropic-filler.ts";
import type { Healed } from "../format.ts";
import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isObject } from "../json-shape.ts";
import type { PairedCall, Pairing } from "../pairing.ts";
import { pairCalls } from "../pairing.ts";
import { copyWith } from "../protected.ts";
import { viewAnthropicMessage } from "../views/anthropic-view.ts";
import { readResultContent } from "../views/shared-parts.ts";
import { cleanAnthropicMessage, trimLastMessage } from "./clean-anthropic.ts";
import type { Repairs } from "./notes.ts";
import { duplicateNote, MISSING_RESULT, orphanNote } from "./notes.ts";
import { RENAMED, renameClashes } from "./renamed-calls.ts";

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

/** Heals a list; see `Format.heal`. */
export function healAnthropic(messages: readonly unknown[]): Healed {
  const repairs: Repairs = [];
  const entries = messages.flatMap((message, index): Entry[] => {
    const cleaned = cleanAnthropicMessage(message, index, index === messages.length - 1, repairs);
    return cleaned === undefined ? [] : [{ index, message: cleaned }];
  });
  const paired = healPairs(entries, repairs);
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

function healPairs(entries: readonly Entry[], repairs: Repairs): readonly JsonObject[] {
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
    if (entry.message.role !== "assistant") return healUserMessage(work, at);
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

function healUserMessage(work: Work, at: number): readonly JsonObject[] {
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
