// Reads a task of Cline or Roo Code into Anthropic messages: the list that the host sends
// (`api_conversation_history.json`), or what it showed (`ui_messages.json`). No real file was at hand: the shapes are
// those of the hosts' public type definitions. Neither file names its session: its folder does.
import { SessionDraft } from "../parts/session-draft.ts";
import { readSessionValues } from "../parts/session-values.ts";
import { noteCompactions, noteFaults, noteLeftOut, noteUnsigned } from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { addClineHistory, isClineHistory } from "./cline-history.ts";
import { ClineShown, isClineShown } from "./cline-shown.ts";

export const clineReader: SessionReader = {
  name: "cline",
  title: "Cline or Roo Code task",
  matches: isClineTask,
  read: readClineTask,
};

export function isClineTask(values: readonly unknown[]): boolean {
  return isClineShown(values) || isClineHistory(values);
}

/** Reads the text of either file. Never throws: a file without a message gives an empty list. */
export function readClineTask(text: string): SessionRead {
  const { values, faults } = readSessionValues(text);
  const draft = new SessionDraft();
  const found = isClineShown(values.map(({ value }) => value)) ? readShown(draft, values) : readSent(draft, values);
  return draft.finish(undefined, [
    ...noteFaults(faults),
    ...noteCompactions(found.compactions),
    ...noteUnsigned(draft.unsigned),
    ...found.leftOut,
  ]);
}

type Values = ReturnType<typeof readSessionValues>["values"];

function readShown(draft: SessionDraft, values: Values) {
  const shown = new ClineShown(draft);
  shown.addAll(values);
  return { compactions: shown.compactions, leftOut: noteLeftOut(shown.notices, "notice", "to the user") };
}

function readSent(draft: SessionDraft, values: Values) {
  const { compactions, unknownBlocks } = addClineHistory(draft, values);
  return { compactions, leftOut: noteLeftOut(unknownBlocks, "block", "of an unknown kind") };
}
