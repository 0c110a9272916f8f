// Splits a shell script into its simple commands, in one pass and without expansion, and reads off them which files it
// reads, writes, moves or deletes. A word that the shell would expand first names no file.
import { type ChangedLine, type FileOperation, patchOperations, replacedText, wholeContent } from "./changes.ts";

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

const LONGEST_PATH = 400;
const PREFIXES = new Set("sudo time env nohup command exec timeout then else do".split(" "));

/** The program and its arguments, without what only stands before them: `sudo`, `CI=1`, `timeout 60`. */
export function ownWords(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !PREFIXES.has(word) && !/^(?:\w{1,80}=.*|\d{1,6}[smh]?)$/s.test(word));
  return start === -1 ? [] : words.slice(start);
}

export function shellOperations(script: string): readonly FileOperation[] {
  // Some models give the bare patch where a command is due.
  if (/^\s{0,20}\*\*\* (?:Begin Patch|Update File|Add File)/.test(script)) return patchOperations(script);
  const operations: FileOperation[] = [];
  let folder = "";
  // What a subshell changes of the folder ends with it: there the paths stay as they are written.
  const follows = !script.includes("(");
  for (const command of splitScript(script)) {
    if (command.words[0] === "cd" && follows) folder = inFolder(folder, command.words[1] ?? "~");
    else operations.push(...operationsOf(command).map((operation) => withFolder(operation, folder)));
  }
  return operations;
}

function withFolder(operation: FileOperation, folder: string): FileOperation {
  const to = operation.to === undefined ? {} : { to: inFolder(folder, operation.to) };
  return folder === "" ? operation : { ...operation, path: inFolder(folder, operation.path), ...to };
}

/** "" for a folder that nobody can know. */
function inFolder(folder: string, path: string): string {
  if (path.startsWith("/") || path.startsWith("~")) return path;
  const plain = path.replace(/^(?:\.\/)+/, "");
  if (plain === "." || plain === "") return folder;
  return folder === "" || plain.startsWith("..") || !isFile(folder) ? plain : `${folder.replace(/\/$/, "")}/${plain}`;
}

function operationsOf({ words, targets, document }: SimpleCommand): readonly FileOperation[] {
  const [program = "", ...rest] = ownWords(words);
  if (program === "[[" || program === "((") return [];
  const name = program.slice(program.lastIndexOf("/") + 1).toLowerCase();
  const content = contentOf(name === "cat" ? document : printedBy(name, rest));
  return [...programOperations(name, rest, document), ...done("written", targets.filter(isFile), content)];
}

/** What `echo` and `printf` print, as far as their words say it. */
function printedBy(program: string, words: readonly string[]): string {
  if (program === "echo") return words.slice(words[0]?.startsWith("-") === true ? 1 : 0).join(" ");
  if (program !== "printf") return "";
  const [form = "", ...given] = words;
  return (form.includes("%") ? given.join("\n") : form).replaceAll("\\n", "\n").trimEnd();
}

type Content = Pick<FileOperation, "change">;

function contentOf(document: string): Content {
  return document === "" ? {} : { change: wholeContent(document) };
}

function done(operation: FileOperation["operation"], paths: readonly string[], content: Content = {}): FileOperation[] {
  return paths.map((path) => ({ path, operation, ...content }));
}

/** The usual programs, and PowerShell's in lower case. */
function programOperations(program: string, words: readonly string[], document: string): FileOperation[] {
  const paths = words.filter((word) => !word.startsWith("-")).filter(isFile);
  switch (program) {
    case "git":
      return words[0] === "apply" ? patchOperations(document) : gitOperations(words);
    case "patch":
      return patchOperations(document);
    case "apply_patch":
    case "applypatch":
      return patchOperations(words[0] ?? document);
    case "tee":
      return done("written", paths, contentOf(document));
    case "touch":
      return done("written", paths);
    case "set-content":
    case "add-content":
      return done("written", paths.slice(0, 1));
    case "rm":
    case "unlink":
    case "remove-item":
      return done("deleted", paths);
    case "mv":
    case "move-item":
    case "rename-item":
      return moved(words);
    case "cp":
    case "copy-item":
      return copied(paths);
    case "sed":
    case "perl":
      return streamEdits(words);
    case "curl":
    case "wget":
      return downloads(
        words,
        program === "curl" ? /^(?:-[a-zA-Z]{0,8}o|--output)$/ : /^(?:-[a-zA-Z]{0,4}O|--output-document)$/,
      );
    case "cat":
    case "head":
    case "tail":
    case "less":
    case "more":
    case "nl":
    case "bat":
    case "get-content":
      // Numbers are the counts of `head -n 20`.
      return done(
        "read",
        paths.filter((path) => !/^\d+$/.test(path)),
      );
    default:
      return /^(?:python|node|ruby|deno|bun)[\d.]{0,6}$/.test(program)
        ? programWrites(document === "" ? (words.at(-1) ?? "") : document)
        : [];
  }
}

/** `curl -o file`, `wget -O file`, also behind other letters: `-sSLo file`. */
function downloads(words: readonly string[], flag: RegExp): FileOperation[] {
  const at = words.findIndex((word) => flag.test(word));
  return at === -1 ? [] : done("written", words.slice(at + 1, at + 2).filter(isFile));
}

const LONGEST_PROGRAM = 20_000;
const WRITES = [
  /\bopen\(\s{0,4}["']([^"'\n]{1,200})["'],\s{0,4}(?:mode=)?["'][wax]/g,
  /\bPath\(["']([^"'\n]{1,200})["']\)\.write_(?:text|bytes)\(/g,
  /\b(?:writeFile|writeFileSync|appendFileSync|File\.write)\(\s{0,4}["'`]([^"'`\n]{1,200})["'`]/g,
];
/** The same where a variable holds the path. */
const WRITES_VARIABLE = [
  /\bopen\(\s{0,4}(\w{1,60}),\s{0,4}(?:mode=)?["'][wax]/g,
  /\b(\w{1,60})\.write_(?:text|bytes)\(/g,
  /\b(?:writeFile|writeFileSync|appendFileSync|File\.write)\(\s{0,4}(\w{1,60}),/g,
];
const PATH_VARIABLE = /\b(\w{1,60}) ?= ?(?:(?:pathlib\.)?Path\()?["'`]([^"'`\n]{1,200})["'`]/g;
const REPLACES =
  /\.replace\(\s{0,20}(["'`])((?:[^\\\n"'`]|\\.){1,400})\1,\s{0,20}(["'`])((?:[^\\\n"'`]|\\.){0,400})\3/g;

/** Files that a short program writes by their name; of one file, the texts that it replaces. */
function programWrites(source: string): FileOperation[] {
  const text = source.slice(0, LONGEST_PROGRAM);
  const firstIn = (expressions: readonly RegExp[]) =>
    expressions.flatMap((expression) => [...text.matchAll(expression)].map((match) => match[1] ?? ""));
  const variables = new Map([...text.matchAll(PATH_VARIABLE)].map(([, name = "", path = ""]) => [name, path]));
  const named = firstIn(WRITES_VARIABLE).flatMap((name) => variables.get(name) ?? []);
  const paths = [...new Set([...firstIn(WRITES), ...named])].filter(isFile);
  const change = [...text.matchAll(REPLACES)].flatMap(([, , old = "", , replacement = ""]) =>
    replacedText(old, replacement),
  );
  return done("written", paths, paths.length === 1 && change.length > 0 ? { change } : {});
}

function gitOperations(words: readonly string[]): FileOperation[] {
  const at = words.findIndex((word) => word === "mv" || word === "rm");
  return at === -1 || at > 2 ? [] : programOperations(words[at] ?? "", words.slice(at + 1), "");
}

function moved(words: readonly string[]): FileOperation[] {
  const paths = words.filter((word) => !word.startsWith("-"));
  const target = paths.at(-1) ?? "";
  if (paths.length < 2 || !isFile(target)) return [];
  const isFolder = target.endsWith("/") || paths.length > 2;
  const sources = paths.slice(0, -1).filter(isFile);
  return sources.map((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return { path, operation: "moved", to: isFolder ? `${target.replace(/\/$/, "")}/${name}` : target };
  });
}

function copied(paths: readonly string[]): FileOperation[] {
  const [from, to] = paths;
  if (paths.length !== 2 || from === undefined || to === undefined) return [];
  return [...done("read", [from]), ...(hasExtension(to) ? done("written", [to]) : [])];
}

/** `sed -i 's/a/b/' file`: the first word is the script, unless `-e` gave it. Without `-i` nothing but reading. */
function streamEdits(words: readonly string[]): FileOperation[] {
  const isInPlace = words.some((word) => /^(?:-[a-zA-Z]{0,4}i|--in-place)/.test(word));
  const isScriptFlag = (word: string | undefined) => word !== undefined && /^-\w{0,3}e$/.test(word);
  const plain = words.filter((word, at) => word !== "" && !word.startsWith("-") && !isScriptFlag(words[at - 1]));
  const scripts = words.some(isScriptFlag) ? words.filter((_, at) => isScriptFlag(words[at - 1])) : plain.slice(0, 1);
  const files = plain.slice(words.some(isScriptFlag) ? 0 : 1).filter(isFile);
  const named = files.filter((word) => hasExtension(word) || word.includes("/"));
  const change = isInPlace ? scripts.flatMap(substitutions) : [];
  return done(isInPlace ? "written" : "read", named, change.length === 0 ? {} : { change });
}

const SUBSTITUTION = /(?:^|[;\n\s\d/])s([/|#,@!])((?:\\.|(?!\1)[^\\\n]){1,400})\1((?:\\.|(?!\1)[^\\\n]){0,400})\1/g;

/** `s/old/new/g`, without the marks of its expression. */
function substitutions(script: string): readonly ChangedLine[] {
  const plain = (text: string) => text.replace(/\\(?=[^\w\s])/g, "").replace(/^\^|(?<!\\)\$$/g, "");
  return [...script.slice(0, LONGEST_PROGRAM).matchAll(SUBSTITUTION)].flatMap(([, , old = "", added = ""]) =>
    replacedText(plain(old), plain(added)),
  );
}

function hasExtension(path: string): boolean {
  return /\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(path);
}

function isFile(word: string): boolean {
  if (word.length === 0 || word.length > LONGEST_PATH || word.startsWith("/dev/")) return false;
  return /[\p{L}\p{N}]/u.test(word) && !/[$*?`{}()<>|\n\r]/.test(word);
}
