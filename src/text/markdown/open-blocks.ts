// What begins on a line behind the marks of the containers that it continues: quotes, items, and at last one block or
// text. The order of the questions is that of CommonMark.
import { type Cursor, indentOf, isBlank, skipQuoteMark } from "./cursor.ts";
import { htmlStart } from "./html-blocks.ts";
import { atxHeading, isRestBlank, isRule, openingFence, underlineLevel } from "./leaf-lines.ts";
import { listMarker, skipMarker } from "./list-marker.ts";
import { DEEPEST_CONTAINER, type Scan } from "./scan.ts";
import { countCells, countDelimiters } from "./table-rows.ts";

/** Depth: how many of the open containers the line is known to belong to. */
export interface Place {
  readonly line: number;
  readonly depth: number;
}

type Opening = (scan: Scan, cursor: Cursor, place: Place) => boolean;

/** By the first character of what they begin with. */
const LEAVES: Readonly<Record<string, readonly Opening[]>> = {
  "#": [openHeading],
  "`": [openFence],
  "~": [openFence],
  "<": [openHtml],
  "=": [closeAsHeading],
  "-": [closeAsHeading, addRule, openTable],
  _: [addRule],
  "*": [addRule],
  ":": [openTable],
  "|": [openTable],
};

/** Gives the depth that is reached where the rest of the line is text. */
export function openBlocks(scan: Scan, cursor: Cursor, { line, depth: reached }: Place): "leaf" | number {
  let depth = reached;
  while (!isBlank(cursor)) {
    const place = { line, depth };
    if (indentOf(cursor) > 3) return openIndented(scan, place) ? "leaf" : depth;
    const sign = cursor.text.charAt(cursor.next);
    // An item's marker is asked for between the rule and the table.
    for (const opening of LEAVES[sign] ?? []) {
      if (opening === openTable && markerOf(scan, cursor, place) !== undefined) continue;
      if (opening(scan, cursor, place)) return "leaf";
    }
    if (!openContainer(scan, cursor, place)) break;
    depth = scan.open.length;
  }
  return depth;
}

/** Text continues a paragraph, even where it lacks the marks of its containers, or begins one. */
export function addText(scan: Scan, cursor: Cursor, { line, depth }: Place): void {
  const isLazy = depth < scan.open.length;
  const { leaf } = scan;
  if (isBlank(cursor)) {
    scan.closeContainers(depth);
    if (scan.leaf?.kind !== "indented") scan.closeLeaf();
    return;
  }
  const text = cursor.text.slice(cursor.next);
  if (leaf?.kind === "paragraph") {
    leaf.lines.push({ text, isLazy, isIndented: indentOf(cursor) > 3 });
    return;
  }
  scan.closeContainers(depth);
  if (scan.leaf?.kind === "table") scan.leaf.to = line + 1;
  else scan.openLeaf({ kind: "paragraph", from: line, lines: [{ text, isLazy: false, isIndented: false }] });
}

/** The line continues a paragraph unless something else begins on it. */
function isInParagraph(scan: Scan, { depth }: Place): boolean {
  return depth === scan.open.length && scan.leaf?.kind === "paragraph";
}

function openContainer(scan: Scan, cursor: Cursor, place: Place): boolean {
  if (place.depth >= DEEPEST_CONTAINER) return false;
  if (cursor.text.charAt(cursor.next) === ">") {
    scan.closeContainers(place.depth);
    skipQuoteMark(cursor);
    scan.openContainer("quote", place.line);
    return true;
  }
  const marker = markerOf(scan, cursor, place);
  if (marker === undefined) return false;
  scan.closeContainers(place.depth);
  scan.openContainer("item", place.line, skipMarker(cursor, marker));
  return true;
}

function markerOf(scan: Scan, cursor: Cursor, place: Place) {
  const marker = listMarker(cursor.text, cursor.next);
  if (marker === undefined || !isInParagraph(scan, place)) return marker;
  // An empty item does not interrupt a paragraph.
  const isEmpty = isRestBlank(cursor.text, cursor.next + marker.length);
  return marker.isFirst && !isEmpty ? marker : undefined;
}

function openIndented(scan: Scan, { line, depth }: Place): boolean {
  if (scan.leaf?.kind === "paragraph") return false;
  scan.closeContainers(depth);
  scan.openLeaf({ kind: "indented", from: line, to: line + 1 });
  return true;
}

function openHeading(scan: Scan, { text, next }: Cursor, { line, depth }: Place): boolean {
  const heading = atxHeading(text, next);
  if (heading === undefined) return false;
  scan.closeContainers(depth);
  scan.closeLeaf();
  scan.addHeading(line, line + 1, heading.level, heading.text);
  return true;
}

function openFence(scan: Scan, { text, next }: Cursor, { line, depth }: Place): boolean {
  const fence = openingFence(text, next);
  if (fence === undefined) return false;
  scan.closeContainers(depth);
  scan.openLeaf({ kind: "fence", from: line, fence, to: line + 1, filledTo: line + 1 });
  return true;
}

function openHtml(scan: Scan, { text, next }: Cursor, { line, depth }: Place): boolean {
  const start = htmlStart(text, next);
  // A tag that does not interrupt a paragraph does not end one that goes on without its marks either.
  if (start === undefined || (!start.interrupts && scan.leaf?.kind === "paragraph")) return false;
  scan.closeContainers(depth);
  scan.openLeaf({ kind: "html", from: line, end: start.end, to: line + 1, filledTo: line + 1 });
  if (start.end !== "blank" && start.end.test(text.slice(next))) scan.closeLeaf();
  return true;
}

function closeAsHeading(scan: Scan, { text, next }: Cursor, place: Place): boolean {
  if (!isInParagraph(scan, place)) return false;
  const level = underlineLevel(text, next);
  if (level === 0) return false;
  const lines = scan.settleDefinitions();
  // Nothing but definitions: this is no underline.
  if (lines.length === 0) return false;
  scan.leaf = undefined;
  const words = lines.map((line) => line.text.trim()).join(" ");
  scan.addHeading(place.line - lines.length, place.line + 1, level, words);
  return true;
}

function addRule(scan: Scan, { text, next }: Cursor, { line, depth }: Place): boolean {
  if (!isRule(text, next)) return false;
  scan.closeContainers(depth);
  scan.closeLeaf();
  scan.addBlock("rule", line, line + 1);
  return true;
}

/** The last line of the paragraph becomes its head. */
function openTable(scan: Scan, { text, next }: Cursor, place: Place): boolean {
  const { leaf } = scan;
  if (leaf?.kind !== "paragraph" || !isInParagraph(scan, place)) return false;
  const cells = countDelimiters(text, next);
  const head = leaf.lines.at(-1);
  if (cells === 0 || head === undefined || head.isIndented || countCells(head.text) !== cells) return false;
  leaf.lines.pop();
  scan.openLeaf({ kind: "table", from: place.line - 1, to: place.line + 1 });
  return true;
}
