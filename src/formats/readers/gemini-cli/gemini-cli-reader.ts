// Reads a chat of the Gemini CLI into Anthropic messages: its recordings, one JSON document or JSON Lines, and the
// chats that were saved under a name. The lines and the saved chats follow the host's public type definitions; the
// document was checked against a real file.
import { isFilledText, isObject } from "../../json-shape.ts";
import { SessionDraft } from "../parts/session-draft.ts";
import { readSessionValues } from "../parts/session-values.ts";
import { noteCompactions, noteFaults, noteJoined, noteLeftOut, noteRewound, noteUnsigned } from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { addCheckpoint, isCheckpoint } from "./gemini-checkpoint.ts";
import { GeminiMessages } from "./gemini-message.ts";
import { readGeminiChats } from "./gemini-record.ts";

export const geminiCliReader: SessionReader = {
  name: "gemini-cli",
  title: "Gemini CLI session",
  matches: isGeminiCliSession,
  read: readGeminiCliSession,
};

/** True for the values of a recorded or a saved chat. */
export function isGeminiCliSession(values: readonly unknown[]): boolean {
  return values.some(isRecorded) || isCheckpoint(values);
}

/** Reads the text of a chat. Never throws: a file without a message gives an empty list. */
export function readGeminiCliSession(text: string): SessionRead {
  const { values, faults } = readSessionValues(text);
  const draft = new SessionDraft();
  if (isCheckpoint(values.map(({ value }) => value))) {
    addCheckpoint(draft, values);
    return draft.finish(undefined, [...noteFaults(faults), ...noteUnsigned(draft.unsigned)]);
  }
  const chats = readGeminiChats(values);
  const written = new GeminiMessages(draft);
  for (const chat of chats) for (const record of chat.records) written.add(record);
  return draft.finish(chats.findLast(({ id }) => id !== undefined)?.id, [
    ...noteFaults(faults),
    ...noteJoined(chats.filter((chat) => chat.records.length > 0).length),
    ...noteRewound(sum(chats.map(({ rewoundPrompts }) => rewoundPrompts))),
    ...noteCompactions(sum(chats.map(({ compactions }) => compactions))),
    ...noteUnsigned(draft.unsigned),
    ...noteLeftOut(written.unseen, "message", "between the host and its user"),
  ]);
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
