// Finds the blocks of a Markdown text as CommonMark does, with the tables of GitHub and front matter, in one pass over its
// lines and without looking into paragraphs. Any text is Markdown, so nothing here fails.
import { type Cursor, indentOf, isBlank, skipBlanks, skipColumns, skipQuoteMark, startLine } from "./cursor.ts";
import { endOfFrontMatter } from "./front-matter.ts";
import { closesFence } from "./leaf-lines.ts";
import { addText, openBlocks } from "./open-blocks.ts";
import type { Outline } from "./outline.ts";
import { type OpenContainer, Scan } from "./scan.ts";

const QUOTE_MARK = 62;

/** Lines without their ends. Linear in the length of the text; containers more than a hundred deep are read as text. */
export function scanMarkdown(lines: readonly string[]): Outline {
  const scan = new Scan();
  const begin = endOfFrontMatter(lines);
  if (begin > 0) scan.addBlock("front_matter", 0, begin);
  for (let line = begin; line < lines.length; line++) scanLine(scan, startLine(lines[line] ?? ""), line);
  scan.closeContainers(0);
  scan.closeLeaf();
  return { blocks: scan.blocks, containers: scan.containers };
}

function scanLine(scan: Scan, cursor: Cursor, line: number): void {
  const depth = continueContainers(scan, cursor, line);
  if (depth === scan.open.length && continueLeaf(scan, cursor, line)) return;
  const opened = openBlocks(scan, cursor, { line, depth });
  if (opened === "leaf") return;
  addText(scan, cursor, { line, depth: opened });
}

/** How many of the open containers this line belongs to; moves behind their marks. */
function continueContainers(scan: Scan, cursor: Cursor, line: number): number {
  let depth = 0;
  for (const container of scan.open) {
    if (!continues(container, cursor)) break;
    if (container.kind === "quote") scan.reachContainer(container, line + 1);
    depth += 1;
  }
  return depth;
}

function continues({ kind, columns, isEmpty }: OpenContainer, cursor: Cursor): boolean {
  if (kind === "quote") {
    if (indentOf(cursor) > 3 || cursor.text.charCodeAt(cursor.next) !== QUOTE_MARK) return false;
    skipQuoteMark(cursor);
    return true;
  }
  if (isBlank(cursor)) {
    if (isEmpty) return false;
    skipBlanks(cursor);
    return true;
  }
  if (indentOf(cursor) < columns) return false;
  skipColumns(cursor, columns);
  return true;
}

/** Takes the line where the open block takes any line, or where it ends with it. */
function continueLeaf(scan: Scan, cursor: Cursor, line: number): boolean {
  const { leaf } = scan;
  if (leaf?.kind === "fence") {
    reachLine(leaf, cursor, line);
    if (indentOf(cursor) <= 3 && closesFence(cursor.text, cursor.next, leaf.fence)) scan.closeLeaf();
    return true;
  }
  if (leaf?.kind === "html") {
    if (leaf.end === "blank" && isBlank(cursor)) return false;
    reachLine(leaf, cursor, line);
    if (leaf.end !== "blank" && leaf.end.test(cursor.text.slice(cursor.offset))) scan.closeLeaf();
    return true;
  }
  if (leaf?.kind !== "indented") return false;
  if (isBlank(cursor)) return true;
  if (indentOf(cursor) < 4) return false;
  leaf.to = line + 1;
  return true;
}

function reachLine(leaf: { to: number; filledTo: number }, cursor: Cursor, line: number): void {
  leaf.to = line + 1;
  if (!isBlank(cursor)) leaf.filledTo = leaf.to;
}
