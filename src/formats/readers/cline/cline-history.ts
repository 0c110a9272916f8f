// The list that Cline and Roo Code send: Anthropic messages with fields of the host's own. Those fields go, the words
// of the host are marked; what Roo Code hid behind a summary is in the file and stays.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";
import { textBlocks } from "../parts/anthropic-blocks.ts";
import type { SessionDraft } from "../parts/session-draft.ts";
import type { SessionValue } from "../parts/session-values.ts";
import { hasClineWords, markHostWords, modelIn } from "./cline-words.ts";

/** Of each kind of block, the fields that the provider knows. */
const BLOCK_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ["image", ["type", "source"]],
  ["document", ["type", "source", "title", "context"]],
  ["tool_use", ["type", "id", "name", "input"]],
  ["tool_result", ["type", "tool_use_id", "content", "is_error"]],
  ["redacted_thinking", ["type", "data"]],
  ["thinking", ["type", "thinking", "signature"]],
]);
/** Reasoning of other providers. */
const FOREIGN_REASONING: ReadonlySet<unknown> = new Set(["reasoning", "thoughtSignature"]);

/** True for a list of messages that bears the marks of these hosts; a plain one is the provider's own. */
export function isClineHistory(values: readonly unknown[]): boolean {
  if (values.length === 0 || !values.every(isHistoryMessage)) return false;
  // A time on each message is no mark: people write their own lists so.
  return values.some((message) => message.role === "user" && hasWords(message.content));
}

export interface ClineHistory {
  readonly compactions: number;
  readonly unknownBlocks: number;
}

export function addClineHistory(draft: SessionDraft, values: readonly SessionValue[]): ClineHistory {
  let compactions = 0;
  let unknownBlocks = 0;
  for (const { value, line } of values) {
    if (!isHistoryMessage(value)) continue;
    const isHosts = value.isSummary === true || value.isTruncationMarker === true;
    if (isHosts) compactions += 1;
    const { blocks, unsigned, unknown } = readBlocks(value);
    draft.unsigned += unsigned;
    unknownBlocks += unknown;
    if (value.role === "assistant") draft.addAnswer(blocks, line);
    else draft.addUser(markHostWords(blocks), line, isHosts);
    draft.model = modelOf(value, blocks) ?? draft.model;
  }
  return { compactions, unknownBlocks };
}

function isHistoryMessage(value: unknown): value is JsonObject {
  if (!isObject(value) || (value.role !== "user" && value.role !== "assistant")) return false;
  const isContent = typeof value.content === "string" || Array.isArray(value.content);
  return value.parts === undefined && (isContent || value.type === "reasoning");
}

function hasWords(content: unknown): boolean {
  if (typeof content === "string") return hasClineWords(content);
  return asArray(content).some((block) => isObject(block) && block.type === "text" && hasClineWords(block.text));
}

interface Blocks {
  readonly blocks: readonly JsonObject[];
  readonly unsigned: number;
  readonly unknown: number;
}

function readBlocks({ content, type }: JsonObject): Blocks {
  if (type === "reasoning") return { blocks: [], unsigned: 1, unknown: 0 };
  if (typeof content === "string") return { blocks: textBlocks(content), unsigned: 0, unknown: 0 };
  const given = asArray(content).filter(isObject);
  const unsigned = given.filter(isUnsigned).length;
  const rest = given.filter((block) => !isUnsigned(block));
  const known = rest.filter((block) => block.type === "text" || BLOCK_FIELDS.has(block.type));
  return { blocks: known.flatMap(plainBlock), unsigned, unknown: rest.length - known.length };
}

function isUnsigned(block: JsonObject): boolean {
  return FOREIGN_REASONING.has(block.type) || (block.type === "thinking" && !isFilledText(block.signature));
}

function plainBlock(block: JsonObject): readonly JsonObject[] {
  if (block.type === "text") return textBlocks(block.text);
  const plain = pick(block, BLOCK_FIELDS.get(block.type) ?? []);
  if (block.type !== "tool_result" || !Array.isArray(block.content)) return [plain];
  const content = block.content.filter(isObject);
  return [{ ...plain, content: content.flatMap((inner) => (inner.type === "tool_result" ? [] : plainBlock(inner))) }];
}

function pick(block: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.flatMap((field) => (block[field] === undefined ? [] : [[field, block[field]]])));
}

function modelOf({ role, modelInfo }: JsonObject, blocks: readonly JsonObject[]): string | undefined {
  if (role === "user") return modelIn(markHostWords(blocks));
  return isObject(modelInfo) ? asText(modelInfo.modelId) || undefined : undefined;
}
