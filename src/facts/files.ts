// Which files were read, written, moved or deleted, the last thing done to each, and what was touched in it: by the
// words of a tool's name and its arguments, by patches, by shell scripts. An edit that visibly failed is none; a call
// without a result counts.
import type { Stepwise } from "../tokens/stepwise.ts";
import {
  barePatch,
  type ChangedLine,
  type FileOperation,
  joinSymbols,
  patchOperations,
  replacedText,
  STATEMENT,
  symbolsOf,
  wholeContent,
} from "./changes.ts";
import { type Execution, readExecutions } from "./executions.ts";
import type { FactCall, FactMessage } from "./fact-message.ts";
import type { FileFact } from "./ledger.ts";
import { shellOperations, splitScript } from "./shell.ts";
import { type Arguments, hasWord, objectsOf, parseStructure, scriptOf, stringsOf, toolWords } from "./tool-call.ts";

export function* extractFiles(messages: readonly FactMessage[]): Stepwise<readonly FileFact[]> {
  const files = new Files();
  for (const execution of readExecutions(messages)) {
    for (const operation of doneOperations(execution)) files.record(factOf(operation, execution));
    yield;
  }
  return files.all();
}

export function mergeFiles(earlier: readonly FileFact[], later: readonly FileFact[]): readonly FileFact[] {
  const files = new Files();
  for (const fact of [...earlier, ...later]) files.record(fact);
  return files.all();
}

/** How tools say that nothing was written, at the beginning of their answer. */
const FAILURE =
  /^\s{0,8}(?:<tool_use_error>|\[?error\b|fatal:|(?:apply_patch verification|patch) failed|your proposed edit has introduced|(?:failed to|invalid|cannot|could not|unable to|no replacement|no changes?|permission denied)\b|.{0,80}\b(?:not found|does not exist|not been read|did not appear))/i;
/** An editor may show the place that it did not change. */
const LONGEST_ANSWER = 12_000;

/** The file operations of a call that did not visibly fail. */
export function doneOperations(execution: Execution): readonly FileOperation[] {
  const named = fileOperations(execution.call);
  const operations = named.length > 0 ? named : editOfOpenFile(execution);
  if (operations.length === 0 || !hasFailed(execution)) return operations;
  const script = scriptOf(execution.call);
  // Of a script of many commands that failed, the redirections most likely went through before.
  if (script === undefined || splitScript(script).length < 2) return [];
  return operations.filter(({ operation }) => operation === "written");
}

function hasFailed({ call, result }: Execution): boolean {
  if (result === undefined || result.isError) return result !== undefined;
  // What a shell prints, or a file that is read, may begin with any words.
  const isAnswer = scriptOf(call) === undefined && result.text.length < LONGEST_ANSWER;
  return isAnswer && FAILURE.test(result.text.slice(0, 300));
}

/** Editors that work on the file which is open name it in their answer only, in its first or last lines. */
const OPEN_FILE = /(?:^|\n)[[(](?:Open file|File): ([^\n()[\]]{1,400}?)(?: \(\d[^\n)]{0,40}\))?[\])]/;

function editOfOpenFile({ call, result }: Execution): readonly FileOperation[] {
  if (call.input === undefined || result === undefined || scriptOf(call) !== undefined) return [];
  const isWritten = operationOf(wordsOf(call.name, call.input), call.input) === "written";
  const change = isWritten ? [...entriesOf(call.input)].flatMap(({ fields }) => changeOf(fields)) : [];
  if (change.length === 0) return [];
  const path = (OPEN_FILE.exec(result.text.slice(-1_500)) ?? OPEN_FILE.exec(result.text.slice(0, 1_500)))?.[1];
  return path === undefined || path === "n/a" ? [] : [{ path, operation: "written", change }];
}

/** `file_path`, `filePath` and `FilePath` are one key. */
const keys = (names: string): ReadonlySet<string> => new Set(names.split(" "));
const PATH_KEYS = keys(
  "filepath path notebookpath file filename targetfile absolutepath relativepath relativeworkspacepath",
);
const LIST_KEYS = keys("paths filepaths files filenames");
const FROM_KEYS = keys("source src from oldpath sourcepath");
const TO_KEYS = keys("destination dest to newpath destinationpath target targetpath");
const OLD_KEYS = keys(
  "old oldstring oldstr oldtext oldcode oldcontent original search find needle regex targetcontent",
);
const NEW_KEYS = keys(
  "new newstring newstr newtext newcode newcontent replace replacewith replacement replacementtext replacementcontent repl inserttext",
);
const CONTENT_KEYS = keys("content contents filetext text newsource code codeedit codecontent body");
const PATCH_KEYS = keys("input patch patchtext diff command cmd");
const DIFF_KEYS = keys("patch patchtext diff");

/** The strings that an object holds under these keys, in its own order. */
function stringsUnder(input: Arguments, names: ReadonlySet<string>): readonly string[] {
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === "string" && names.has(key.replace(/[^A-Za-z]/g, "").toLowerCase()) ? [value] : [],
  );
}

const WRITING = new Set(
  "write edit multiedit create patch replace insert append save update modify apply overwrite put".split(" "),
);
const READING = new Set("read view open cat get show load".split(" "));
const MOVING = new Set(["move", "rename"]);
const DELETING = new Set(["delete", "remove", "unlink"]);
/** Their path is where they look, or no file. */
const SEARCHING = new Set(
  "search grep glob find list ls tree directory dir folder todo todos plan task tasks".split(" "),
);

/** Files, errors and calls all ask for the same call, and a patch of a megabyte is read once. */
const KNOWN = new WeakMap<FactCall, readonly FileOperation[]>();

/** File operations of one call; a call whose arguments are no JSON object is read as a patch. */
export function fileOperations(call: FactCall): readonly FileOperation[] {
  const known = KNOWN.get(call) ?? readOperations(call);
  KNOWN.set(call, known);
  return known;
}

function readOperations(call: FactCall): readonly FileOperation[] {
  const { input } = call;
  if (input === undefined) return call.texts.flatMap(patchOperations);
  const script = scriptOf(call);
  if (script !== undefined) return shellOperations(script);
  const patched = Object.entries(input).flatMap(([key, value]) =>
    stringsUnder({ [key]: Array.isArray(value) ? stringsOf(value).join("\n") : value }, PATCH_KEYS).flatMap(
      patchOperations,
    ),
  );
  const words = wordsOf(call.name, input);
  const operation = hasWord(words, SEARCHING) && !words.includes("replace") ? undefined : operationOf(words, input);
  if (operation === undefined) return patched;
  const known = new Set(patched.map(({ path }) => path));
  const named = operation === "moved" ? movedFile(input) : namedFiles(input, operation);
  return [...patched, ...named.filter(({ path }) => !known.has(path))];
}

/** Editors of many commands are told by the command what to do. */
function wordsOf(name: string, { command }: Arguments): readonly string[] {
  const own = toolWords(name);
  return operationOf(own, {}) === undefined && typeof command === "string" ? [...own, ...toolWords(command)] : own;
}

function operationOf(words: readonly string[], input: Arguments): FileFact["operation"] | undefined {
  if (input.command === "view" || input.command === "read" || input.command === "open") return "read";
  if (input.command === "create" || input.command === "str_replace" || input.command === "insert") return "written";
  if (hasWord(words, MOVING)) return "moved";
  if (hasWord(words, DELETING)) return "deleted";
  if (hasWord(words, WRITING)) return "written";
  return hasWord(words, READING) ? "read" : undefined;
}

interface Entry {
  readonly fields: Arguments;
  /** Those it names, else those of what it stands in. */
  readonly paths: readonly string[];
}

/** Edits within edits: a list of files, of files with edits each, of edits of one file. */
const DEEPEST_EDIT = 3;

function* entriesOf(fields: Arguments, around: readonly string[] = [], depth = 0): Generator<Entry> {
  const own = stringsUnder(fields, PATH_KEYS).filter(isPath);
  const paths = own.length > 0 ? own : around;
  yield { fields, paths };
  if (depth === DEEPEST_EDIT) return;
  for (const [key, value] of Object.entries(fields)) {
    // Some models give a list as its JSON.
    const given = typeof value === "string" && isListed(key) ? parseStructure(value) : value;
    for (const nested of objectsOf(Array.isArray(given) ? given : [given])) yield* entriesOf(nested, paths, depth + 1);
    const listed = stringsUnder({ [key]: "" }, LIST_KEYS).length > 0 ? stringsOf(given).filter(isPath) : [];
    yield* listed.map((path) => ({ fields: {}, paths: [path] }));
  }
}

function isListed(key: string): boolean {
  return /edits|changes|replacements|files/i.test(key);
}

function namedFiles(input: Arguments, operation: FileFact["operation"]): readonly FileOperation[] {
  const changes = new Map<string, ChangedLine[]>();
  for (const { fields, paths } of entriesOf(input)) {
    const change = operation === "written" ? changeOf(fields) : [];
    for (const path of paths) {
      const lines = changes.get(path) ?? [];
      changes.set(path, lines);
      for (const line of change) lines.push(line);
    }
  }
  return [...changes].map(([path, change]) => ({ path, operation, ...(change.length === 0 ? {} : { change }) }));
}

function movedFile(input: Arguments): readonly FileOperation[] {
  const [path] = [FROM_KEYS, PATH_KEYS].flatMap((names) => stringsUnder(input, names));
  const [to] = stringsUnder(input, TO_KEYS);
  return isPath(path) ? [{ path, operation: "moved", ...(isPath(to) ? { to } : {}) }] : [];
}

/** What one edit says itself, apart from those within it. */
function changeOf(edit: Arguments): readonly ChangedLine[] {
  const [added] = stringsUnder(edit, NEW_KEYS);
  const [removed] = stringsUnder(edit, OLD_KEYS);
  if (added !== undefined || removed !== undefined) return replacedText(removed ?? "", added ?? "");
  const patch = stringsUnder(edit, DIFF_KEYS).flatMap(barePatch);
  return patch.length > 0 ? patch : wholeContent(stringsUnder(edit, CONTENT_KEYS)[0] ?? "");
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= 400 && !value.includes("\n");
}

function factOf({ path, operation, to, change = [] }: FileOperation, { source }: Execution): FileFact {
  return {
    kind: "file",
    path,
    operation,
    ...(to === undefined ? {} : { to }),
    symbols: symbolsOf(path, change),
    lines: tellingLines(change),
    edits: operation === "written" ? 1 : 0,
    source,
  };
}

/** Of one edit, and of one file over all rounds. */
const MOST_LINES = { edit: 80, file: 120 };
const LONGEST_LINE = 200;

/** Lines with words that came or went, without their indentation. A statement by itself, `if (found) {`, tells nothing. */
function tellingLines(change: readonly ChangedLine[]): readonly string[] {
  const isTelling = (text: string) => /[\p{L}\p{N}]{2}/u.test(text) && !STATEMENT.test(text.trim());
  const changed = change.filter(({ mark, text }) => mark !== " " && isTelling(text));
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

/** By path. A relative path with a folder is the file whose full path ends in it, if there is one such file. */
class Files {
  #facts = new Map<string, FileFact>();
  /** Paths by their last folder and name. */
  readonly #alike = new Map<string, Set<string>>();

  all(): readonly FileFact[] {
    return [...this.#facts.values()];
  }

  /** Reading changes nothing that is known of a file; what was done to it last is moved behind the others. */
  record(given: FileFact): void {
    const same = this.#sameAs(given.path);
    const path = same !== undefined && same.length > given.path.length ? same : given.path;
    const known = this.#facts.get(same ?? path);
    if (known !== undefined && known.operation !== "read" && given.operation === "read") {
      if (known.path !== path) this.#rename(known, path);
      return;
    }
    this.#facts.delete(known?.path ?? path);
    this.#alike.get(endOf(path))?.delete(known?.path ?? path);
    this.#add({
      ...given,
      path,
      symbols: joinSymbols(known?.symbols ?? [], given.symbols),
      lines: joinLines(known?.lines ?? [], given.lines),
      edits: given.edits + (known?.edits ?? 0),
    });
  }

  #sameAs(path: string): string | undefined {
    if (this.#facts.has(path)) return path;
    const others = [...(this.#alike.get(endOf(path)) ?? [])].filter(
      (known) => isEndOf(path, known) || (path.startsWith("/") && isEndOf(known, path)),
    );
    return others.length === 1 ? others[0] : undefined;
  }

  #add(fact: FileFact): void {
    this.#facts.set(fact.path, fact);
    this.#alike.set(endOf(fact.path), (this.#alike.get(endOf(fact.path)) ?? new Set()).add(fact.path));
  }

  /** Where it stands. */
  #rename(known: FileFact, path: string): void {
    this.#facts = new Map(this.all().map((fact) => (fact === known ? [path, { ...fact, path }] : [fact.path, fact])));
    this.#alike.get(endOf(path))?.delete(known.path);
    this.#add({ ...known, path });
  }
}

/** A bare name may be that of many files. */
function isEndOf(path: string, full: string): boolean {
  return /^[^/.].*\//.test(path) && full.endsWith(`/${path}`);
}

function endOf(path: string): string {
  return path.split("/").slice(-2).join("/");
}
