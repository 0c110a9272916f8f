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

/** Longer scripts are read up to here. */
const LONGEST_SCRIPT = 400_000;
/**
 * A blank; text in single quotes, in double quotes, behind a backslash; a marker; arithmetic; a redirection; what joins
 * commands; plain text. A marker (`<system>`, `<|im_start|>`, `<NAME v1>`) that nobody quoted would be two redirections, and no shell that
 * was given one has written a file named after what stands behind it.
 */
const PIECE =
  /((?:[ \t\r]|\\\n|&(?=>))+)|'([^']*)'?|"((?:[^"\\]+|\\[\s\S]?)*)"?|\\([\s\S]?)|<[/|]?[A-Za-z][\w:-]{0,60}(?: [^<>\n;&'"]{0,80}[^<>\s;&'"])?[/|]?>|\(\([^()\n]{0,400}\)\)|(<<<|<<-?|>>|>\||>&|[<>])|(\n|([;&|()])\7?)|#|[^\\'"\s<>;&|()#]+|[\s\S]/y;

export function splitScript(text: string): readonly SimpleCommand[] {
  return new ScriptSplitter(text.slice(0, LONGEST_SCRIPT)).split();
}

class ScriptSplitter {
  readonly #text: string;
  readonly #piece = new RegExp(PIECE);
  readonly #commands: { words: string[]; targets: string[]; document: string; joint: string }[] = [];
  #open = { words: [] as string[], targets: [] as string[], document: "", joint: "" };
  /** Of the line that is read: which command each here-document belongs to, and the line that ends it. */
  #awaited: { readonly command: { document: string }; readonly end: string }[] = [];
  #word: string | undefined;
  /** What the next word is: an argument, the target of a redirection, a source of input, the end of a here-document. */
  #role: "argument" | "target" | "input" | "document" = "argument";

  constructor(text: string) {
    this.#text = text;
  }

  split(): readonly SimpleCommand[] {
    while (this.#piece.lastIndex < this.#text.length) {
      const [all = "", blank, single, double, escaped, redirection, joint] = this.#piece.exec(this.#text) ?? [];
      if (blank !== undefined) this.#endWord();
      else if (redirection !== undefined) this.#redirect(redirection);
      else if (joint !== undefined) this.#endCommand(joint);
      else if (all === "#" && this.#word === undefined) this.#piece.lastIndex = this.#lineEnd();
      else this.#word = (this.#word ?? "") + (single ?? double ?? escaped ?? all);
    }
    this.#endCommand("");
    return this.#commands.filter(({ words, targets }) => words.length > 0 || targets.length > 0);
  }

  #redirect(redirection: string): void {
    // `2>`: the number belongs to the redirection.
    if (/^\d$/.test(this.#word ?? "")) this.#word = undefined;
    this.#endWord();
    if (redirection === "<<" || redirection === "<<-") this.#role = "document";
    else this.#role = redirection.startsWith(">") && redirection !== ">&" ? "target" : "input";
  }

  #endWord(): void {
    const word = this.#word;
    if (word === undefined) return;
    if (this.#role === "target") this.#open.targets.push(word);
    else if (this.#role === "document") this.#awaited.push({ command: this.#open, end: word });
    else if (this.#role === "argument") this.#open.words.push(word);
    this.#word = undefined;
    this.#role = "argument";
  }

  #endCommand(joint: string): void {
    this.#endWord();
    this.#role = "argument";
    this.#commands.push(this.#open);
    this.#open = { words: [], targets: [], document: "", joint };
    if (joint !== "\n") return;
    for (const { command, end } of this.#awaited) command.document += this.#documentUntil(end);
    this.#awaited = [];
  }

  #documentUntil(end: string): string {
    const start = this.#piece.lastIndex;
    while (this.#piece.lastIndex < this.#text.length) {
      const from = this.#piece.lastIndex;
      const to = this.#lineEnd();
      this.#piece.lastIndex = to + 1;
      if (this.#text.slice(from, to).trim() === end) return this.#text.slice(start, from);
    }
    return this.#text.slice(start);
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#piece.lastIndex);
    return end === -1 ? this.#text.length : end;
  }
}

const LONGEST_PATH = 400;
const PREFIXES = new Set("sudo time env nohup command exec timeout if elif while until then else do !".split(" "));

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

/** What the usual programs do to the files that they name, and PowerShell's in lower case. */
const READING = new Set("cat head tail less more nl bat get-content".split(" "));
const WRITING = new Set("tee touch set-content add-content".split(" "));
const DELETING = new Set("rm unlink remove-item".split(" "));
const MOVING = new Set("mv move-item rename-item".split(" "));
const COPYING = new Set("cp copy-item".split(" "));
const EDITING = new Set("sed perl".split(" "));
const PATCHING = new Set("git patch apply_patch applypatch".split(" "));
const INTERPRETER = /^(?:python|node|ruby|deno|bun)[\d.]{0,6}$/;

function programOperations(program: string, words: readonly string[], document: string): FileOperation[] {
  const paths = words.filter((word) => !word.startsWith("-")).filter(isFile);
  if (program === "git" && words[0] !== "apply") return gitOperations(words);
  if (PATCHING.has(program)) return patchOperations(program.startsWith("apply") ? (words[0] ?? document) : document);
  if (WRITING.has(program))
    return done("written", program.endsWith("-content") ? paths.slice(0, 1) : paths, contentOf(document));
  if (DELETING.has(program)) return done("deleted", paths);
  if (MOVING.has(program)) return moved(words);
  if (COPYING.has(program)) return copied(paths);
  if (EDITING.has(program)) return streamEdits(words);
  if (program === "curl") return downloads(words, /^(?:-[a-zA-Z]{0,8}o|--output)$/);
  if (program === "wget") return downloads(words, /^(?:-[a-zA-Z]{0,4}O|--output-document)$/);
  // Numbers are the counts of `head -n 20`.
  if (READING.has(program))
    return done(
      "read",
      paths.filter((path) => !/^\d+$/.test(path)),
    );
  return INTERPRETER.test(program) ? programWrites(document === "" ? (words.at(-1) ?? "") : document) : [];
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
