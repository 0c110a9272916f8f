// Puts the lines of a Claude Code branch together as Anthropic messages: the lines of one answer become one
// message, the results of its calls the user message after it. A person's words and the host's stay apart.
import type { JsonObject } from "../json-shape.ts";
import { asText } from "../json-shape.ts";
import { markHostWritten } from "../protected.ts";
import type { SessionLine } from "./claude-code-line.ts";

export interface SessionMessages {
  readonly messages: readonly unknown[];
  /** For each message the 1-based lines of the file it was made from. */
  readonly sources: readonly (readonly number[])[];
}

interface Draft {
  readonly role: "user" | "assistant";
  readonly isHostWritten: boolean;
  readonly results: JsonObject[];
  readonly blocks: JsonObject[];
  readonly lines: number[];
}

/** The messages of a branch, in order. */
export function assembleMessages(lines: readonly SessionLine[]): SessionMessages {
  const drafts = mergeNeighbours(draftMessages(lines));
  return { messages: drafts.map(toMessage), sources: drafts.map((draft) => draft.lines) };
}

function newDraft(role: Draft["role"], isHostWritten = false): Draft {
  return { role, isHostWritten, results: [], blocks: [], lines: [] };
}

function draftMessages(lines: readonly SessionLine[]): readonly Draft[] {
  const drafts: Draft[] = [];
  const answers = new Map<string, Draft>();
  /** The message that carries the results of a call: the one after the answer that made it. */
  const carriers = new Map<string, Draft>();
  for (const { line, message } of lines) {
    if (message === undefined || message.blocks.length === 0) continue;
    if (message.role === "assistant") {
      let answer = answers.get(message.id);
      if (answer === undefined) {
        answer = newDraft("assistant");
        answers.set(message.id, answer);
        const carrier = newDraft("user");
        carriers.set(`answer:${message.id}`, carrier);
        drafts.push(answer, carrier);
      }
      answer.blocks.push(...message.blocks);
      answer.lines.push(line);
      const carrier = carriers.get(`answer:${message.id}`) as Draft;
      for (const block of message.blocks) if (block.type === "tool_use") carriers.set(`call:${asText(block.id)}`, carrier);
      continue;
    }
    const result = message.blocks.find((block) => block.type === "tool_result");
    let draft = result === undefined ? undefined : carriers.get(`call:${asText(result.tool_use_id)}`);
    if (draft === undefined) {
      draft = newDraft("user", message.isHostWritten);
      drafts.push(draft);
    }
    for (const block of message.blocks) (block.type === "tool_result" ? draft.results : draft.blocks).push(block);
    draft.lines.push(line);
  }
  return drafts.filter((draft) => draft.results.length + draft.blocks.length > 0);
}

/** Consecutive user messages become one, except that the host's words and a person's are not mixed. */
function mergeNeighbours(drafts: readonly Draft[]): readonly Draft[] {
  const merged: Draft[] = [];
  for (const draft of drafts) {
    const last = merged.at(-1);
    if (last?.role !== "user" || draft.role !== "user" || last.isHostWritten !== draft.isHostWritten) {
      merged.push(draft);
      continue;
    }
    last.results.push(...draft.results);
    last.blocks.push(...draft.blocks);
    last.lines.push(...draft.lines);
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
  return draft.isHostWritten ? markHostWritten(message) : message;
}
