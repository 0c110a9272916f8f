// Cuts an aider chat history into what was typed, what the host printed and what the model answered. The file is
// plain Markdown in which the model may quote anything; but aider ends each line of its own with two spaces.

export type Speaker = "user" | "host" | "model";

export interface AiderSection {
  readonly speaker: Speaker;
  /** Without the marks of the file. */
  readonly text: string;
  /** 1-based, of the lines with text. */
  readonly lines: readonly number[];
}

export interface AiderSections {
  readonly sections: readonly AiderSection[];
  readonly sessions: number;
}

const HEADER = "# aider chat started at ";
const USER = "#### ";
const HOST = "> ";
const COSTS = "> Tokens: ";
const LINE_END = "  ";
const EMPTY_PROMPT = "<blank>";

/** True for a text with a line that begins a session. */
export function hasSessionHeader(text: string): boolean {
  let at = text.indexOf(HEADER);
  while (at > 0 && text[at - 1] !== "\n" && !(at === 1 && text.charCodeAt(0) === 0xfeff)) {
    at = text.indexOf(HEADER, at + 1);
  }
  return at >= 0;
}

export function readSections(text: string): AiderSections {
  const lines = (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text).split("\n").map(withoutReturn);
  const reading = new Reading(keepsLineEnds(lines));
  for (const [index, line] of lines.entries()) reading.take(line, index + 1);
  return reading.end();
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
  readonly #sections: AiderSection[] = [];
  readonly #keepsLineEnds: boolean;
  #sessions = 0;
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
      this.#sessions += 1;
    } else if (this.#isMarked(line, USER)) this.#addMarked("user", line.slice(USER.length), number);
    else if (this.#isInsideHosts) this.#addInside(line, number);
    else if (this.#isMarked(line, HOST)) this.#addMarked("host", line.slice(HOST.length), number);
    else if (this.#opensHosts(line)) {
      this.#addMarked("host", line.slice(HOST.length), number);
      this.#isInsideHosts = true;
    } else if (line.trim() === "") this.#addBlank(line);
    else this.#addUnmarked(line, number);
  }

  end(): AiderSections {
    this.#close("host");
    return { sections: this.#sections, sessions: this.#sessions };
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
    const isPreamble = this.#isPreamble && this.#sessions === 0;
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
      this.#sections.push({ speaker: this.#speaker, text, lines: this.#lines });
    }
    this.#speaker = next;
    this.#texts = [];
    this.#lines = [];
    this.#isInsideHosts = false;
  }
}
