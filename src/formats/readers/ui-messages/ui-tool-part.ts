// A tool's part of an interface message, of any version: its call, and what came of it, if anything did.
import type { JsonObject } from "../../json-shape.ts";
import { asText, isFilledText, isObject, toJson } from "../../json-shape.ts";
import { resultBlock, textBlocks, useBlock } from "../parts/anthropic-blocks.ts";
import { textAndImages } from "../pi-blocks.ts";

export interface ToolBlocks {
  readonly call: JsonObject;
  /** Undefined for a call in flight, or one that waits to be allowed. */
  readonly result: JsonObject | undefined;
}

const TYPE_START = "tool-";

export function isToolPart({ type, toolCallId }: JsonObject): boolean {
  if (type === "dynamic-tool" || type === "tool-invocation") return true;
  return asText(type).startsWith(TYPE_START) && toolCallId !== undefined;
}

/** The fields of a part, wherever its version keeps them; undefined for a call whose input was still coming in. */
export function readToolPart(part: JsonObject): JsonObject | undefined {
  const fields = part.type === "tool-invocation" ? part.toolInvocation : part;
  if (!isObject(fields)) return undefined;
  return fields.state === "input-streaming" || fields.state === "partial-call" ? undefined : fields;
}

/** `callId`: the id that the call gets, for those of files repeat. */
export function toolBlocks(fields: JsonObject, callId: string): ToolBlocks {
  const { toolName, type, input, args, rawInput } = fields;
  const name = asText(toolName) || asText(type).replace(TYPE_START, "");
  const given = input ?? args ?? rawInput;
  return {
    call: useBlock(callId, name, isObject(given) || given === undefined || given === null ? given : { input: given }),
    result: resultOf(fields, callId),
  };
}

function resultOf(fields: JsonObject, callId: string): JsonObject | undefined {
  const { state, output, result, errorText, approval } = fields;
  if (state === "output-error") return resultBlock(callId, textBlocks(asText(errorText) || "The call failed."), true);
  if (state === "output-denied" || (isObject(approval) && approval.approved === false)) {
    const reason = isObject(approval) ? asText(approval.reason) : "";
    return resultBlock(callId, textBlocks(reason === "" ? DENIED : `${DENIED} ${reason}`), true);
  }
  if (state === "output-available") return resultBlock(callId, outputBlocks(output), false);
  return state === "result" ? resultBlock(callId, outputBlocks(result), false) : undefined;
}

const DENIED = "The user did not allow this call.";

/** Tools of MCP servers give content blocks; of any other value the model is sent its JSON. */
function outputBlocks(output: unknown): readonly JsonObject[] {
  const content = isObject(output) ? output.content : output;
  const isContent = Array.isArray(content) && content.length > 0 && content.every(isContentBlock);
  if (isContent) return textAndImages(content);
  return textBlocks(typeof output === "string" ? output : toJson(output));
}

function isContentBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  if (block.type === "text") return typeof block.text === "string";
  return block.type === "image" && isFilledText(block.data) && isFilledText(block.mimeType);
}
