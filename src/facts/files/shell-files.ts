// Which files a shell script reads, writes, moves or deletes, by redirections and the usual programs. A word that
// the shell would expand first names no file.
import { type SimpleCommand, splitScript } from "../calls/shell-script.ts";
import { wholeContent } from "./change.ts";
import type { FileOperation } from "./file-operation.ts";
import { readPatch } from "./patch.ts";

const LONGEST_PATH = 400;
const PREFIXES = new Set(["sudo", "time", "env", "nohup", "command", "exec", "then", "else", "do"]);
const READERS = new Set(["cat", "head", "tail", "less", "more", "nl", "bat", "tac"]);

export function shellOperations(script: string): readonly FileOperation[] {
  // Some models give the bare patch where a command is due.
  if (/^\s{0,20}\*\*\* (?:Begin Patch|Update File|Add File)/.test(script)) return patchOperations(script);
  return splitScript(script).flatMap(operationsOf);
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
  // Numbers are the counts of `head -n 20`.
  if (READERS.has(program))
    return paths.filter((path) => !/^\d+$/.test(path)).map((path) => ({ path, operation: "read" }));
  return [];
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
  const hasScript = words.some((word) => /^-\w{0,3}e$/.test(word));
  const plain = words.filter((word) => word !== "" && !word.startsWith("-"));
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
