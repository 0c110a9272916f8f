// Puts the lines of a session's live branch together as Anthropic messages: the lines of one answer become one
// message, the results of its calls the user message after it. Who wrote a block, a person or the host, is marked.
import type { JsonObject } from "../json-shape.ts";
import { asText } from "../json-shape.ts";
import { isHostWritten, markHostWritten } from "../protected.ts";

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

export interface SessionMessages {
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

/** Consecutive user messages become one, so that roles alternate; each block remembers who wrote it. */
function mergeNeighbours(drafts: readonly Draft[]): readonly Draft[] {
  const merged: Draft[] = [];
  for (const draft of drafts) {
    const last = merged.at(-1);
    if (last?.role !== "user" || draft.role !== "user") {
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
