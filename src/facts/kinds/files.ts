// Which files were read, written, moved or deleted, the last thing done to each, what was touched in it and why. An
// edit that visibly failed is none; a call without a result counts.

import { lastSentence } from "../../language/last-sentence.ts";
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { scriptOf } from "../calls/read-call.ts";
import { splitScript } from "../calls/shell-script.ts";
import { type Execution, type FactMessage, readExecutions } from "../fact-message.ts";
import type { ChangedLine, FileOperation } from "../files/changes.ts";
import { fileOperations, openFileOperation } from "../files/file-operations.ts";
import { joinSymbols, symbolsOf } from "../files/symbols.ts";
import type { FileFact } from "../ledger.ts";

/** How tools say that nothing was written, at the beginning of their answer. */
const FAILURE =
  /^\s{0,8}(?:<tool_use_error>|\[?error\b|failed to|fatal:|invalid |cannot |could not |unable to |no replacement was|no changes? (?:was|were)|your proposed edit has introduced|(?:the )?(?:string|text|file|search)\b.{0,80}(?:not found|does not exist|not been read|did not appear|no match)|apply_patch verification failed|patch failed|permission denied)/i;

/** An editor may show the place that it did not change. */
const LONGEST_ANSWER = 12_000;

export function extractFiles(messages: readonly FactMessage[]): readonly FileFact[] {
  return runThrough(extractFilesStepwise(messages));
}

export function* extractFilesStepwise(messages: readonly FactMessage[]): Stepwise<readonly FileFact[]> {
  const files = new Files();
  for (const execution of readExecutions(messages)) {
    for (const operation of doneOperations(execution)) recordFile(files, factOf(operation, execution));
    yield;
  }
  return files.all();
}

export function mergeFiles(earlier: readonly FileFact[], later: readonly FileFact[]): readonly FileFact[] {
  const files = new Files();
  for (const fact of [...earlier, ...later]) recordFile(files, fact);
  return files.all();
}

/** The file operations of a call that did not visibly fail. */
export function doneOperations(execution: Execution): readonly FileOperation[] {
  const named = fileOperations(execution.call);
  const operations = named.length > 0 ? named : editsOfOpenFile(execution);
  if (operations.length === 0 || !hasFailed(execution)) return operations;
  const script = scriptOf(execution.call);
  // Of a script of many commands that failed, the redirections most likely went through before.
  if (script === undefined || splitScript(script).length < 2) return [];
  return operations.filter(({ operation }) => operation === "written");
}

function editsOfOpenFile({ call, result }: Execution): readonly FileOperation[] {
  if (result === undefined || scriptOf(call) !== undefined) return [];
  return openFileOperation(call, openFileOf(result.text));
}

function hasFailed({ call, result }: Execution): boolean {
  if (result === undefined) return false;
  if (result.isError) return true;
  // What a shell prints, or a file that is read, may begin with any words.
  const isAnswer = scriptOf(call) === undefined && result.text.length < LONGEST_ANSWER;
  return isAnswer && FAILURE.test(result.text.slice(0, 300));
}

function factOf({ path, operation, to, change }: FileOperation, { source, said }: Execution): FileFact {
  const reason = operation === "read" ? undefined : lastSentence(said);
  return {
    kind: "file",
    path,
    operation,
    ...(to === undefined ? {} : { to }),
    symbols: change === undefined ? [] : symbolsOf(path, change),
    lines: tellingLines(change ?? []),
    edits: operation === "written" ? 1 : 0,
    ...(reason === undefined ? {} : { reason }),
    source,
  };
}

/** Reading changes nothing that is known of a file; what was done to it last is moved behind the others. */
function recordFile(files: Files, given: FileFact): void {
  const short = shortPath(given.path, files);
  const fact = { ...given, path: fullPath(given.path, files) };
  const known = files.get(short ?? fact.path);
  if (known !== undefined && known.operation !== "read" && fact.operation === "read") {
    if (short !== undefined) files.rename(known, fact.path);
    return;
  }
  files.delete(known?.path ?? fact.path);
  files.add({
    ...(known?.reason === undefined ? {} : { reason: known.reason }),
    ...fact,
    symbols: joinSymbols(known?.symbols ?? [], fact.symbols),
    lines: joinLines(known?.lines ?? [], fact.lines),
    edits: fact.edits + (known?.edits ?? 0),
  });
}

/** A relative path is the file whose full path ends in it, if there is one such file. */
function fullPath(path: string, files: Files): string {
  if (files.get(path) !== undefined || !isRelative(path)) return path;
  const longer = files.alike(path).filter((known) => known.endsWith(`/${path}`));
  return longer.length === 1 ? (longer[0] ?? path) : path;
}

/** The relative path by which the file of this full path is known, if there is one such file. */
function shortPath(path: string, files: Files): string | undefined {
  if (files.get(path) !== undefined || !path.startsWith("/")) return undefined;
  const shorter = files.alike(path).filter((known) => isRelative(known) && path.endsWith(`/${known}`));
  return shorter.length === 1 ? shorter[0] : undefined;
}

/** A bare name may be that of many files. */
function isRelative(path: string): boolean {
  return !path.startsWith("/") && !path.startsWith(".") && path.includes("/");
}

/** By path, and by folder and name: a path is looked for among all that end in the same ones. */
class Files {
  #facts = new Map<string, FileFact>();
  readonly #alike = new Map<string, Set<string>>();

  all(): readonly FileFact[] {
    return [...this.#facts.values()];
  }

  get(path: string): FileFact | undefined {
    return this.#facts.get(path);
  }

  alike(path: string): readonly string[] {
    return [...(this.#alike.get(endOf(path)) ?? [])];
  }

  add(fact: FileFact): void {
    this.#facts.set(fact.path, fact);
    const paths = this.#alike.get(endOf(fact.path)) ?? new Set();
    this.#alike.set(endOf(fact.path), paths.add(fact.path));
  }

  delete(path: string): void {
    this.#facts.delete(path);
    this.#alike.get(endOf(path))?.delete(path);
  }

  /** Where it stands. */
  rename(known: FileFact, path: string): void {
    const facts = this.all().map((fact) => (fact === known ? { ...fact, path } : fact));
    this.delete(known.path);
    this.#facts = new Map(facts.map((fact) => [fact.path, fact]));
    this.add({ ...known, path });
  }
}

function endOf(path: string): string {
  return path.split("/").slice(-2).join("/");
}

/** Of one edit, and of one file over all rounds. */
const MOST_LINES = { edit: 80, file: 120 };
const LONGEST_LINE = 200;

/** Lines with words that came or went, without their indentation. */
function tellingLines(change: readonly ChangedLine[]): readonly string[] {
  const changed = change.filter(({ mark, text }) => mark !== " " && /[\p{L}\p{N}]{2}/u.test(text));
  return changed.slice(0, MOST_LINES.edit).map(({ mark, text }) => `${mark} ${text.trim().slice(0, LONGEST_LINE)}`);
}

/** A line that went again, or came back, is no change. */
function joinLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const earlier = [...before];
  const later = after.filter((line) => {
    const undone = earlier.lastIndexOf(`${line.startsWith("+") ? "-" : "+"}${line.slice(1)}`);
    if (undone !== -1) earlier.splice(undone, 1);
    return undone === -1;
  });
  return [...earlier, ...later].slice(-MOST_LINES.file);
}

// Editors that work on the file which is open name it in their answer only: "[File: src/app.py (94 lines total)]",
// "(Open file: /repo/src/app.py)".

const OPEN_FILE =
  /(?:^|\n)(?:\(Open file: ([^\n()]{1,400})\)|\[(?:File|Open file): ([^\n()[\]]{1,400}?)(?: \(\d[^\n)]{0,40}\))?\])/;
/** The mark stands in the first lines or in the last. */
const LOOKED_THROUGH = 1_500;

/** The file that an answer says is open; undefined where it names none. */
function openFileOf(answer: string): string | undefined {
  const match = OPEN_FILE.exec(answer.slice(-LOOKED_THROUGH)) ?? OPEN_FILE.exec(answer.slice(0, LOOKED_THROUGH));
  const path = (match?.[1] ?? match?.[2])?.trim();
  return path === undefined || path === "" || path === "n/a" ? undefined : path;
}
