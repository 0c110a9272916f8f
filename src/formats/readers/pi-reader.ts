// Reads a session file of the pi coding agent into the Anthropic messages of its live branch. The host's own
// compactions are undone: the whole transcript before them is in the file. What was left out is said in notes.

import { readLineValues, withoutDocument } from "./parts/session-values.ts";
import { findPiBranch } from "./pi-branch.ts";
import { isPiAnswer, isPiHeader, readPiSessions } from "./pi-entry.ts";
import {
  noteCompactions,
  noteFaults,
  noteGaps,
  noteJoined,
  noteRepeated,
  noteRewound,
  noteUnsigned,
} from "./read-notes.ts";
import type { SessionRead, SessionReader } from "./reader.ts";
import { assembleMessages } from "./session-messages.ts";

export const piReader: SessionReader = {
  name: "pi",
  title: "pi session",
  matches: (values) => isPiHeader(values[0]) || values.some(isPiAnswer),
  read: readPiSession,
};

/** Reads the text of a session file. Never throws: a file without a message gives an empty list. */
export function readPiSession(text: string): SessionRead {
  const { values, faults } = readLineValues(text);
  const sessions = readPiSessions(values);
  const branch = findPiBranch(sessions);
  const { messages, sources } = assembleMessages(branch.entries);
  const model = branch.entries.findLast(({ message }) => message !== undefined && message.model !== "")?.message?.model;
  const unsigned = branch.entries.reduce((sum, entry) => sum + entry.unsigned, 0);
  return {
    sessionId: sessions.findLast(({ id }) => id !== undefined)?.id,
    messages,
    notes: [
      ...noteFaults(faults),
      ...noteJoined(branch.sessions),
      ...noteRepeated(branch.repeatedEntries),
      ...noteRewound(branch.rewoundPrompts),
      ...noteGaps(branch.gaps),
      ...noteCompactions(branch.compactions),
      ...noteUnsigned(unsigned),
    ],
    sources: withoutDocument(sources),
    ...(model ? { model } : {}),
  };
}
