// Reads an aider chat history (`.aider.chat.history.md`) into Anthropic messages, all its sessions one after another.
// What the host printed stands in the user's place, marked as nobody's words.
import { noteJoined } from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { assembleMessages, type BranchLine } from "../session-messages.ts";
import { type AiderSection, hasSessionHeader, readSections } from "./aider-sections.ts";

export const aiderReader: SessionReader = {
  name: "aider",
  title: "aider chat history",
  matches: () => false,
  matchesText: hasSessionHeader,
  read: readAiderHistory,
};

/** Reads the text of a chat history. Never throws: a file without a message gives an empty list. */
export function readAiderHistory(text: string): SessionRead {
  const { sections, sessions } = readSections(text);
  const { messages, sources } = assembleMessages(sections.map(toLine));
  const model = lastModel(sections);
  return {
    sessionId: undefined,
    messages,
    sources: sources.map((indices) => indices.flatMap((index) => sections[index]?.lines ?? [])),
    notes: noteJoined(sessions),
    ...(model === undefined ? {} : { model }),
  };
}

/** The place among the sections stands for the line: a section has many. */
function toLine({ speaker, text }: AiderSection, index: number): BranchLine {
  return {
    line: index,
    message: {
      role: speaker === "model" ? "assistant" : "user",
      id: `section ${index}`,
      blocks: [{ type: "text", text }],
      isHostWritten: speaker === "host" || (speaker === "user" && isCommand(text)),
      model: "",
    },
  };
}

/** Commands in which a person talks to the model. */
const TALK: ReadonlySet<string> = new Set(["ask", "code", "architect", "context", "help", "ok"]);

/** `/add src/cart.ts`, `!make`: an order to the host, of which no model hears. */
function isCommand(text: string): boolean {
  const [, mark, name = ""] = /^([/!])([a-z][a-z-]{0,40})(?:\s|$)/.exec(text) ?? [];
  return mark === "!" || (mark === "/" && !TALK.has(name));
}

/** Each session begins with the models it uses, the one that answers first. */
function lastModel(sections: readonly AiderSection[]): string | undefined {
  const named = /^(?:Main model|Models?): ([^\s,]{1,200})/m;
  const banner = sections.findLast(({ speaker, text }) => speaker === "host" && named.test(text));
  return named.exec(banner?.text ?? "")?.[1];
}
