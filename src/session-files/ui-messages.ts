// Reads messages of Vercel's `ai` package, as an application saves them, into Anthropic messages: interface messages,
// each of which holds several steps of the model with the results of their calls, or model messages.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import {
  hostTextBlocks,
  resultBlock,
  SessionDraft,
  signedBlock,
  textAndImages,
  textBlocks,
  thinkingBlock,
  urlBlocks,
  useBlock,
} from "./session-messages.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { readSessionValues } from "./session-values.ts";

// Where the interface messages of Vercel's `ai` stand in a file: a list of them, or an object that holds one. Tells
// them from the messages of every provider by their typed `parts`, or the tool calls of earlier versions beside a text.

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "data"]);
/** Names under which applications keep a chat's messages. */
const PLACES = ["messages", "uiMessages", "initialMessages"] as const;
const WRAPPERS = ["chat", "thread", "conversation", "data"] as const;

interface FoundList {
  readonly id: string | undefined;
  readonly messages: readonly unknown[];
  /** They stand inside the one value, and are not the values themselves. */
  readonly isInside: boolean;
}

/** `values`: as `SessionReader.matches` is given them. Undefined when they are none. */
function findUiMessages(values: readonly unknown[]): FoundList | undefined {
  const only = values.length === 1 ? values[0] : undefined;
  const inside = isObject(only) ? findInside(only, WRAPPERS) : undefined;
  const list = inside === undefined ? listFrom(values) : undefined;
  return inside ?? (list === undefined ? undefined : { id: undefined, messages: list, isInside: false });
}

function findInside(value: JsonObject, wrappers: readonly string[]): FoundList | undefined {
  const list = [...PLACES, ...wrappers].map((name) => listFrom(value[name])).find((found) => found !== undefined);
  if (list !== undefined) return { id: idOf(value), messages: list, isInside: true };
  for (const name of wrappers) {
    const inner = value[name];
    const found = isObject(inner) ? findInside(inner, []) : undefined;
    if (found !== undefined) return { ...found, id: found.id ?? idOf(value) };
  }
  return undefined;
}

function idOf(value: JsonObject): string | undefined {
  return [value.id, value.chatId].find(isFilledText);
}

function listFrom(value: unknown): readonly unknown[] | undefined {
  if (isUiList(value)) return value;
  return isModelList(value) ? toInterfaceMessages(value) : undefined;
}

function isUiList(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || !value.every(isMessageLike)) return false;
  return value.some(({ parts, toolInvocations }) => Array.isArray(parts) || Array.isArray(toolInvocations));
}

/** A Gemini request's `parts` have no type. */
function isMessageLike(value: unknown): value is JsonObject {
  if (!isObject(value) || !ROLES.has(value.role)) return false;
  const { parts } = value;
  const isTyped = Array.isArray(parts) && parts.every((part) => isObject(part) && isFilledText(part.type));
  return parts === undefined || isTyped;
}

// The other parts of an interface message as Anthropic blocks. Reasoning stays where Anthropic signed it.

/** The parts of a message; earlier versions kept text, calls and attachments in fields of their own. */
function partsOf(message: JsonObject): readonly JsonObject[] {
  const attached = asArray(message.experimental_attachments).filter(isObject).map(attachmentPart);
  if (Array.isArray(message.parts)) return [...asArray(message.parts).filter(isObject), ...attached];
  const calls = asArray(message.toolInvocations).filter(isObject);
  return [
    ...(isFilledText(message.reasoning) ? [{ type: "reasoning", reasoning: message.reasoning }] : []),
    ...calls.sort((left, right) => stepOf(left) - stepOf(right)).flatMap(invocationParts),
    // What an answer says beside its calls is said after them.
    { type: "text", text: textOf(message.content) },
    ...attached,
  ];
}

function stepOf({ step }: JsonObject): number {
  return typeof step === "number" && Number.isFinite(step) ? step : 0;
}

function invocationParts(call: JsonObject, at: number, all: readonly JsonObject[]): readonly JsonObject[] {
  const before = all[at - 1];
  const isNextStep = before !== undefined && stepOf(before) !== stepOf(call);
  return [...(isNextStep ? [{ type: "step-start" }] : []), { type: "tool-invocation", toolInvocation: call }];
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content.map((part: unknown) => (isObject(part) ? asText(part.text) : "")).join("");
}

function attachmentPart({ url, contentType, name }: JsonObject): JsonObject {
  return { type: "file", url, mediaType: contentType, filename: name };
}

function fileBlocks(part: JsonObject): readonly JsonObject[] {
  const { url, data, filename } = part;
  const mediaType = part.mediaType ?? part.mimeType;
  // Files that a model made carry their bytes without an address in earlier versions.
  const address = url ?? (isFilledText(data) ? `data:${asText(mediaType)};base64,${data}` : undefined);
  const text = textOfFile(asText(address));
  if (text !== undefined) return hostTextBlocks(`[Attached file: ${asText(filename) || "unnamed"}]\n${text}`);
  return urlBlocks(address, { mediaType, name: filename });
}

const TEXT_ADDRESS = /^data:(?:text\/[\w.+-]{1,80}|application\/(?:json|xml|yaml))(?:;charset=[\w-]{1,40})?(;base64)?,/;

/** The text of a file that is one and came with the message. */
function textOfFile(address: string): string | undefined {
  const [head = "", base64] = TEXT_ADDRESS.exec(address) ?? [];
  if (head === "") return undefined;
  const payload = address.slice(head.length);
  try {
    if (base64 === undefined) return decodeURIComponent(payload);
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** The blocks, and how many passages had to be left out. */
function reasoningBlocks(part: JsonObject): { readonly blocks: readonly JsonObject[]; readonly unsigned: number } {
  const details = asArray(part.details).filter(isObject);
  const own = asText(part.text) || asText(part.reasoning);
  const passages =
    details.length === 0
      ? [{ text: own, block: signedBlock(own, part.providerMetadata) }]
      : details.map(({ type, text, signature, data }) => {
          const redactedData = type === "redacted" ? data : undefined;
          return { text: asText(text), block: thinkingBlock(text, { redactedData, signature }) };
        });
  return {
    blocks: passages.map(({ block }) => block).filter((block) => block !== undefined),
    unsigned: passages.filter(({ text, block }) => block === undefined && text.trim() !== "").length,
  };
}

// A tool's part of an interface message, of any version: its call, and what came of it, if anything did.

const TYPE_START = "tool-";

function isToolPart({ type, toolCallId }: JsonObject): boolean {
  if (type === "dynamic-tool" || type === "tool-invocation") return true;
  return asText(type).startsWith(TYPE_START) && toolCallId !== undefined;
}

/** The fields of a part, wherever its version keeps them; undefined for a call whose input was still coming in. */
function readToolPart(part: JsonObject): JsonObject | undefined {
  const fields = part.type === "tool-invocation" ? part.toolInvocation : part;
  if (!isObject(fields)) return undefined;
  return fields.state === "input-streaming" || fields.state === "partial-call" ? undefined : fields;
}

/** `callId`: the id that the call gets, for those of files repeat. No result for a call that waits for one. */
function toolBlocks(fields: JsonObject, callId: string) {
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

export const uiMessagesReader: SessionReader = {
  name: "ui-messages",
  title: "list of interface messages (UIMessage)",
  matches: (values) => findUiMessages(values) !== undefined,
  read: readUiMessages,
};

/** Reads the text of a saved chat. Never throws: a file without a message gives an empty list. */
export function readUiMessages(from: SessionText): SessionRead {
  const { values, faults } = readSessionValues(from);
  const found = findUiMessages(values.map(({ value }) => value));
  const reading: Reading = { draft: new SessionDraft(), system: [], leftOut: 0 };
  for (const [at, message] of (found?.messages ?? []).entries()) {
    if (isObject(message)) readMessage(reading, message, found?.isInside === true ? 0 : (values[at]?.line ?? 0));
  }
  const system = reading.system.join("\n\n");
  const leftOut = [[reading.leftOut, "part", "for the interface only (data, sources)"]] as const;
  return { ...reading.draft.finish(found?.id, faults, { leftOut }), ...(system === "" ? {} : { system }) };
}

interface Reading {
  readonly draft: SessionDraft;
  readonly system: string[];
  /** Parts that are for the eyes of a person. */
  leftOut: number;
}

function readMessage(reading: Reading, message: JsonObject, line: number): void {
  const parts = partsOf(message);
  if (message.role === "assistant") readAnswer(reading, parts, line);
  else if (message.role === "user") reading.draft.addUser(shownBlocks(reading, parts), line);
  else if (message.role === "system") {
    const text = parts.map((part) => (part.type === "text" ? asText(part.text) : "")).join("");
    if (text.trim() !== "") reading.system.push(text);
  }
}

/** Texts and files. */
function shownBlocks(reading: Reading, parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return textBlocks(part.text);
    if (part.type === "file") return fileBlocks(part);
    if (isOnlyShown(part)) reading.leftOut += 1;
    return [];
  });
}

function isOnlyShown({ type }: JsonObject): boolean {
  return type === "source" || /^(?:data|source)-/.test(asText(type));
}

/** What is said after a result was made with it in sight, also where no mark parts the steps. */
function readAnswer(reading: Reading, parts: readonly JsonObject[], line: number): void {
  let said: JsonObject[] = [];
  let results: JsonObject[] = [];
  const endStep = () => {
    reading.draft.addAnswer(said, line);
    for (const result of results) reading.draft.addUser([result], line);
    said = [];
    results = [];
  };
  for (const part of parts) {
    const blocks = answerBlocks(reading, part);
    const tool = isToolPart(part) ? readToolPart(part) : undefined;
    if (part.type === "step-start" || (blocks.length > 0 && results.length > 0)) endStep();
    said.push(...blocks);
    if (tool === undefined) continue;
    const { call, result } = toolBlocks(tool, reading.draft.callId(tool.toolCallId));
    said.push(call);
    if (result !== undefined) results.push(result);
  }
  endStep();
}

function answerBlocks(reading: Reading, part: JsonObject): readonly JsonObject[] {
  if (part.type === "reasoning") {
    const { blocks, unsigned } = reasoningBlocks(part);
    reading.draft.unsigned += unsigned;
    return blocks;
  }
  if (part.type !== "file") return shownBlocks(reading, [part]);
  // An answer of Anthropic's has no place for a picture: it is told of in words.
  return textBlocks(`[A file the model made: ${asText(part.filename) || asText(part.mediaType) || "unnamed"}]`);
}

// What the package sends to a model (ModelMessage, earlier CoreMessage) as interface messages: each call gets the result
// that stands in a message of its own after it.

const MODEL_ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

/** Known by the parts of calls and results: any other list of theirs is another provider's, too. */
function isModelList(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) &&
    value.every(isModelMessage) &&
    value.some((message) => contentOf(message).some(isCallOrResult))
  );
}

function isModelMessage(value: unknown): value is JsonObject {
  if (!isObject(value) || !MODEL_ROLES.has(value.role) || value.parts !== undefined) return false;
  const { content } = value;
  return (
    typeof content === "string" ||
    (Array.isArray(content) && content.every((part) => isObject(part) && isFilledText(part.type)))
  );
}

function isCallOrResult({ type, toolCallId }: JsonObject): boolean {
  return (type === "tool-call" || type === "tool-result") && isFilledText(toolCallId);
}

function contentOf({ content }: JsonObject): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).filter(isObject);
}

/** As many messages as before; those of results have no parts left. Ids may repeat: a result is that of the last call before it. */
function toInterfaceMessages(messages: readonly JsonObject[]): readonly JsonObject[] {
  const waiting = new Map<string, JsonObject>();
  return messages.map((message) => {
    const { role } = message;
    if (role === "tool") {
      for (const part of contentOf(message)) answer(waiting.get(asText(part.toolCallId)), part);
      return { role: "data", parts: [] };
    }
    const parts = contentOf(message).flatMap((part) => toInterfacePart(part, waiting));
    return { role, parts };
  });
}

function toInterfacePart(part: JsonObject, waiting: Map<string, JsonObject>): readonly JsonObject[] {
  switch (part.type) {
    case "tool-call": {
      const { toolCallId, toolName, input, args } = part;
      const call: JsonObject = {
        type: "dynamic-tool",
        toolCallId,
        toolName,
        input: input ?? args,
        state: "input-available",
      };
      waiting.set(asText(toolCallId), call);
      return [call];
    }
    // A tool that the provider runs: its result stands in the answer itself.
    case "tool-result":
      answer(waiting.get(asText(part.toolCallId)), part);
      return [];
    case "image":
      return [filePart(part, part.image, "image/png")];
    case "file":
      return [filePart(part, part.data ?? part.url, "application/octet-stream")];
    case "reasoning":
      return [{ ...part, providerMetadata: part.providerOptions ?? part.providerMetadata }];
    default:
      return [part];
  }
}

function filePart(part: JsonObject, source: unknown, usual: string): JsonObject {
  const mediaType = part.mediaType ?? part.mimeType ?? usual;
  const text = asText(source);
  const url = /^(?:https?|data):/.test(text) ? text : `data:${asText(mediaType)};base64,${text}`;
  return { type: "file", url, mediaType, filename: part.filename };
}

/** Later versions say in `output` what kind of a result it is. */
function answer(call: JsonObject | undefined, part: JsonObject): void {
  if (call === undefined || part.type !== "tool-result") return;
  const { output, result, isError } = part;
  const typed = isObject(output) && isFilledText(output.type) ? output : undefined;
  const value = typed === undefined ? (output ?? result) : (typed.value ?? typed.reason);
  const isFailed = isError === true || asText(typed?.type).startsWith("error-");
  if (typed?.type === "execution-denied") Object.assign(call, { state: "output-denied", approval: { reason: value } });
  else if (isFailed)
    Object.assign(call, {
      state: "output-error",
      errorText: typeof value === "string" ? value : JSON.stringify(value),
    });
  else
    Object.assign(call, {
      state: "output-available",
      output: typed?.type === "content" ? { content: contentBlocks(value) } : value,
    });
}

function contentBlocks(value: unknown): readonly JsonObject[] {
  return asArray(value)
    .filter(isObject)
    .map((part) =>
      part.type === "text" ? part : { type: "image", data: part.data, mimeType: part.mediaType ?? part.mimeType },
    );
}
