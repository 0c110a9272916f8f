// Reads a rollout file of the Codex CLI into the items of the Responses endpoint. No real file was at hand: the shapes
// are those of Codex' public type definitions (its rollout lines and response items) and of its first, bare files.

import { readSessionValues } from "../parts/session-values.ts";
import { noteCompactions, noteFaults, noteJoined, noteLeftOut, noteRepeated, noteRewound } from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { isCodexSession, readCodexLines } from "./codex-line.ts";
import { findCodexSessions } from "./codex-sessions.ts";
import { CodexTranscript } from "./codex-transcript.ts";

export const codexReader: SessionReader = {
  name: "codex",
  title: "Codex session",
  matches: isCodexSession,
  read: readCodexSession,
};

/** Reads the text of a rollout file. Never throws: a file without an item gives an empty list. */
export function readCodexSession(text: string): SessionRead {
  const { values, faults } = readSessionValues(text);
  const { sessions, repeatedLines } = findCodexSessions(readCodexLines(values));
  const transcript = new CodexTranscript();
  for (const session of sessions) transcript.addSession(session);
  const { pieces, model, rewoundPrompts, compactions, hostsItems } = transcript;
  const system = sessions.findLast(({ instructions }) => instructions !== undefined)?.instructions;
  return {
    sessionId: sessions.findLast(({ id }) => id !== undefined)?.id,
    format: "openai-responses",
    messages: pieces.map(({ item }) => item),
    notes: [
      ...noteFaults(faults),
      ...noteJoined(sessions.filter(({ lines }) => lines.length > 0).length),
      ...noteRepeated(repeatedLines),
      ...noteRewound(rewoundPrompts),
      ...noteCompactions(compactions),
      ...noteLeftOut(hostsItems, "item", "that only the host reads"),
    ],
    sources: pieces.map(({ line }) => (line > 0 ? [line] : [])),
    ...(model === "" ? {} : { model }),
    ...(system === undefined ? {} : { system }),
  };
}
