// Reads a session that opencode exported into Anthropic messages. The whole transcript is in the file, before the
// host's compactions too. No real file was at hand: the shapes are those of the host's public type definitions.
import { isFramed } from "../providers/place.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import {
  hostTextBlocks,
  resultBlock,
  SessionDraft,
  signedBlock,
  textBlocks,
  urlBlocks,
  useBlock,
} from "./session-messages.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { readSessionValues, type SessionValue } from "./session-values.ts";

// The messages of one opencode session as what the model was shown: each step of an answer is a message of its own,
// with the results of its calls after it.

/** Parts of an answer beside text, reasoning and calls: known, and nothing to the model. */
const SILENT: ReadonlySet<unknown> = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "retry",
  "agent",
  "file",
]);

interface OpencodeMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
  /** 1-based; 0 in a file that is one JSON document. */
  readonly line: number;
}

function toOpencodeMessage(value: unknown, line: number): OpencodeMessage | undefined {
  if (!isObject(value) || !isObject(value.info)) return undefined;
  return { info: value.info, parts: asArray(value.parts).filter(isObject), line };
}

/** Writes messages into a draft and counts what it could not say. */
class OpencodeMessages {
  compactions = 0;
  /** Answers that ended in an error before they had done anything. */
  failedAnswers = 0;
  unknownParts = 0;
  repeatedMessages = 0;
  system: string | undefined;
  readonly #draft: SessionDraft;
  /** By id. */
  readonly #known = new Map<string, OpencodeMessage>();
  /** By id, the first block of a message. */
  readonly #firstBlocks = new Map<string, JsonObject>();
  /** The id of the first message that stays, of the compaction that was asked for last. */
  #tailStart = "";

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  add(message: OpencodeMessage): void {
    const { info } = message;
    if (this.#isRepeated(message)) {
      this.repeatedMessages += 1;
      return;
    }
    this.system = systemOf(info) ?? this.system;
    if (info.role === "user") this.#addPrompt(message);
    else if (info.role === "assistant") this.#addAnswer(message);
  }

  #addPrompt({ info, parts, line }: OpencodeMessage): void {
    const blocks = parts.flatMap(userBlocks);
    if (blocks[0] !== undefined) this.#firstBlocks.set(asText(info.id), blocks[0]);
    const asked = parts.find(({ type }) => type === "compaction");
    if (asked !== undefined) this.#tailStart = asText(asked.tail_start_id);
    this.#draft.addUser(blocks, line);
  }

  #isRepeated(message: OpencodeMessage): boolean {
    const { id } = message.info;
    if (!isFilledText(id)) return false;
    const known = this.#known.get(id);
    this.#known.set(id, message);
    return known !== undefined && jsonOf(known) === jsonOf(message);
  }

  #addAnswer({ info, parts, line }: OpencodeMessage): void {
    const isFailed = isObject(info.error) && info.error.name !== "MessageAbortedError";
    if (isFailed && !parts.some(({ type }) => type === "tool")) {
      this.failedAnswers += 1;
      return;
    }
    if (isFilledText(info.modelID)) this.#draft.model = info.modelID;
    const blocks = splitSteps(parts).flatMap((step) => this.#addStep(step, line));
    if (blocks[0] !== undefined) this.#firstBlocks.set(asText(info.id), blocks[0]);
    if (info.summary === true) this.#addCompaction(blocks.find(({ type }) => type === "text"));
  }

  #addCompaction(block: JsonObject | undefined): void {
    this.compactions += 1;
    const stays = this.#tailStart === "" ? undefined : this.#firstBlocks.get(this.#tailStart);
    if (block !== undefined) this.#draft.compactions.push({ block, stays, summary: asText(block.text) });
  }

  #addStep(parts: readonly JsonObject[], line: number): readonly JsonObject[] {
    const blocks: JsonObject[] = [];
    const results: JsonObject[] = [];
    for (const part of parts) {
      if (part.type === "text") blocks.push(...textBlocks(part.text));
      else if (part.type === "reasoning") this.#addReasoning(part, blocks);
      else if (part.type === "tool") {
        const { use, result } = toolBlocks(part, this.#draft.callId(part.callID));
        blocks.push(use);
        if (result !== undefined) results.push(result);
      } else if (!SILENT.has(part.type)) this.unknownParts += 1;
    }
    this.#draft.addAnswer(blocks, line);
    this.#draft.addUser(results, line);
    return blocks;
  }

  #addReasoning(part: JsonObject, blocks: JsonObject[]): void {
    const block = signedBlock(part.text, part.metadata);
    if (block !== undefined) blocks.push(block);
    else if (isFilledText(part.text)) this.#draft.unsigned += 1;
  }
}

function jsonOf({ info, parts }: OpencodeMessage): string {
  return toJson([info, parts]);
}

function splitSteps(parts: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const steps: JsonObject[][] = [[]];
  for (const part of parts) {
    if (part.type === "step-start") steps.push([]);
    steps.at(-1)?.push(part);
  }
  return steps;
}

/** Earlier versions kept it with the answer, later ones with the prompt, where it was given. */
function systemOf({ system }: JsonObject): string | undefined {
  if (isFilledText(system)) return system;
  const texts = asArray(system).filter(isFilledText);
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

export const opencodeReader: SessionReader = {
  name: "opencode",
  title: "opencode session",
  matches: isOpencodeSession,
  read: readOpencodeSession,
};

/** True for an export, or for a list of messages as the host's server gives it. */
function isOpencodeSession(values: readonly unknown[]): boolean {
  return values.length > 0 && (values.every(isExport) || values.every(isMessage));
}

/** Reads the text of an export. Never throws: a file without a message gives an empty list. */
export function readOpencodeSession(from: SessionText): SessionRead {
  const { values, faults } = readSessionValues(from);
  const sessions = findSessions(values);
  const draft = new SessionDraft();
  const written = new OpencodeMessages(draft);
  const rewound = sessions.reduce((sum, session) => sum + addSession(written, session), 0);
  const id = sessions.findLast((session) => session.id !== undefined)?.id;
  const read = draft.finish(id, faults, {
    sessions: sessions.filter(({ messages }) => messages.length > 0).length,
    repeated: written.repeatedMessages,
    rewound,
    compactions: written.compactions,
    leftOut: [
      [written.failedAnswers, "answer", "that failed"],
      [written.unknownParts, "part", "of an unknown kind"],
    ],
  });
  return written.system === undefined ? read : { ...read, system: written.system };
}

interface Session {
  readonly id: string | undefined;
  /** From where on the user went back. */
  readonly revert: unknown;
  readonly messages: OpencodeMessage[];
}

/** One, unless files were joined. */
function findSessions(values: readonly SessionValue[]): readonly Session[] {
  const sessions: Session[] = [];
  for (const { value, line } of values) {
    if (!isObject(value) || !isObject(value.info)) continue;
    if (Array.isArray(value.messages)) {
      const messages = value.messages.flatMap((message: unknown) => toOpencodeMessage(message, line) ?? []);
      sessions.push({ id: idOf(value.info.id), revert: value.info.revert, messages });
      continue;
    }
    const message = toOpencodeMessage(value, line);
    const id = idOf(value.info.sessionID);
    if (message === undefined) continue;
    const last = sessions.at(-1);
    if (last !== undefined && (id === undefined || id === last.id)) last.messages.push(message);
    else sessions.push({ id, revert: undefined, messages: [message] });
  }
  return sessions;
}

/** A summary that we wrote: what it stands for is not in the file, so it is read where the host puts it. */
function inOrderOfModel(messages: readonly OpencodeMessage[]): readonly OpencodeMessage[] {
  const at = messages.findLastIndex(({ info, parts }) => info.summary === true && isFramed(textOf(parts)));
  const [asked, summary] = [messages[at - 1], messages[at]];
  const start = asked?.parts.find(({ type }) => type === "compaction")?.tail_start_id;
  const first = messages.findIndex(({ info }) => info.id === start);
  if (asked === undefined || summary === undefined || first < 0) return messages;
  const text = { type: "text", text: textOf(summary.parts), synthetic: true };
  const others = messages.filter((message) => message !== asked && message !== summary);
  return others.toSpliced(first, 0, { ...summary, info: { role: "user" }, parts: [text] });
}

function textOf(parts: readonly JsonObject[]): string {
  return parts.map(({ text }) => asText(text)).join("");
}

/** Gives the number of prompts that were taken back. */
function addSession(written: OpencodeMessages, session: Session): number {
  const { revert } = session;
  const messages = inOrderOfModel(session.messages);
  const { messageID, partID } = isObject(revert) ? revert : ({} as JsonObject);
  const at = isFilledText(messageID) ? messages.findIndex(({ info }) => info.id === messageID) : -1;
  const end = at < 0 ? messages.length : at;
  for (const message of messages.slice(0, end)) written.add(message);
  const first = messages[end];
  const kept = first?.parts.findIndex(({ id }) => isFilledText(partID) && id === partID) ?? -1;
  if (first !== undefined && kept > 0) written.add({ ...first, parts: first.parts.slice(0, kept) });
  return messages.slice(end + (kept > 0 ? 1 : 0)).filter(({ info }) => info.role === "user").length;
}

function idOf(id: unknown): string | undefined {
  return asText(id) || undefined;
}

function isExport(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.info) || !isFilledText(value.info.id)) return false;
  return Array.isArray(value.messages) && asArray(value.messages).every(isMessage);
}

function isMessage(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.info) || !Array.isArray(value.parts)) return false;
  return value.info.role === "user" || value.info.role === "assistant";
}

// The parts of an opencode message as Anthropic blocks. Snapshots, patches and the borders of steps are the host's own
// and say nothing to the model.

const TEXT_FILES: ReadonlySet<unknown> = new Set(["text/plain", "application/x-directory"]);

function userBlocks(part: JsonObject): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      // What the host wrote beside the prompt, as what it read from files that were named in it.
      if (part.ignored === true) return [];
      return part.synthetic === true ? hostTextBlocks(part.text) : textBlocks(part.text);
    case "file":
      // The host put the text of such a file into a text part of its own.
      return TEXT_FILES.has(part.mime) ? [] : fileBlocks(part);
    case "compaction":
      return hostTextBlocks("[The host asked for a summary of the conversation so far]");
    case "subtask":
      return hostTextBlocks(`[A subagent was run: ${asText(part.description)}]\n${asText(part.prompt)}`);
    default:
      return [];
  }
}

interface ToolBlocks {
  readonly use: JsonObject;
  /** Absent for a call that was not answered. */
  readonly result?: JsonObject;
}

function toolBlocks({ tool, state }: JsonObject, id: string): ToolBlocks {
  const { status, input, output, error, attachments, metadata } = isObject(state) ? state : ({} as JsonObject);
  const use = useBlock(id, tool, input);
  const files = asArray(attachments).filter(isObject).flatMap(fileBlocks);
  if (status === "completed") return { use, result: resultBlock(id, [...textBlocks(output), ...files], false) };
  if (status !== "error") return { use };
  // Of a call that was interrupted, what it had given until then.
  const isCut = isObject(metadata) && metadata.interrupted === true && isFilledText(metadata.output);
  return {
    use,
    result: isCut ? resultBlock(id, textBlocks(metadata.output), false) : resultBlock(id, textBlocks(error), true),
  };
}

function fileBlocks({ url, mime, filename }: JsonObject): readonly JsonObject[] {
  return urlBlocks(url, { mediaType: mime, name: filename });
}
