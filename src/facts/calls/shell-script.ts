// Splits a shell script into its simple commands: words without quotes, redirections, here-documents. One pass, no
// expansion. What a word holds of `$` or globs stays in it, for the reader to refuse.

export interface SimpleCommand {
  readonly words: readonly string[];
  /** Files that output is redirected into. */
  readonly targets: readonly string[];
  /** Text of here-documents. */
  readonly document: string;
  /** What stands before it: `|` for a command that reads the one before. */
  readonly joint: string;
}

interface OpenCommand {
  words: string[];
  targets: string[];
  document: string;
  joint: string;
  /** Ends of here-documents whose text begins after this line. */
  awaited: string[];
}

/** Longer scripts are read up to here. */
const LONGEST_SCRIPT = 400_000;

export function splitScript(text: string): readonly SimpleCommand[] {
  return new ScriptSplitter(text.slice(0, LONGEST_SCRIPT)).split();
}

class ScriptSplitter {
  readonly #text: string;
  readonly #commands: OpenCommand[] = [];
  #at = 0;
  #word: string | undefined;
  /** What the next word is: an argument, the target of a redirection, a source of input, the end of a here-document. */
  #role: "argument" | "target" | "input" | "document" = "argument";
  #open: OpenCommand = newCommand("");

  constructor(text: string) {
    this.#text = text;
  }

  split(): readonly SimpleCommand[] {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    this.#endCommand("");
    return this.#commands.filter(({ words, targets }) => words.length > 0 || targets.length > 0);
  }

  #step(character: string): void {
    if (character === "\\") this.#escaped();
    else if (character === "'" || character === '"') this.#quoted(character);
    else if (character === "\n") this.#endLine();
    else if (character === " " || character === "\t" || character === "\r") this.#endWord(1);
    else if (character === ">" || character === "<") this.#redirect(character);
    else if (character === "#" && this.#word === undefined) this.#at = this.#lineEnd();
    else if (";&|()".includes(character)) this.#separate(character);
    else this.#append(character, 1);
  }

  #append(text: string, units: number): void {
    this.#word = (this.#word ?? "") + text;
    this.#at += units;
  }

  #escaped(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "\n") this.#endWord(2);
    else this.#append(next, 2);
  }

  #quoted(quote: string): void {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text.charAt(end) !== quote)
      end += quote === '"' && this.#text.charAt(end) === "\\" ? 2 : 1;
    this.#append(this.#text.slice(this.#at + 1, end), end + 1 - this.#at);
  }

  #redirect(character: string): void {
    // `2>` and `&>`: the number belongs to the redirection.
    if (this.#word !== undefined && /^\d$/.test(this.#word)) this.#word = undefined;
    this.#endWord(0);
    const run = /^(?:<<<|<<-?|<|>>|>\||>&|>)/.exec(this.#text.slice(this.#at, this.#at + 3))?.[0] ?? character;
    this.#at += run.length;
    if (run === "<<" || run === "<<-") this.#role = "document";
    else this.#role = run.startsWith(">") && run !== ">&" ? "target" : "input";
  }

  #separate(character: string): void {
    if (character === "&" && this.#text.charAt(this.#at + 1) === ">") {
      this.#endWord(1);
      return;
    }
    const joint = this.#text.charAt(this.#at + 1) === character ? character + character : character;
    this.#at += joint.length;
    this.#endCommand(joint);
  }

  #endWord(units: number): void {
    const word = this.#word;
    this.#word = undefined;
    this.#at += units;
    if (word === undefined) return;
    if (this.#role === "target") this.#open.targets.push(word);
    else if (this.#role === "document") this.#open.awaited.push(word);
    else if (this.#role === "argument") this.#open.words.push(word);
    this.#role = "argument";
  }

  #endCommand(joint: string): void {
    this.#endWord(0);
    this.#role = "argument";
    this.#commands.push(this.#open);
    this.#open = newCommand(joint);
  }

  /** Here-documents of the line that ends belong to commands of this line. */
  #endLine(): void {
    this.#endCommand("\n");
    this.#at += 1;
    for (let at = this.#commands.length - 1; at >= 0; at -= 1) {
      const command = this.#commands[at];
      if (command === undefined || (command.awaited.length === 0 && command.joint === "\n")) break;
      for (const end of command.awaited.splice(0)) command.document += this.#documentUntil(end);
      if (command.joint === "\n") break;
    }
  }

  #documentUntil(end: string): string {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const lineStart = this.#at;
      const lineEnd = this.#lineEnd();
      this.#at = lineEnd + 1;
      if (this.#text.slice(lineStart, lineEnd).trim() === end) return this.#text.slice(start, lineStart);
    }
    return this.#text.slice(start);
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end === -1 ? this.#text.length : end;
  }
}

function newCommand(joint: string): OpenCommand {
  return { words: [], targets: [], document: "", joint, awaited: [] };
}
