// Which files a shell script reads, writes, moves or deletes, by redirections and the usual programs. A word that
// the shell would expand first names no file.
import { type SimpleCommand, splitScript } from "../calls/shell-script.ts";
import { type FileOperation, readPatch, wholeContent } from "./changes.ts";

const LONGEST_PATH = 400;
const PREFIXES = new Set(["sudo", "time", "env", "nohup", "command", "exec", "then", "else", "do"]);
const READERS = new Set(["cat", "head", "tail", "less", "more", "nl", "bat", "tac"]);

const INTERPRETERS = /^(?:python|node|ruby|deno|bun)[\d.]{0,6}$/;
const LONGEST_PROGRAM = 20_000;
const WRITES: readonly RegExp[] = [
  /\bopen\(\s{0,4}["']([^"'\n]{1,200})["'],\s{0,4}(?:mode=)?["'][wax]/g,
  /\bPath\(["']([^"'\n]{1,200})["']\)\.write_(?:text|bytes)\(/g,
  /\b(?:writeFile|writeFileSync|appendFileSync|File\.write)\(\s{0,4}["'`]([^"'`\n]{1,200})["'`]/g,
];
/** PowerShell's, by their names in lower case. */
const CMDLETS: Readonly<Record<string, (paths: readonly string[]) => FileOperation[]>> = {
  "move-item": (paths) => moveOperations(paths),
  "rename-item": (paths) => moveOperations(paths),
  "remove-item": (paths) => paths.map((path) => ({ path, operation: "deleted" })),
  "copy-item": (paths) => copyOperations(paths),
  "get-content": (paths) => paths.map((path) => ({ path, operation: "read" })),
  "set-content": (paths) => paths.slice(0, 1).map((path) => ({ path, operation: "written" })),
  "add-content": (paths) => paths.slice(0, 1).map((path) => ({ path, operation: "written" })),
};

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
  if (folder === "") return operation;
  const to = operation.to === undefined ? {} : { to: inFolder(folder, operation.to) };
  return { ...operation, path: inFolder(folder, operation.path), ...to };
}

/** "" for a folder that nobody can know. */
function inFolder(folder: string, path: string): string {
  if (path.startsWith("/") || path.startsWith("~")) return path;
  const plain = path.replace(/^(?:\.\/)+/, "");
  if (plain === "." || plain === "") return folder;
  return folder === "" || plain.startsWith("..") || !isFile(folder) ? plain : `${folder.replace(/\/$/, "")}/${plain}`;
}

function operationsOf(command: SimpleCommand): readonly FileOperation[] {
  const words = command.words.slice(command.words.findIndex((word) => !PREFIXES.has(word) && !/^\w{1,80}=/.test(word)));
  const [program = "", ...rest] = words;
  if (program === "[[" || program === "((") return [];
  const name = program.slice(program.lastIndexOf("/") + 1);
  const operations = programOperations(name, rest, command.document);
  for (const path of command.targets.filter(isFile)) {
    const change = name === "cat" && command.document !== "" ? { change: wholeContent(command.document) } : {};
    operations.push({ path, operation: "written", ...change });
  }
  return operations;
}

function programOperations(program: string, words: readonly string[], document: string): FileOperation[] {
  const paths = words.filter((word) => !word.startsWith("-")).filter(isFile);
  if (program === "git") return gitOperations(words);
  if (program === "apply_patch" || program === "applypatch") return patchOperations(words[0] ?? document);
  if (program === "tee") return paths.map((path) => ({ path, operation: "written", ...contentOf(document) }));
  if (program === "touch") return paths.map((path) => ({ path, operation: "written" }));
  if (program === "rm" || program === "unlink") return paths.map((path) => ({ path, operation: "deleted" }));
  if (program === "mv") return moveOperations(words);
  if (program === "cp") return copyOperations(paths);
  if (program === "sed" || program === "perl") return streamEdits(words);
  if (program === "curl" || program === "wget") return downloads(program, words);
  if (INTERPRETERS.test(program)) return programWrites(document === "" ? (words.at(-1) ?? "") : document);
  const cmdlet = CMDLETS[program.toLowerCase()];
  if (cmdlet !== undefined) return cmdlet(paths);
  // Numbers are the counts of `head -n 20`.
  if (READERS.has(program))
    return paths.filter((path) => !/^\d+$/.test(path)).map((path) => ({ path, operation: "read" }));
  return [];
}

/** `curl -o file`, `wget -O file`, also behind other letters: `-sSLo file`. */
function downloads(program: string, words: readonly string[]): FileOperation[] {
  const flag = program === "curl" ? /^(?:-[a-zA-Z]{0,8}o|--output)$/ : /^(?:-[a-zA-Z]{0,4}O|--output-document)$/;
  const path = words[words.findIndex((word) => flag.test(word)) + 1];
  return path !== undefined && words.some((word) => flag.test(word)) && isFile(path)
    ? [{ path, operation: "written" }]
    : [];
}

/** Files that a short program writes by their name. */
function programWrites(source: string): FileOperation[] {
  const text = source.slice(0, LONGEST_PROGRAM);
  const paths = WRITES.flatMap((expression) => [...text.matchAll(expression)].map((match) => match[1] ?? ""));
  return [...new Set(paths)].filter(isFile).map((path) => ({ path, operation: "written" }));
}

function contentOf(document: string): Pick<FileOperation, "change"> {
  return document === "" ? {} : { change: wholeContent(document) };
}

function patchOperations(text: string): FileOperation[] {
  return readPatch(text)
    .filter(({ path }) => path !== "")
    .map(({ lines, ...file }) => (lines.length === 0 ? file : { ...file, change: lines }));
}

function gitOperations(words: readonly string[]): FileOperation[] {
  const at = words.findIndex((word) => word === "mv" || word === "rm");
  if (at === -1 || at > 2) return [];
  const rest = words.slice(at + 1);
  return programOperations(
    words[at] ?? "",
    rest.filter((word) => word !== "--cached"),
    "",
  );
}

function moveOperations(words: readonly string[]): FileOperation[] {
  const paths = words.filter((word) => !word.startsWith("-"));
  const target = paths.at(-1) ?? "";
  if (paths.length < 2 || !isFile(target)) return [];
  const isFolder = target.endsWith("/") || paths.length > 2;
  return paths
    .slice(0, -1)
    .filter(isFile)
    .map((path) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return { path, operation: "moved", to: isFolder ? `${target.replace(/\/$/, "")}/${name}` : target };
    });
}

function copyOperations(paths: readonly string[]): FileOperation[] {
  const [from, to] = paths;
  if (paths.length !== 2 || from === undefined || to === undefined) return [];
  const copied: FileOperation[] = [{ path: from, operation: "read" }];
  if (!to.endsWith("/") && hasExtension(to)) copied.push({ path: to, operation: "written" });
  return copied;
}

/** `sed -i 's/a/b/' file`: the first word is the script, unless `-e` gave it. Without `-i` nothing but reading. */
function streamEdits(words: readonly string[]): FileOperation[] {
  const isInPlace = words.some((word) => /^(?:-[a-zA-Z]{0,4}i|--in-place)/.test(word));
  const isScriptFlag = (word: string | undefined) => word !== undefined && /^-\w{0,3}e$/.test(word);
  const hasScript = words.some(isScriptFlag);
  const plain = words.filter((word, at) => word !== "" && !word.startsWith("-") && !isScriptFlag(words[at - 1]));
  const paths = plain
    .slice(hasScript ? 0 : 1)
    .filter((word) => isFile(word) && (hasExtension(word) || word.includes("/")));
  return paths.map((path) => ({ path, operation: isInPlace ? "written" : "read" }));
}

function hasExtension(path: string): boolean {
  return /\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(path);
}

function isFile(word: string): boolean {
  if (word.length === 0 || word.length > LONGEST_PATH || word.startsWith("/dev/")) return false;
  return /[\p{L}\p{N}]/u.test(word) && !/[$*?`{}()<>|\n\r]/.test(word);
}
