// Puts the lines of a session's live branch together as Anthropic messages: the lines of one answer become one
// message, the results of its calls the user message after it. Who wrote a block, a person or the host, is marked.
import { isEmptyResult, SILENT_ERROR } from "../providers/anthropic/messages.ts";
import { IMAGE_TYPES } from "../providers/attachments.ts";
import { isHostWritten, markHostWritten } from "../providers/message-marks.ts";
import { FreeNames, legalName } from "../providers/names.ts";
import { isFramed } from "../providers/place.ts";
import type { JsonLineFault } from "../text/json.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject } from "../text/json-values.ts";
import { cutAt } from "../text/quote.ts";
import { type FoundCompaction, placeCompactions } from "./host-compactions.ts";
import type { SessionRead } from "./session-reader.ts";
import { type Counts, sessionNotes } from "./session-values.ts";

/** What a line of a session file put before the model. */
export interface SessionMessage {
  readonly role: "user" | "assistant";
  /** Lines of one model answer share it. */
  readonly id: string;
  /** Anthropic content blocks. */
  readonly blocks: readonly JsonObject[];
  /** No person wrote it, though it stands in the user's place. */
  readonly isHostWritten: boolean;
  /** "" where the line names none. */
  readonly model: string;
}

/** A line of the branch. */
export interface BranchLine {
  /** 1-based line in the file. */
  readonly line: number;
  /** Undefined for a line that said nothing to the model. */
  readonly message: SessionMessage | undefined;
}

interface SessionMessages {
  readonly messages: readonly unknown[];
  /** For each message the 1-based lines of the file it was made from. */
  readonly sources: readonly (readonly number[])[];
}

interface Draft {
  readonly role: "user" | "assistant";
  readonly results: JsonObject[];
  readonly blocks: JsonObject[];
  readonly lines: number[];
}

/** The messages of a branch, in order. */
export function assembleMessages(lines: readonly BranchLine[]): SessionMessages {
  const drafts = mergeNeighbours(draftMessages(lines));
  return { messages: drafts.map(toMessage), sources: drafts.map((draft) => draft.lines) };
}

function newDraft(role: Draft["role"]): Draft {
  return { role, results: [], blocks: [], lines: [] };
}

function draftMessages(lines: readonly BranchLine[]): readonly Draft[] {
  const drafting: Drafting = { drafts: [], answers: new Map(), carrierOf: new Map() };
  for (const { line, message } of lines) {
    if (message === undefined || message.blocks.length === 0) continue;
    if (message.role === "assistant") addAnswer(drafting, message, line);
    else addUserLine(drafting, message, line);
  }
  return drafting.drafts.filter((draft) => draft.results.length + draft.blocks.length > 0);
}

interface Drafting {
  readonly drafts: Draft[];
  /** By message id: the answer and the message after it, which carries the results of its calls. */
  readonly answers: Map<string, { readonly answer: Draft; readonly carrier: Draft }>;
  /** By call id. */
  readonly carrierOf: Map<string, Draft>;
}

function addAnswer({ drafts, answers, carrierOf }: Drafting, message: SessionMessage, line: number): void {
  let known = answers.get(message.id);
  if (known === undefined) {
    known = { answer: newDraft("assistant"), carrier: newDraft("user") };
    answers.set(message.id, known);
    drafts.push(known.answer, known.carrier);
  }
  for (const block of message.blocks) known.answer.blocks.push(block);
  known.answer.lines.push(line);
  for (const block of message.blocks) {
    if (block.type === "tool_use") carrierOf.set(asText(block.id), known.carrier);
  }
}

function addUserLine({ drafts, carrierOf }: Drafting, message: SessionMessage, line: number): void {
  const result = message.blocks.find((block) => block.type === "tool_result");
  let draft = result === undefined ? undefined : carrierOf.get(asText(result.tool_use_id));
  if (draft === undefined) {
    draft = newDraft("user");
    drafts.push(draft);
  }
  for (const block of message.blocks) {
    if (block.type === "tool_result") draft.results.push(block);
    else draft.blocks.push(message.isHostWritten ? markHostWritten(block) : block);
  }
  draft.lines.push(line);
}

/** Consecutive user messages become one, so that roles alternate; a summary of ours, known by its message, stays apart. */
function mergeNeighbours(drafts: readonly Draft[]): readonly Draft[] {
  const isSummary = ({ blocks }: Draft) => blocks.length === 1 && isFramed(asText(blocks[0]?.text));
  const merged: Draft[] = [];
  for (const draft of drafts) {
    const last = merged.at(-1);
    if (last?.role !== "user" || draft.role !== "user" || isSummary(last)) {
      merged.push(draft);
      continue;
    }
    for (const block of draft.results) last.results.push(block);
    for (const block of draft.blocks) last.blocks.push(block);
    for (const line of draft.lines) last.lines.push(line);
  }
  return merged;
}

function toMessage(draft: Draft): JsonObject {
  const isThinking = (block: JsonObject) => block.type === "thinking" || block.type === "redacted_thinking";
  const first = draft.blocks[0];
  const isInOrder = first === undefined || isThinking(first);
  const blocks = isInOrder
    ? draft.blocks
    : [...draft.blocks.filter(isThinking), ...draft.blocks.filter((block) => !isThinking(block))];
  const message = { role: draft.role, content: [...draft.results, ...blocks] };
  const isHosts = draft.blocks.length > 0 && draft.blocks.every(isHostWritten);
  return isHosts ? markHostWritten(message) : message;
}

// Files whose lines name the line that each follows: what pi and Claude Code have in common.

/** Something a person asked, as opposed to results and what the host put in. */
export function isPrompt(message: SessionMessage | undefined): boolean {
  if (message?.role !== "user" || message.isHostWritten || message.blocks.length === 0) return false;
  return message.blocks.every(({ type }) => type !== "tool_result");
}

/** Of those with equal keys the first. */
export function firstCopies<Line>(lines: readonly Line[], keyOf: (line: Line) => string): readonly Line[] {
  const known = new Set<string>();
  return lines.filter((line) => {
    const key = keyOf(line);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

interface Follower {
  /** The line it follows; "" for one that begins a conversation. */
  readonly parent: string;
  /** It follows something, named or not. */
  readonly isBoundary?: boolean;
}

interface Walk<Line> {
  readonly byId: ReadonlyMap<string, Line>;
  /** The line taken where the one that is named is not in the file. */
  readonly before: ReadonlyMap<Line, Line>;
  /** Lines of other walks: there this one ends. */
  readonly walked: Set<Line>;
}

export interface Thread<Line> {
  /** From its first line on. */
  readonly lines: readonly Line[];
  /** The line of an earlier walk that it branches off from; undefined when it has its own beginning. */
  readonly branchesFrom: Line | undefined;
  /** Places where the line before was not in the file and the one physically before was taken. */
  readonly gaps: number;
}

/** Follows the parents back from a line. Each line is walked once. */
export function walkThread<Line extends Follower>(
  last: Line | undefined,
  { byId, before, walked }: Walk<Line>,
): Thread<Line> {
  const own = new Set<Line>();
  let gaps = 0;
  let current = last;
  while (current !== undefined && !walked.has(current)) {
    walked.add(current);
    own.add(current);
    const parent: Line | undefined = byId.get(current.parent);
    const isGap: boolean = parent === undefined && (current.parent !== "" || current.isBoundary === true);
    const previous: Line | undefined = isGap ? before.get(current) : undefined;
    if (previous !== undefined) gaps += 1;
    current = parent ?? previous;
  }
  const branchesFrom = current === undefined || own.has(current) ? undefined : current;
  return { lines: [...own].reverse(), branchesFrom, gaps };
}

// Collects what a host's file says to and from the model, in order, and gives it as Anthropic messages. For hosts
// whose files are plain lists: no branches to follow, each answer in one place.

export class SessionDraft {
  readonly #callIds = new FreeNames();
  /** Passages of reasoning that no Anthropic message can hold. */
  unsigned = 0;
  /** Of the last answer that names one. */
  model = "";
  /** The host's own. */
  readonly compactions: FoundCompaction[] = [];
  readonly #lines: BranchLine[] = [];

  /** An id that Anthropic takes, each given once: hosts leave them out, repeat them, or use other characters. */
  callId(id: unknown): string {
    return this.#callIds.take(plainCallId(id) || "call");
  }

  /** `line`: 1-based, 0 in a file that is one JSON document. Blocks of the host are marked by who makes them. */
  addUser(blocks: readonly JsonObject[], line: number, isHostWritten = false): void {
    this.#add({ role: "user", blocks, isHostWritten }, line);
  }

  addAnswer(blocks: readonly JsonObject[], line: number): void {
    this.#add({ role: "assistant", blocks, isHostWritten: false }, line);
  }

  /** The whole reading; `counts` say what was left out. */
  finish(sessionId: string | undefined, faults: readonly JsonLineFault[], counts: Counts = {}): SessionRead {
    const { messages, sources } = assembleMessages(this.#lines);
    return {
      sessionId,
      messages,
      notes: sessionNotes(faults, { ...counts, unsigned: this.unsigned }),
      sources: sources.map((lines) => [...new Set(lines.filter((line) => line > 0))]),
      ...(this.model === "" ? {} : { model: this.model }),
      ...placeCompactions(this.compactions, messages),
    };
  }

  #add(said: Pick<NonNullable<BranchLine["message"]>, "role" | "blocks" | "isHostWritten">, line: number): void {
    if (said.blocks.length === 0) return;
    this.#lines.push({ line, message: { ...said, id: `line ${this.#lines.length}`, model: "" } });
  }
}

/** True for a text that begins, but for white space, in one of these ways. */
export function opensWith(text: unknown, openings: readonly string[]): boolean {
  const start = asText(text).slice(0, 200).trimStart();
  return openings.some((opening) => start.startsWith(opening));
}

/** Without the characters that Anthropic refuses; "" for what is no id. */
export function plainCallId(id: unknown): string {
  return legalName(asText(id), { longest: Number.POSITIVE_INFINITY, hasOtherCharacters: false });
}

// Content blocks that Anthropic takes, made of what hosts of other providers keep: texts, calls, results, and
// attached images and documents. What the provider has no block for is named in a text that no person wrote.

const LONGEST_URL_SHOWN = 300;
/** More is refused. */
const LONGEST_NAME = 128;

/** Empty for an empty text, which the provider would refuse. */
export function textBlocks(text: unknown): readonly JsonObject[] {
  return asText(text).trim() === "" ? [] : [{ type: "text", text }];
}

export function hostTextBlocks(text: unknown): readonly JsonObject[] {
  return textBlocks(text).map(markHostWritten);
}

export function useBlock(id: string, name: unknown, input: unknown): JsonObject {
  return { type: "tool_use", id, name: plainToolName(name) || "unnamed", input: isObject(input) ? input : {} };
}

/** Without the characters that Anthropic refuses: other providers take dots, and some hosts write what they show. */
function plainToolName(name: unknown): string {
  return legalName(asText(name).trim(), { longest: LONGEST_NAME, hasOtherCharacters: false });
}

/** One text is written as such, any other list as blocks. */
export function resultBlock(callId: string, blocks: readonly JsonObject[], isError: boolean): JsonObject {
  const [first] = blocks;
  const content = blocks.length === 1 && first?.type === "text" ? first.text : blocks;
  const block = { type: "tool_result", tool_use_id: callId };
  if (!isError) return { ...block, content };
  return { ...block, content: isEmptyResult(content) ? SILENT_ERROR : content, is_error: true };
}

/** Reasoning, where Anthropic signed or sealed it; undefined where no block can hold it. */
export function thinkingBlock(text: unknown, { redactedData, signature }: JsonObject): JsonObject | undefined {
  if (isFilledText(redactedData)) return { type: "redacted_thinking", data: redactedData };
  return isFilledText(signature) ? { type: "thinking", thinking: asText(text), signature } : undefined;
}

/** The same where the signature stands under the name of who signed. */
export function signedBlock(text: unknown, metadata: unknown): JsonObject | undefined {
  const { anthropic, bedrock } = isObject(metadata) ? metadata : {};
  const blocks = [anthropic, bedrock].map((signed) => (isObject(signed) ? thinkingBlock(text, signed) : undefined));
  return blocks.find((block) => block !== undefined);
}

/** Texts and images as tool servers write them; a content that is a string is one text. */
export function textAndImages(content: unknown): readonly JsonObject[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
  return parts.flatMap((part) => {
    if (!isObject(part)) return [];
    if (part.type === "text") return textBlocks(part.text);
    return part.type === "image" ? imageBlocks(part.data, part.mimeType) : [];
  });
}

export function imageBlocks(data: unknown, mediaType: unknown): readonly JsonObject[] {
  if (!isFilledText(data) || !isFilledText(mediaType)) return [];
  return [{ type: "image", source: { type: "base64", media_type: mediaType, data } }];
}

interface AttachedFile {
  readonly mediaType: unknown;
  readonly name?: unknown;
}

export function base64Blocks(base64: unknown, { mediaType, name }: AttachedFile): readonly JsonObject[] {
  const isKnown = isFilledText(mediaType) && (IMAGE_TYPES.has(mediaType) || mediaType === "application/pdf");
  if (!isFilledText(base64) || !isKnown) return nameBlocks({ mediaType, name });
  const source = { type: "base64", media_type: mediaType, data: base64 };
  return [{ type: mediaType === "application/pdf" ? "document" : "image", source }];
}

/** A file given by its address: `data:` ones are taken in, images on the web stay where they are. */
export function urlBlocks(url: unknown, { mediaType, name }: AttachedFile): readonly JsonObject[] {
  const address = asText(url);
  const comma = address.startsWith("data:") ? address.indexOf(",") : -1;
  if (comma > 0) {
    const head = address.slice("data:".length, Math.min(comma, LONGEST_URL_SHOWN)).split(";");
    if (!head.includes("base64")) return nameBlocks({ mediaType, name });
    return base64Blocks(address.slice(comma + 1), { mediaType: head[0] || mediaType, name });
  }
  const isPicture = IMAGE_TYPES.has(asText(mediaType)) && /^https?:\/\//.test(address);
  if (isPicture) return [{ type: "image", source: { type: "url", url: address } }];
  return nameBlocks({ mediaType, name: asText(name) || cutAt(address, LONGEST_URL_SHOWN) });
}

function nameBlocks({ mediaType, name }: AttachedFile): readonly JsonObject[] {
  const words = ["Attached file:", asText(name), isFilledText(mediaType) ? `(${mediaType})` : ""];
  return hostTextBlocks(`[${words.filter((word) => word !== "").join(" ")}]`);
}
