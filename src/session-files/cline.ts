// Reads a task of Cline or Roo Code into Anthropic messages: the list that the host sends
// (`api_conversation_history.json`). No real file was at hand: the shapes are those of the hosts' public type definitions.
// The file does not name its session: its folder does.
import { markHostWritten } from "../providers/message-marks.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject } from "../text/json-values.ts";
import { SessionDraft, textBlocks } from "./session-messages.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { readSessionValues, type SessionValue } from "./session-values.ts";

// The list that Cline and Roo Code send: Anthropic messages with fields of the host's own. Those fields go, the words
// of the host are marked; what Roo Code hid behind a summary is in the file and stays.

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
function isClineHistory(values: readonly unknown[]): boolean {
  if (values.length === 0 || !values.every(isHistoryMessage)) return false;
  // A time on each message is no mark: people write their own lists so.
  return values.some((message) => message.role === "user" && hasWords(message.content));
}

interface ClineHistory {
  readonly compactions: number;
  readonly unknownBlocks: number;
}

function addClineHistory(draft: SessionDraft, values: readonly SessionValue[]): ClineHistory {
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

// Tells a person's words from the host's in what Cline and Roo Code put into the user's place: surroundings, what
// tools gave back as text, and remarks of the host. Where both stand in one text, it is split or counts as a person's.

const SURROUNDINGS = "<environment_details>";
const SURROUNDINGS_END = "</environment_details>";
/** Around what a person typed: the last that stands in a text. A tool's output may hold the same anywhere before. */
const PERSONS_END = /<\/(task|feedback|answer|user_message)>\s{0,20}$/;
/** A tool called in text answers in text: what was called, then what it gave. */
const RESULT = /^\[[a-z][^\n]{0,2000}\] Result:/;
const REMARK = /^\[(?:ERROR|TASK RESUMPTION|[Ss]liding window truncation)\b/;
const MODEL = /<model>([^<\n]{1,200})<\/model>/;

/** True for a text that only these hosts write: at the end of every turn they tell the surroundings. */
function hasClineWords(text: unknown): boolean {
  const words = asText(text);
  return words.startsWith(SURROUNDINGS) || words.trimEnd().endsWith(SURROUNDINGS_END);
}

/** Marks the blocks of one user message. */
function markHostWords(blocks: readonly JsonObject[]): readonly JsonObject[] {
  let isResult = false;
  return blocks.flatMap(splitSurroundings).map((block) => {
    if (block.type !== "text") return block;
    const text = asText(block.text);
    const head = RESULT.exec(text.slice(0, 3000))?.[0];
    const isHosts = text.startsWith(SURROUNDINGS) || isResult || head !== undefined || REMARK.test(text);
    const isPersons = !isHosts || endsAsPersons(text);
    // The result may stand in the blocks after its heading.
    isResult = head === undefined ? isResult && !isPersons : text.trim() === head;
    return isPersons ? block : markHostWritten(block);
  });
}

function endsAsPersons(text: string): boolean {
  const tag = PERSONS_END.exec(text.slice(-60))?.[1];
  return tag !== undefined && text.includes(`<${tag}>`);
}

/** The model that the surroundings name. */
function modelIn(blocks: readonly JsonObject[]): string | undefined {
  const text = asText(blocks.findLast(({ text }) => asText(text).startsWith(SURROUNDINGS))?.text);
  return MODEL.exec(text)?.[1];
}

function splitSurroundings(block: JsonObject): readonly JsonObject[] {
  const text = block.type === "text" ? asText(block.text) : "";
  const start = text.trimEnd().endsWith(SURROUNDINGS_END) ? text.lastIndexOf(SURROUNDINGS) : -1;
  if (start <= 0) return [block];
  return [...textBlocks(text.slice(0, start).trimEnd()), { type: "text", text: text.slice(start) }];
}

export const clineReader: SessionReader = {
  name: "cline",
  title: "Cline or Roo Code task",
  matches: isClineHistory,
  read: readClineTask,
};

/** Reads the text of the file. Never throws: one without a message gives an empty list. */
export function readClineTask(from: SessionText): SessionRead {
  const { values, faults } = readSessionValues(from);
  const draft = new SessionDraft();
  const { compactions, unknownBlocks } = addClineHistory(draft, values);
  return draft.finish(undefined, faults, { compactions, leftOut: [[unknownBlocks, "block", "of an unknown kind"]] });
}
