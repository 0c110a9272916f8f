// The file that the Gemini CLI writes when a chat is saved under a name: what it would send, as roles and parts.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isObject } from "../../json-shape.ts";
import { resultBlock, useBlock } from "../parts/anthropic-blocks.ts";
import { plainCallId } from "../parts/call-ids.ts";
import type { SessionDraft } from "../parts/session-draft.ts";
import type { SessionValue } from "../parts/session-values.ts";
import { OpenCalls } from "./gemini-calls.ts";
import { isThought, partsOf, plainBlocks, responseOf, userBlocks } from "./gemini-parts.ts";

/** True for a list of contents: other lists of roles and parts give each part a type. */
export function isCheckpoint(values: readonly unknown[]): boolean {
  const contents = values.length === 1 ? contentsOf(values[0]) : values;
  return contents.every(isContent) && contents.some((content) => asArray(content.parts).length > 0);
}

export function addCheckpoint(draft: SessionDraft, values: readonly SessionValue[]): void {
  const calls = new OpenCalls();
  for (const { value, line } of values) {
    for (const content of contentsOf(value)) {
      if (!isContent(content)) continue;
      if (content.role === "model") addAnswer(draft, partsOf(content.parts), { line, calls });
      else addUser(draft, partsOf(content.parts), { line, calls });
    }
  }
}

/** Later versions wrap the list. */
function contentsOf(value: unknown): readonly unknown[] {
  return isObject(value) && Array.isArray(value.history) ? value.history : [value];
}

function isContent(content: unknown): content is JsonObject {
  if (!isObject(content) || (content.role !== "user" && content.role !== "model")) return false;
  return Array.isArray(content.parts) && content.parts.every((part) => isObject(part) && part.type === undefined);
}

interface Place {
  readonly line: number;
  readonly calls: OpenCalls;
}

function addAnswer(draft: SessionDraft, parts: readonly JsonObject[], { line, calls }: Place): void {
  draft.unsigned += parts.filter(isThought).length;
  const blocks = parts.flatMap((part) => {
    const { functionCall } = part;
    if (!isObject(functionCall)) return plainBlocks(part);
    const id = draft.callIds.take(functionCall.id);
    calls.add(functionCall, id);
    return [useBlock(id, functionCall.name, functionCall.args)];
  });
  draft.addAnswer(blocks, line);
}

function addUser(draft: SessionDraft, parts: readonly JsonObject[], { line, calls }: Place): void {
  for (const part of parts) {
    const { functionResponse } = part;
    if (!isObject(functionResponse)) {
      draft.addUser(userBlocks(part), line);
      continue;
    }
    const { blocks, isError } = responseOf(functionResponse);
    // One that nobody waits for keeps its id, as an orphan.
    const id = calls.take(functionResponse) ?? (plainCallId(asText(functionResponse.id)) || "unknown");
    draft.addUser([resultBlock(id, blocks, isError)], line);
  }
}
