// Reads a session that opencode exported into Anthropic messages. The whole transcript is in the file, before the
// host's compactions too. No real file was at hand: the shapes are those of the host's public type definitions.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";
import { SessionDraft } from "../parts/session-draft.ts";
import type { SessionValue } from "../parts/session-values.ts";
import { readSessionValues } from "../parts/session-values.ts";
import {
  noteCompactions,
  noteFaults,
  noteJoined,
  noteLeftOut,
  noteRepeated,
  noteRewound,
  noteUnsigned,
} from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { type OpencodeMessage, OpencodeMessages, toOpencodeMessage } from "./opencode-message.ts";

export const opencodeReader: SessionReader = {
  name: "opencode",
  title: "opencode session",
  matches: isOpencodeSession,
  read: readOpencodeSession,
};

/** True for an export, or for a list of messages as the host's server gives it. */
export function isOpencodeSession(values: readonly unknown[]): boolean {
  return values.length > 0 && (values.every(isExport) || values.every(isMessage));
}

/** Reads the text of an export. Never throws: a file without a message gives an empty list. */
export function readOpencodeSession(text: string): SessionRead {
  const { values, faults } = readSessionValues(text);
  const sessions = findSessions(values);
  const draft = new SessionDraft();
  const written = new OpencodeMessages(draft);
  const rewound = sessions.reduce((sum, session) => sum + addSession(written, session), 0);
  const id = sessions.findLast((session) => session.id !== undefined)?.id;
  const read = draft.finish(id, [
    ...noteFaults(faults),
    ...noteJoined(sessions.filter(({ messages }) => messages.length > 0).length),
    ...noteRepeated(written.repeatedMessages),
    ...noteRewound(rewound),
    ...noteCompactions(written.compactions),
    ...noteUnsigned(draft.unsigned),
    ...noteLeftOut(written.failedAnswers, "answer", "that failed"),
    ...noteLeftOut(written.unknownParts, "part", "of an unknown kind"),
  ]);
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

/** Gives the number of prompts that were taken back. */
function addSession(written: OpencodeMessages, { messages, revert }: Session): number {
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
