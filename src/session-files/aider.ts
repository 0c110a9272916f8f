// Reads an aider chat history (`.aider.chat.history.md`) into Anthropic messages, all its sessions one after another.
// What the host printed stands in the user's place, marked as nobody's words.
import { assembleMessages, type BranchLine } from "./session-messages.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { sessionNotes } from "./session-values.ts";

// Cuts an aider chat history into what was typed, what the host printed and what the model answered. The file is
// plain Markdown in which the model may quote anything; but aider ends each line of its own with two spaces.

type Speaker = "user" | "host" | "model";

interface AiderSection {
  readonly speaker: Speaker;
  /** Without the marks of the file. */
  readonly text: string;
  /** 1-based, of the lines with text. */
  readonly lines: readonly number[];
}

const HEADER = "# aider chat started at ";
const USER = "#### ";
const HOST = "> ";
const COSTS = "> Tokens: ";
const LINE_END = "  ";
const EMPTY_PROMPT = "<blank>";

/** True for a text with a line that begins a session. */
function hasSessionHeader(text: string): boolean {
  let at = text.indexOf(HEADER);
  while (at > 0 && text[at - 1] !== "\n" && !(at === 1 && text.charCodeAt(0) === 0xfeff)) {
    at = text.indexOf(HEADER, at + 1);
  }
  return at >= 0;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function withoutLineEnd(text: string): string {
  return text.endsWith(LINE_END) ? text.slice(0, -LINE_END.length) : text;
}

/** Editors and hooks that cut white space at line ends take the difference away: then the marks alone decide. */
function keepsLineEnds(lines: readonly string[]): boolean {
  const marked = lines.filter((line) => line.startsWith(USER) || line.startsWith(HOST));
  return marked.filter((line) => line.endsWith(LINE_END)).length * 4 > marked.length;
}

class Reading {
  readonly sections: AiderSection[] = [];
  readonly #keepsLineEnds: boolean;
  sessions = 0;
  #speaker: Speaker = "host";
  #texts: string[] = [];
  #lines: number[] = [];
  /** What stands before the first mark is no answer to anything. */
  #isPreamble = true;
  /** Inside a text of several lines that the host printed: only its first line is marked, only its last ended. */
  #isInsideHosts = false;

  constructor(hasLineEnds: boolean) {
    this.#keepsLineEnds = hasLineEnds;
  }

  take(line: string, number: number): void {
    if (line.startsWith(HEADER)) {
      this.#close("host");
      this.sessions += 1;
    } else if (this.#isMarked(line, USER)) this.#addMarked("user", line.slice(USER.length), number);
    else if (this.#isInsideHosts) this.#addInside(line, number);
    else if (this.#isMarked(line, HOST)) this.#addMarked("host", line.slice(HOST.length), number);
    else if (this.#opensHosts(line)) {
      this.#addMarked("host", line.slice(HOST.length), number);
      this.#isInsideHosts = true;
    } else if (line.trim() === "") this.#addBlank(line);
    else this.#addUnmarked(line, number);
  }

  end(): void {
    this.#close("host");
  }

  #isMarked(line: string, mark: string): boolean {
    return line.startsWith(mark) && (!this.#keepsLineEnds || line.endsWith(LINE_END));
  }

  /** In an answer the same is a quotation, but for the costs that come after each. */
  #opensHosts(line: string): boolean {
    return line.startsWith(HOST) && (this.#speaker !== "model" || line.startsWith(COSTS));
  }

  #addMarked(speaker: Speaker, text: string, number: number): void {
    this.#isPreamble = false;
    this.#add(speaker, withoutLineEnd(text), number);
  }

  #addUnmarked(line: string, number: number): void {
    const isPreamble = this.#isPreamble && this.sessions === 0;
    this.#add(isPreamble ? "host" : "model", line, number);
  }

  #addInside(line: string, number: number): void {
    const isLast = line.endsWith(LINE_END) && line.trim() !== "";
    this.#add("host", isLast ? withoutLineEnd(line) : line, number);
    if (isLast) this.#isInsideHosts = false;
  }

  #add(speaker: Speaker, text: string, number: number): void {
    if (speaker !== this.#speaker) this.#close(speaker);
    this.#texts.push(text);
    this.#lines.push(number);
  }

  /** Ends a prompt, whose own empty lines are marked; belongs to a text that goes on after it. */
  #addBlank(line: string): void {
    if (this.#speaker === "user") this.#close("user");
    else if (this.#texts.length > 0) this.#texts.push(line);
  }

  #close(next: Speaker): void {
    const text = this.#texts.join("\n").trimEnd();
    if (text.trim() !== "" && text !== EMPTY_PROMPT) {
      this.sections.push({ speaker: this.#speaker, text, lines: this.#lines });
    }
    this.#speaker = next;
    this.#texts = [];
    this.#lines = [];
    this.#isInsideHosts = false;
  }
}

export const aiderReader: SessionReader = {
  name: "aider",
  title: "aider chat history",
  matches: () => false,
  matchesText: hasSessionHeader,
  read: readAiderHistory,
};

/** Reads the text of a chat history. Never throws: a file without a message gives an empty list. */
export function readAiderHistory(from: SessionText): SessionRead {
  const text = typeof from === "string" ? from : "";
  const lines = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).split("\n").map(withoutReturn);
  const reading = new Reading(keepsLineEnds(lines));
  for (const [index, line] of lines.entries()) reading.take(line, index + 1);
  reading.end();
  const { sections, sessions } = reading;
  const { messages, sources } = assembleMessages(sections.map(toLine));
  const model = lastModel(sections);
  return {
    sessionId: undefined,
    messages,
    sources: sources.map((indices) => indices.flatMap((index) => sections[index]?.lines ?? [])),
    notes: sessionNotes([], { sessions }),
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
