// The tokens of a script in JavaScript, in one pass, with the partner of each bracket: enough to read literals and to
// step over whatever else there is. Never evaluates anything; a text that is no script gives tokens of no use.

export interface Token {
  readonly kind: "word" | "string" | "number" | "mark" | "template";
  /** A string's value, else as it is written. */
  readonly text: string;
  /** Of a piece of a template, as it is written. */
  readonly raw?: string;
  readonly start: number;
  readonly end: number;
  /** Of a bracket, and of the backquotes around a template, the position of the other one. */
  pair?: number;
}

/** Longer scripts are read up to here. */
const LONGEST_SCRIPT = 200_000;
const OPENING = new Set(["(", "[", "{", "${", "`"]);
const CLOSING = new Set([")", "]", "}"]);
const WORD = /[\p{L}\p{N}_$]+/uy;
const LONG_MARK = /=>|\?\.|\.\.\.|[=!]==?|\+=/y;
/** Behind these a slash begins an expression. */
const BEFORE_EXPRESSION = /^(?:[([{,;:?=!&|+\-*%<>~^}]|=>|\$\{|return|typeof|case|await|of|in)$/;

export function readTokens(source: string): readonly Token[] {
  return new Tokenizer(source.slice(0, LONGEST_SCRIPT)).read();
}

class Tokenizer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  /** Positions of brackets that are open. */
  readonly #open: number[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): readonly Token[] {
    while (this.#at < this.#source.length) this.#step(this.#source.charAt(this.#at));
    return this.#tokens;
  }

  #step(character: string): void {
    if (character === " " || character === "\n" || character === "\t" || character === "\r") this.#at += 1;
    else if (character === '"' || character === "'") this.#string(character);
    else if (character === "`") this.#openTemplate();
    else if (character === "/") this.#slash();
    else if (!this.#word()) this.#mark();
  }

  #push(token: Omit<Token, "start" | "end">, end: number): void {
    this.#tokens.push({ ...token, start: this.#at, end });
    this.#at = end;
  }

  #string(quote: string): void {
    let end = this.#at + 1;
    while (end < this.#source.length && this.#source.charAt(end) !== quote && this.#source.charAt(end) !== "\n")
      end += this.#source.charAt(end) === "\\" ? 2 : 1;
    this.#push({ kind: "string", text: cooked(this.#source.slice(this.#at + 1, end)) }, end + 1);
  }

  #word(): boolean {
    WORD.lastIndex = this.#at;
    const text = WORD.exec(this.#source)?.[0];
    if (text === undefined) return false;
    this.#push({ kind: /^\d/.test(text) ? "number" : "word", text }, this.#at + text.length);
    return true;
  }

  #mark(): void {
    LONG_MARK.lastIndex = this.#at;
    const text = LONG_MARK.exec(this.#source)?.[0] ?? this.#source.charAt(this.#at);
    if (OPENING.has(text)) this.#open.push(this.#tokens.length);
    const closed = CLOSING.has(text) ? this.#open.pop() : undefined;
    const opening = closed === undefined ? undefined : this.#tokens[closed];
    if (opening !== undefined) opening.pair = this.#tokens.length;
    this.#push({ kind: "mark", text, ...(closed === undefined ? {} : { pair: closed }) }, this.#at + text.length);
    if (opening?.text === "${") this.#templatePiece();
  }

  #openTemplate(): void {
    this.#open.push(this.#tokens.length);
    this.#push({ kind: "mark", text: "`" }, this.#at + 1);
    this.#templatePiece();
  }

  /** Up to the next hole, or to the end. */
  #templatePiece(): void {
    let end = this.#at;
    while (end < this.#source.length && this.#source.charAt(end) !== "`" && !this.#source.startsWith("${", end))
      end += this.#source.charAt(end) === "\\" ? 2 : 1;
    const raw = this.#source.slice(this.#at, end);
    this.#push({ kind: "template", text: cooked(raw), raw }, end);
    if (this.#source.startsWith("${", end)) {
      this.#open.push(this.#tokens.length);
      this.#push({ kind: "mark", text: "${" }, end + 2);
      return;
    }
    const opened = this.#open.pop();
    const opening = opened === undefined ? undefined : this.#tokens[opened];
    if (opening !== undefined) opening.pair = this.#tokens.length;
    this.#push({ kind: "mark", text: "`", ...(opened === undefined ? {} : { pair: opened }) }, end + 1);
  }

  /** A comment, an expression that matches texts, or a division. */
  #slash(): void {
    const rest = this.#source.startsWith("//", this.#at) ? "\n" : this.#source.startsWith("/*", this.#at) ? "*/" : "";
    if (rest !== "") {
      const end = this.#source.indexOf(rest, this.#at + 2);
      this.#at = end === -1 ? this.#source.length : end + rest.length;
      return;
    }
    const before = this.#tokens.at(-1);
    const begins = before === undefined || (before.kind !== "string" && BEFORE_EXPRESSION.test(before.text));
    const form = /\/(?:\\.|\[(?:\\.|[^\\\]\n]){0,400}\]|[^\\/[\n]){1,2000}\/\w{0,8}/y;
    form.lastIndex = this.#at;
    const expression = begins ? form.exec(this.#source)?.[0] : undefined;
    this.#push({ kind: "mark", text: expression ?? "/" }, this.#at + (expression ?? "/").length);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" };

function cooked(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r?\n)|([\s\S]))/g,
    (_, braced?: string, unicode?: string, hex?: string, line?: string, other = "") => {
      const code = Number.parseInt(braced ?? unicode ?? hex ?? "", 16);
      if (!Number.isNaN(code)) return code > 0x10ffff ? "" : String.fromCodePoint(code);
      return line === undefined ? (ESCAPES[other] ?? other) : "";
    },
  );
}
