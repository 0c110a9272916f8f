// Reads a chat of the Gemini CLI into Anthropic messages: its recordings, one JSON document or JSON Lines, and the
// chats that were saved under a name. Documents and lines were checked against real files, the saved chats follow the
// host's public type definitions.
import { markHostWritten } from "../providers/message-marks.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { type GeminiRecord, isThought, partsOf, readGeminiChats } from "./gemini-chat.ts";
import {
  base64Blocks,
  opensWith,
  plainCallId,
  resultBlock,
  SessionDraft,
  textBlocks,
  urlBlocks,
  useBlock,
} from "./session-messages.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { readSessionValues, type SessionValue } from "./session-values.ts";

// One message of a Gemini CLI chat as what it put before the model: a prompt, or an answer with its calls and what
// they gave back. The host's own notices were only shown.

/** `/quit`, `?`: answered by the host. */
const HOST_COMMAND = /^(?:\?|\/[a-z][a-z-]{0,31})$/;

/** Writes the messages of chats into a draft. */
class GeminiMessages {
  /** Messages that no model saw. */
  unseen = 0;
  readonly #draft: SessionDraft;
  /** Calls without a result beside them: saved chats, and some versions, write it into the user's message after it. */
  readonly #open = new OpenCalls();

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  add({ message, line, isHosts, left }: GeminiRecord): void {
    if (message.type === "gemini" && isHosts) return;
    if (message.type === "gemini") this.addAnswer(message, line);
    else if (message.type === "user" && !isHostCommand(message.content)) {
      // As a rule a result stands beside its call already.
      const [block] = this.addUser(message.content, line, { isHosts });
      if (isHosts && left !== undefined) this.#draft.compactions.push({ block, summary: asText(block?.text), left });
    } else this.unseen += 1;
  }

  /** Gives what was said, without results. */
  addUser(content: unknown, line: number, { isHosts = false, keepsOrphans = false }): readonly JsonObject[] {
    const said: JsonObject[] = [];
    for (const part of partsOf(content)) {
      const { functionResponse } = part;
      if (!isObject(functionResponse)) {
        const blocks = userBlocks(part);
        said.push(...blocks);
        this.#draft.addUser(blocks, line, isHosts);
        continue;
      }
      const { blocks, isError } = responseOf(functionResponse);
      const orphan = keepsOrphans ? plainCallId(functionResponse.id) || "unknown" : undefined;
      const id = this.#open.take(functionResponse) ?? orphan;
      if (id !== undefined) this.#draft.addUser([resultBlock(id, blocks, isError)], line, isHosts);
    }
    return said;
  }

  addAnswer(message: JsonObject, line: number): void {
    const parts = partsOf(message.content);
    const recorded = asArray(message.toolCalls).filter(isObject);
    const known = new Set(recorded.map(({ id }) => id));
    const blocks: JsonObject[] = [];
    const results: JsonObject[] = [];
    const addCall = (call: JsonObject) => {
      const id = this.#draft.callId(call.id);
      const result = resultOf(call, id);
      blocks.push(useBlock(id, call.name, call.args));
      if (result === undefined) this.#open.add(call, id);
      else results.push(result);
    };
    for (const part of parts) {
      const { functionCall: call } = part;
      blocks.push(...plainBlocks(part));
      const isRecorded = isObject(call) && (call.id === undefined ? recorded.length > 0 : known.has(call.id));
      if (isObject(call) && !isRecorded) addCall(call);
    }
    for (const call of recorded) addCall(call);
    this.#draft.unsigned += asArray(message.thoughts).filter(isObject).length + parts.filter(isThought).length;
    this.#draft.addAnswer(blocks, line);
    this.#draft.addUser(results, line);
    if (isFilledText(message.model)) this.#draft.model = message.model;
  }
}

function isHostCommand(content: unknown): boolean {
  const [only, ...others] = partsOf(content);
  return only !== undefined && others.length === 0 && HOST_COMMAND.test(asText(only.text).slice(0, 100).trim());
}

/** Undefined for a call that was not answered. */
function resultOf(call: JsonObject, id: string): JsonObject | undefined {
  const isFailed = call.status === "error" || call.status === "cancelled";
  const parts = partsOf(call.result);
  if (parts.length === 0) {
    // Shown to the user: of what the model was given, all that is left.
    const shown = shownBlocks(call.resultDisplay);
    return shown.length > 0 || isFailed ? resultBlock(id, shown, isFailed) : undefined;
  }
  const responses = parts.map(({ functionResponse }) =>
    isObject(functionResponse) ? responseOf(functionResponse) : undefined,
  );
  const blocks = parts.flatMap((part, at) => responses[at]?.blocks ?? plainBlocks(part));
  return resultBlock(id, blocks, isFailed || responses.some((response) => response?.isError === true));
}

/** A text, or what the host draws: the difference that an edit made, a list of to-dos. */
function shownBlocks(display: unknown): readonly JsonObject[] {
  if (!isObject(display)) return textBlocks(display);
  return textBlocks(asText(display.fileDiff) || toJson(display));
}

export const geminiCliReader: SessionReader = {
  name: "gemini-cli",
  title: "Gemini CLI session",
  matches: isGeminiCliSession,
  read: readGeminiCliSession,
};

/** True for the values of a recorded or a saved chat. */
function isGeminiCliSession(values: readonly unknown[]): boolean {
  return values.some(isRecorded) || isCheckpoint(values);
}

/** Reads the text of a chat. Never throws: a file without a message gives an empty list. */
export function readGeminiCliSession(from: SessionText): SessionRead {
  const { values, faults } = readSessionValues(from);
  const draft = new SessionDraft();
  const written = new GeminiMessages(draft);
  if (isCheckpoint(values.map(({ value }) => value))) {
    addCheckpoint(written, values);
    return draft.finish(undefined, faults);
  }
  const chats = readGeminiChats(values);
  for (const chat of chats) for (const record of chat.records()) written.add(record);
  return draft.finish(chats.findLast(({ id }) => id !== undefined)?.id, faults, {
    sessions: chats.filter((chat) => !chat.isEmpty).length,
    rewound: chats.reduce((sum, { rewoundPrompts }) => sum + rewoundPrompts, 0),
    compactions: chats.reduce((sum, { compactions }) => sum + compactions, 0),
    leftOut: [[written.unseen, "message", "between the host and its user"]],
  });
}

function isRecorded(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { sessionId, projectHash, messages, type, content, id } = value;
  if (isFilledText(sessionId)) return isFilledText(projectHash) || (Array.isArray(messages) && messages.some(isAnswer));
  return value.$rewindTo !== undefined || (type === "gemini" && content !== undefined && isFilledText(id));
}

function isAnswer(message: unknown): boolean {
  return isObject(message) && message.type === "gemini";
}

// The file that the Gemini CLI writes when a chat is saved under a name: what it would send, as roles and parts.

/** True for a list of contents: other lists of roles and parts give each part a type. */
function isCheckpoint(values: readonly unknown[]): boolean {
  const contents = values.length === 1 ? contentsOf(values[0]) : values;
  return contents.every(isContent) && contents.some((content) => asArray(content.parts).length > 0);
}

function addCheckpoint(written: GeminiMessages, values: readonly SessionValue[]): void {
  for (const { value, line } of values) {
    for (const content of contentsOf(value)) {
      if (!isContent(content)) continue;
      if (content.role === "model") written.addAnswer({ content: content.parts }, line);
      else written.addUser(content.parts, line, { keepsOrphans: true });
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

// The parts of a message as Anthropic blocks. A list of parts may also be one part, or a plain text.

/** What the host puts into the user's place at the start, and its own summary. */
const HOST_OPENINGS = ["<session_context>", "<state_snapshot>", "This is the Gemini CLI."] as const;

/** Texts and files; calls and their results are for those who know which belong together. */
function plainBlocks(part: JsonObject): readonly JsonObject[] {
  if (isThought(part)) return [];
  const { inlineData, fileData } = part;
  if (isObject(inlineData)) {
    return base64Blocks(inlineData.data, { mediaType: inlineData.mimeType, name: inlineData.displayName });
  }
  if (isObject(fileData)) {
    return urlBlocks(fileData.fileUri, { mediaType: fileData.mimeType, name: fileData.displayName });
  }
  return [...textBlocks(part.text), ...textBlocks(codeOf(part))];
}

/** The same in a user's message: what no person wrote is marked. */
function userBlocks(part: JsonObject): readonly JsonObject[] {
  return plainBlocks(part).map((block) => (opensWith(block.text, HOST_OPENINGS) ? markHostWritten(block) : block));
}

/** What a tool gave back: `{output}` or `{error}`, else the response's JSON, and the files that came with it. */
function responseOf(functionResponse: JsonObject) {
  const { response, parts } = functionResponse;
  const files = partsOf(parts).flatMap(plainBlocks);
  if (typeof response === "string") return { blocks: [...textBlocks(response), ...files], isError: false };
  if (!isObject(response)) return { blocks: files, isError: false };
  const isError = response.error !== undefined && response.output === undefined;
  const said = isError ? response.error : (response.output ?? response);
  return { blocks: [...textBlocks(typeof said === "string" ? said : toJson(said)), ...files], isError };
}

/** Code that the model ran on the provider's side, and what it printed. */
function codeOf({ executableCode, codeExecutionResult }: JsonObject): string {
  if (isObject(executableCode)) return asText(executableCode.code);
  return isObject(codeExecutionResult) ? asText(codeExecutionResult.output) : "";
}

// Finds the call that a result belongs to, where the two stand apart: by its id or, in older files, by its name only.

interface Queue {
  readonly given: string[];
  next: number;
}

/** Calls that wait for their result, oldest first. */
class OpenCalls {
  readonly #waiting = new Map<string, Queue>();

  /** `given`: the id that the call has in the messages. */
  add(call: JsonObject, given: string): void {
    const key = callKey(call);
    const queue = this.#waiting.get(key);
    if (queue === undefined) this.#waiting.set(key, { given: [given], next: 0 });
    else queue.given.push(given);
  }

  /** The id of the call that this answers; undefined when none of its waits. */
  take(response: JsonObject): string | undefined {
    return this.#first(callKey(response)) ?? this.#first(`name ${asText(response.name)}`);
  }

  #first(key: string): string | undefined {
    const queue = this.#waiting.get(key);
    const given = queue?.given[queue.next];
    if (queue !== undefined && given !== undefined) queue.next += 1;
    return given;
  }
}

function callKey({ id, name }: JsonObject): string {
  return isFilledText(id) ? `id ${id}` : `name ${asText(name)}`;
}
