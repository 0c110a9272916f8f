// What a call does to a file, and the change as lines with marks, whatever way it was written down: whole content, old
// and new text, or a patch (the `*** Update File:` form, unified diffs, SEARCH/REPLACE blocks).
import type { FileFact } from "./ledger.ts";

export interface ChangedLine {
  /** `+` new, `-` gone, ` ` around it. */
  readonly mark: "+" | "-" | " ";
  readonly text: string;
}

export interface FileOperation {
  readonly path: string;
  readonly operation: FileFact["operation"];
  /** New path of a moved file. */
  readonly to?: string;
  readonly change?: readonly ChangedLine[];
}

/** Longer texts are read up to here: the symbols of a file stand at its beginning as well as anywhere. */
const LONGEST_TEXT = 200_000;
const LONGEST_PATH = 400;

export function wholeContent(text: string): readonly ChangedLine[] {
  return text === "" ? [] : splitLines(text).map((line) => ({ mark: "+", text: line }));
}

/** Lines of the new text, those that the old one had too as context, then the ones that went. */
export function replacedText(removed: string, added: string): readonly ChangedLine[] {
  if (removed === "") return wholeContent(added);
  const before = splitLines(removed);
  const after = splitLines(added);
  const known = new Set(before);
  const kept = new Set(after);
  const gone = before.map((text): ChangedLine => ({ mark: kept.has(text) ? " " : "-", text }));
  if (after.every((text) => known.has(text))) return gone;
  return [
    ...after.map((text): ChangedLine => ({ mark: known.has(text) ? " " : "+", text })),
    ...gone.filter(({ mark }) => mark === "-"),
  ];
}

function splitLines(text: string): readonly string[] {
  return text.slice(0, LONGEST_TEXT).split("\n");
}

/** The files that a patch names, with what it does to each. */
export function patchOperations(text: string): FileOperation[] {
  const files = readPatch(text).filter(({ path }) => path !== "" && path.length <= LONGEST_PATH);
  return files.map(({ change, ...file }) => (change.length === 0 ? file : { ...file, change }));
}

/** The lines of a patch that names no file: the call does. */
export function barePatch(text: string): readonly ChangedLine[] {
  return readPatch(text).find(({ path }) => path === "")?.change ?? [];
}

interface PatchedFile {
  path: string;
  operation: FileFact["operation"];
  to?: string;
  change: ChangedLine[];
}

const HEADER = /^\*\*\* (Update|Add|Delete) File: (.{1,400})$/;
const MOVE = /^\*\*\* Move to: (.{1,400})$/;
const HUNK = /^@@(?:[ \d,+-]{0,60}@@)? ?(.{0,200})$/;
const SEARCH = /^(?:<{5,9}|-{5,9}) ?SEARCH/;
const DIVIDER = /^={5,9}$/;
const REPLACED = /^(?:>{5,9}|\+{5,9}) ?REPLACE/;
/** A cheap look before the lines are read. */
const PATCH_MARKS = /^(?:\*\*\* (?:Update|Add|Delete) File: |--- .{0,400}\n\+\+\+ |@@|[<-]{5,9} ?SEARCH)/m;

function readPatch(text: string): readonly PatchedFile[] {
  if (!PATCH_MARKS.test(text)) return [];
  const files: PatchedFile[] = [];
  /** Which half of a SEARCH/REPLACE block is read. */
  let block: ChangedLine["mark"] | undefined;
  const lines = splitLines(text);
  for (const [at, line] of lines.entries()) {
    const opened = openFile(line, lines[at + 1] ?? "");
    const mark = blockMark(line, block);
    if (opened !== undefined) files.push(opened);
    else if (files.length === 0 && (mark !== block || HUNK.test(line))) files.push(openedBare());
    const file = files.at(-1);
    if (file !== undefined && opened === undefined && mark === block) readLine(file, line, block);
    block = mark;
  }
  return files;
}

function openedBare(): PatchedFile {
  return { path: "", operation: "written", change: [] };
}

function blockMark(line: string, block: ChangedLine["mark"] | undefined): ChangedLine["mark"] | undefined {
  if (SEARCH.test(line)) return " ";
  if (REPLACED.test(line)) return undefined;
  return block !== undefined && DIVIDER.test(line) ? "+" : block;
}

function readLine(file: PatchedFile, line: string, block: ChangedLine["mark"] | undefined): void {
  const hunk = HUNK.exec(line)?.[1];
  const to = MOVE.exec(line)?.[1];
  if (block !== undefined) file.change.push({ mark: block, text: line });
  else if (hunk !== undefined) file.change.push({ mark: " ", text: hunk });
  else if (to !== undefined) Object.assign(file, { operation: "moved", to: to.trim() });
  else if (/^[ +-]/.test(line) && !line.startsWith("+++ "))
    file.change.push({ mark: line.charAt(0) as ChangedLine["mark"], text: line.slice(1) });
}

function openFile(line: string, next: string): PatchedFile | undefined {
  const [, verb, named = ""] = HEADER.exec(line) ?? [];
  if (verb !== undefined)
    return { path: named.trim(), operation: verb === "Delete" ? "deleted" : "written", change: [] };
  if (!line.startsWith("--- ") || !next.startsWith("+++ ")) return undefined;
  const after = unifiedPath(next);
  if (after === "/dev/null") return { path: unifiedPath(line), operation: "deleted", change: [] };
  return { path: after, operation: "written", change: [] };
}

/** `--- a/src/x.ts<tab>date` names `src/x.ts`. */
function unifiedPath(line: string): string {
  const path = (line.slice(4, 404).split("\t")[0] ?? "").trim();
  return path.replace(/^[ab]\//, "");
}
