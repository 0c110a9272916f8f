// Reads from a tool call which files it reads, writes, moves or deletes, and what it changes in them: by the words
// of the tool's name and its arguments, by the text of a patch, by the commands of a shell script.
import { firstString, hasWord, isArguments, objectsOf, scriptOf, stringsOf, toolWords } from "../calls/read-call.ts";
import type { FactCall } from "../fact-message.ts";
import type { FileFact } from "../ledger.ts";
import { type ChangedLine, type FileOperation, readPatch, replacedText, wholeContent } from "./changes.ts";
import { shellOperations } from "./shell-files.ts";

type Arguments = Readonly<Record<string, unknown>>;

const PATH_KEYS = [
  "file_path",
  "filepath",
  "filePath",
  "path",
  "notebook_path",
  "notebookPath",
  "file",
  "filename",
  "file_name",
  "target_file",
  "TargetFile",
  "absolute_path",
  "AbsolutePath",
  "relative_workspace_path",
];
const LIST_KEYS = ["paths", "file_paths", "filePaths", "files", "filenames"];
const FROM_KEYS = ["source", "src", "from", "old_path", "oldPath", "source_path", "sourcePath"];
const TO_KEYS = ["destination", "dest", "to", "new_path", "newPath", "destination_path", "target", "target_path"];
const OLD_KEYS = ["old_string", "old_str", "oldString", "oldText", "old_text", "search"];
const NEW_KEYS = [
  "new_string",
  "new_str",
  "newString",
  "newText",
  "new_text",
  "replace",
  "replacement",
  "replacement_text",
  "insert_text",
];
const CONTENT_KEYS = [
  "content",
  "contents",
  "file_text",
  "text",
  "new_source",
  "newContent",
  "code_edit",
  "CodeContent",
];
const PATCH_KEYS = ["input", "patch", "diff", "command", "cmd"];

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
const READ_ONLY_COMMANDS = new Set(["view", "read", "open"]);
const LONGEST_PATH = 400;

/** Files, errors and plans all ask for the same calls, and a patch of a megabyte is read once. */
const KNOWN = new WeakMap<FactCall, readonly FileOperation[]>();

/** File operations of one call; a call whose arguments are no JSON object is read as a patch. */
export function fileOperations(call: FactCall): readonly FileOperation[] {
  const known = KNOWN.get(call) ?? readOperations(call);
  KNOWN.set(call, known);
  return known;
}

/** What a call changes in the file that is open, where it names none itself. */
export function openFileOperation({ name, input }: FactCall, path: string | undefined): readonly FileOperation[] {
  if (path === undefined || input === undefined || operationOf(toolWords(name), input) !== "written") return [];
  const change = changeOf(input);
  return change.length === 0 ? [] : [{ path, operation: "written", change }];
}

function readOperations(call: FactCall): readonly FileOperation[] {
  const { input } = call;
  if (input === undefined) return call.texts.flatMap(namedPatches);
  const script = scriptOf(call);
  if (script !== undefined) return shellOperations(script);
  const patched = PATCH_KEYS.flatMap((key) => namedPatches(patchText(input[key])));
  const words = toolWords(call.name);
  if (hasWord(words, SEARCHING)) return patched;
  const operation = operationOf(words, input);
  if (operation === undefined) return patched;
  if (operation === "moved") return [...patched, ...movedFiles(input)];
  return [...patched, ...namedFiles(input, operation)];
}

function operationOf(words: readonly string[], input: Arguments): FileFact["operation"] | undefined {
  if (typeof input.command === "string" && READ_ONLY_COMMANDS.has(input.command)) return "read";
  if (hasWord(words, MOVING)) return "moved";
  if (hasWord(words, DELETING)) return "deleted";
  if (hasWord(words, WRITING)) return "written";
  return hasWord(words, READING) ? "read" : undefined;
}

function namedFiles(input: Arguments, operation: FileFact["operation"]): readonly FileOperation[] {
  const listed = LIST_KEYS.flatMap((key) => [
    ...objectsOf(input[key]).flatMap((entry) => filesOf(entry, operation)),
    ...plainFiles(stringsOf(input[key]), operation),
  ]);
  return [...filesOf(input, operation), ...listed];
}

function plainFiles(paths: readonly string[], operation: FileFact["operation"]): readonly FileOperation[] {
  return paths.filter(isPath).map((path) => ({ path, operation }));
}

function filesOf(input: Arguments, operation: FileFact["operation"]): readonly FileOperation[] {
  const paths = new Set(PATH_KEYS.map((key) => input[key]).filter(isPath));
  const change = operation === "written" ? changeOf(input) : [];
  return [...paths].map((path) => (change.length === 0 ? { path, operation } : { path, operation, change }));
}

function movedFiles(input: Arguments): readonly FileOperation[] {
  const path = firstString(input, [...FROM_KEYS, ...PATH_KEYS]);
  const to = firstString(input, TO_KEYS);
  if (!isPath(path)) return [];
  return [isPath(to) ? { path, operation: "moved", to } : { path, operation: "moved" }];
}

function changeOf(input: Arguments): readonly ChangedLine[] {
  const edits = [...objectsOf(input.edits), ...objectsOf(input.changes), ...objectsOf(input.replacements)];
  const lines = [input, ...edits].flatMap((edit) => {
    const added = firstString(edit, NEW_KEYS);
    const removed = firstString(edit, OLD_KEYS);
    return added === undefined && removed === undefined ? [] : replacedText(removed ?? "", added ?? "");
  });
  if (lines.length > 0) return lines;
  const [patch] = readPatch(firstString(input, ["diff", "patch"]) ?? "").filter(({ path }) => path === "");
  return patch?.lines ?? wholeContent(firstString(input, CONTENT_KEYS) ?? "");
}

function patchText(value: unknown): string {
  return Array.isArray(value) ? stringsOf(value).join("\n") : typeof value === "string" ? value : "";
}

function namedPatches(text: string): readonly FileOperation[] {
  const files = readPatch(text).filter(({ path }) => isPath(path));
  return files.map(({ lines, ...file }) => (lines.length === 0 ? file : { ...file, change: lines }));
}

function isPath(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= LONGEST_PATH &&
    !value.includes("\n") &&
    !isArguments(value)
  );
}
