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
  return readPatch(text).find(({ path }) => path === "")?.change ?? markedLines(text);
}

/** Of a patch that is nothing but lines with marks. */
function markedLines(text: string): readonly ChangedLine[] {
  const lines = splitLines(text).filter((line) => line !== "");
  if (!lines.some((line) => /^[+-]/.test(line)) || !lines.every((line) => /^[ +-]/.test(line))) return [];
  return lines.map((line) => ({ mark: line.charAt(0) as ChangedLine["mark"], text: line.slice(1) }));
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
    else if (files.length === 0 && (mark !== block || HUNK.test(line)))
      files.push({ path: "", operation: "written", change: [] });
    const file = files.at(-1);
    if (file !== undefined && opened === undefined && mark === block) readLine(file, line, block);
    block = mark;
  }
  return files;
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
  // `--- a/src/x.ts<tab>date` names `src/x.ts`.
  const [before = "", after = ""] = [line, next].map((named) =>
    (named.slice(4, 404).split("\t")[0] ?? "").trim().replace(/^[ab]\//, ""),
  );
  const isGone = after === "/dev/null";
  return { path: isGone ? before : after, operation: isGone ? "deleted" : "written", change: [] };
}

// Which functions, classes, tables, headings or keys a change touched: those that changed lines define, and those that
// changed lines stand in. By each line alone: enough for a note, in any of the usual languages.

/** Of one file. */
const MOST_SYMBOLS = 8;
const LONGEST_LINE = 400;

const NO_NAMES = /\.(?:txt|csv|lock|log|svg|html?|s?css|rst)$/i;
const TEXT = /\.(?:md|mdx|markdown)$/i;
const KEYS = /\.(?:jsonc?|ya?ml|toml|ini|cfg|conf|properties)$|(?:^|\/)\.env\b/i;

/** Words that may stand before a name that is declared. */
const MODIFIERS = "(?:[a-z]{2,12}(?:\\([a-z]{1,12}\\))? ){0,6}";
const DEFINITIONS: readonly RegExp[] = [
  new RegExp(
    `^${MODIFIERS}(?:function\\*?|def|fn|func|fun|class|interface|struct|enum|trait|type|module|namespace|object|record|protocol|mod|message|service|impl(?:<[^>]{0,80}>)?) (?:\\([\\w* .[\\],]{1,80}\\) )?(?:self\\.)?([A-Za-z_$][\\w$]{0,80})`,
  ),
  /\b(?:create|alter|drop) (?:[a-z]{2,12} ){0,3}?(?:table|view|index|function|trigger|type) (?:if (?:not )?exists )?[`"[]?([\w.$]{1,80})/i,
  /^(?:it|test|describe)(?:\.\w{1,20})?\(\s?["'`](.{1,80}?)["'`]/,
  /^(?:function )?([A-Za-z_][\w-]{0,80}) ?\(\) ?\{/,
];
/** A value that is a function, or any constant at the left edge. */
const FUNCTION_VALUE = new RegExp(
  `^${MODIFIERS}([A-Za-z_$][\\w$]{0,80})(?:: [^=]{1,120})? ?[=:] ?(?:async )?(?:function\\b|\\(.{0,200}=>|\\w{1,60} ?=>|\\($)`,
);
const CONSTANT = /^(?:export )?(?:const|let|var|val|static|final) (\w{1,80})|^([A-Z][A-Z0-9_]{2,80})(?:: \w{1,60})? ?=/;
const METHOD = /^(?:[\w$<>[\],.?&*:~]{1,60} ){0,6}([A-Za-z_$#][\w$]{0,80})(?:<[^<>]{0,80}>)?\((?!.*=>).*\{$/;
export const STATEMENT =
  /^(?:\} )?(?:if|for|while|switch|catch|return|with|else|do|try|elif|match|case|await|new|throw|super|break|continue|default)\b/;

/** At most `MOST_SYMBOLS`, the outer ones first when there are more, each in the order of the file. */
export function symbolsOf(path: string, lines: readonly ChangedLine[]): readonly string[] {
  if (NO_NAMES.test(path)) return [];
  const found = new Map<string, number>();
  let around: { readonly name: string; readonly indent: number } | undefined;
  for (const { mark, text } of lines) {
    const line = text.trim();
    if (line === "" || text.length > LONGEST_LINE) continue;
    const indent = text.length - text.trimStart().length;
    const name = definedIn(path, line, indent);
    const isInside = around !== undefined && (TEXT.test(path) || indent > around.indent);
    if (name !== undefined) around = { name, indent };
    // Back at the left of the definition, and not the last line of a head of many lines.
    else if (!isInside && !/[{:(]$/.test(line)) around = undefined;
    if (mark !== " " && around !== undefined && (name !== undefined || isInside) && !found.has(around.name))
      found.set(around.name, around.indent);
  }
  const outer = new Map([...found].sort((one, other) => one[1] - other[1]).slice(0, MOST_SYMBOLS));
  return [...found.keys()].filter((name) => outer.has(name));
}

/** Those of the newest change first. */
export function joinSymbols(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...new Set([...after, ...before])].slice(0, MOST_SYMBOLS);
}

/** The name that a line without its indentation defines. */
function definedIn(path: string, line: string, indent: number): string | undefined {
  if (TEXT.test(path)) return indent === 0 ? /^#{1,6} (.{1,80})/.exec(line)?.[1]?.trim() : undefined;
  if (KEYS.test(path))
    return indent > 4 ? undefined : /^\[{0,2}["']?([A-Za-z_][\w.\-/]{0,80})["']?\s{0,4}[:=\]]/.exec(line)?.[1];
  // Comments, closing brackets, strings, markup, statements.
  if (!/^[A-Za-z_$]/.test(line) || STATEMENT.test(line)) return undefined;
  const forms = [...DEFINITIONS, FUNCTION_VALUE, METHOD, ...(indent === 0 ? [CONSTANT] : [])];
  const match = forms.map((form) => form.exec(line)).find((found) => found !== null);
  return match?.[1] ?? match?.[2];
}
