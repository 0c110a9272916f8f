// A change to a file as lines with marks, whatever way it was written down: whole content, old and new text, or a
// patch. What the lines define is symbols.ts.
import type { FileFact } from "../ledger.ts";

export interface ChangedLine {
  /** `+` new, `-` gone, ` ` around it. */
  readonly mark: "+" | "-" | " ";
  readonly text: string;
}

/** Longer texts are read up to here: the symbols of a file stand at its beginning as well as anywhere. */
const LONGEST_TEXT = 200_000;

export function wholeContent(text: string): readonly ChangedLine[] {
  return text === "" ? [] : splitLines(text).map((line) => ({ mark: "+", text: line }));
}

/** Lines of the new text, those that the old one had too as context, and in front the ones that went. */
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

export function splitLines(text: string): readonly string[] {
  return text.slice(0, LONGEST_TEXT).split("\n");
}

// What one call did to one file.

export interface FileOperation {
  readonly path: string;
  readonly operation: FileFact["operation"];
  /** New path of a moved file. */
  readonly to?: string;
  readonly change?: readonly ChangedLine[];
}

// Reads patches, line by line: the `*** Update File:` form of apply_patch, unified diffs, and SEARCH/REPLACE blocks.

export interface PatchedFile {
  /** "" for a patch that names no file. */
  readonly path: string;
  readonly operation: FileFact["operation"];
  readonly to?: string;
  readonly lines: readonly ChangedLine[];
}

const HEADER = /^\*\*\* (Update|Add|Delete) File: (.{1,400})$/;
const MOVE = /^\*\*\* Move to: (.{1,400})$/;
const HUNK = /^@@(?:[ \d,+-]{0,60}@@)? ?(.{0,200})$/;
const SEARCH = /^(?:<{5,9}|-{5,9}) ?SEARCH/;
const DIVIDER = /^={5,9}$/;
const REPLACED = /^(?:>{5,9}|\+{5,9}) ?REPLACE/;
/** A cheap look before the lines are read. */
const PATCH_MARKS = /^(?:\*\*\* (?:Update|Add|Delete) File: |--- .{0,400}\n\+\+\+ |@@|<{5,9} ?SEARCH|-{5,9} ?SEARCH)/m;

interface OpenFile {
  path: string;
  operation: FileFact["operation"];
  to?: string;
  lines: ChangedLine[];
}

/** The files that a text patches, in order; none when it is no patch. */
export function readPatch(text: string): readonly PatchedFile[] {
  if (!PATCH_MARKS.test(text)) return [];
  const reader = new PatchReader();
  const lines = splitLines(text);
  for (const [at, line] of lines.entries()) reader.take(line, lines[at + 1] ?? "");
  return reader.files;
}

class PatchReader {
  readonly files: OpenFile[] = [];
  #block: "search" | "replace" | undefined;

  take(line: string, next: string): void {
    const opened = openFile(line, next);
    if (opened !== undefined) this.files.push(opened);
    else if (SEARCH.test(line)) this.#startBlock();
    else if (this.#block !== undefined && DIVIDER.test(line)) this.#block = "replace";
    else if (REPLACED.test(line)) this.#block = undefined;
    else this.#addLine(line);
  }

  #startBlock(): void {
    this.#block = "search";
    this.#current();
  }

  /** A patch that begins without naming a file belongs to the one that the call names. */
  #current(): OpenFile {
    const file = this.files.at(-1) ?? { path: "", operation: "written", lines: [] };
    if (this.files.length === 0) this.files.push(file);
    return file;
  }

  #addLine(line: string): void {
    const move = MOVE.exec(line);
    const hunk = this.#block === undefined ? HUNK.exec(line) : null;
    if (hunk !== null) this.#current().lines.push({ mark: " ", text: hunk[1] ?? "" });
    const file = this.files.at(-1);
    if (file === undefined || hunk !== null || line.startsWith("+++ ")) return;
    if (move !== null) {
      file.operation = "moved";
      file.to = (move[1] ?? "").trim();
    } else if (this.#block !== undefined) file.lines.push({ mark: this.#block === "search" ? " " : "+", text: line });
    else if (/^[ +-]/.test(line)) file.lines.push({ mark: line.charAt(0) as ChangedLine["mark"], text: line.slice(1) });
  }
}

function openFile(line: string, next: string): OpenFile | undefined {
  const header = HEADER.exec(line);
  if (header !== null) {
    const operation = header[1] === "Delete" ? "deleted" : "written";
    return { path: (header[2] ?? "").trim(), operation, lines: [] };
  }
  if (!line.startsWith("--- ") || !next.startsWith("+++ ")) return undefined;
  const [before, after] = [unifiedPath(line), unifiedPath(next)];
  if (after === "/dev/null") return { path: before, operation: "deleted", lines: [] };
  return { path: after, operation: "written", lines: [] };
}

/** `--- a/src/x.ts<tab>date` names `src/x.ts`. */
function unifiedPath(line: string): string {
  const path = (line.slice(4, 404).split("\t")[0] ?? "").trim();
  return path.replace(/^[ab]\//, "");
}
