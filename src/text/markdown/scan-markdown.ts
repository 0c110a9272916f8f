// Finds the blocks of a Markdown text as CommonMark does, with the tables of GitHub and front matter, in one pass over its
// lines and without looking into paragraphs. Any text is Markdown, so nothing here fails.
import {
  atxHeading,
  type Cursor,
  closesFence,
  countCells,
  countDelimiters,
  endOfFrontMatter,
  type Fence,
  type HtmlEnd,
  htmlStart,
  indentOf,
  isBlank,
  isRestBlank,
  isRule,
  listMarker,
  openingFence,
  skipBlanks,
  skipColumns,
  skipMarker,
  skipQuoteMark,
  startLine,
  underlineLevel,
} from "./block-lines.ts";
import { definitionEnds } from "./definitions.ts";
import type { Block, BlockKind, Container, HeadingBlock, Outline } from "./outline.ts";

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

// What the scanner knows between two lines: the open containers, the open block in the innermost of them, and all that is
// closed. Opening and closing happen here; which of them a line asks for is scan-markdown.ts's.

type Changing<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

interface OpenContainer {
  readonly kind: Container["kind"];
  /** Position among all containers. */
  readonly position: number;
  /** Of an item: columns that its lines are indented. */
  readonly columns: number;
  /** An item that begins with a blank line does not outlast a second one. */
  isEmpty: boolean;
}

interface ParagraphLine {
  readonly text: string;
  /** By four columns or more: no head of a table. */
  readonly isIndented: boolean;
  /** Without the marks of the quote or the indent of the item that it continues. */
  readonly isLazy: boolean;
}

type Leaf =
  | { readonly kind: "paragraph"; readonly from: number; readonly lines: ParagraphLine[] }
  | { readonly kind: "fence"; readonly from: number; readonly fence: Fence; to: number; filledTo: number }
  | { readonly kind: "html"; readonly from: number; readonly end: HtmlEnd; to: number; filledTo: number }
  | { readonly kind: "indented"; readonly from: number; to: number }
  | { readonly kind: "table"; readonly from: number; to: number };

/** Containers in one another. What is deeper is text. */
const DEEPEST_CONTAINER = 100;

const KINDS = { fence: "code", indented: "code", html: "html", table: "table" } as const;

class Scan {
  readonly blocks: (Block | HeadingBlock)[] = [];
  readonly containers: Changing<Container>[] = [];
  readonly open: OpenContainer[] = [];
  leaf: Leaf | undefined;

  /** A container that begins here; what was open in the innermost one is closed. */
  openContainer(kind: Container["kind"], line: number, columns = 0): void {
    this.closeLeaf();
    const parent = this.#beginChild();
    const position = this.containers.push({ kind, from: line, to: line + 1, parent }) - 1;
    this.open.push({ kind, position, columns, isEmpty: true });
  }

  openLeaf(leaf: Leaf): void {
    this.closeLeaf();
    this.#beginChild();
    this.leaf = leaf;
  }

  addBlock(kind: BlockKind, from: number, to: number): void {
    this.blocks.push({ kind, from, to, container: this.#beginChild() });
    this.#reach(to);
  }

  addHeading(from: number, to: number, level: number, text: string): void {
    this.blocks.push({ kind: "heading", from, to, container: this.#beginChild(), level, text });
    this.#reach(to);
  }

  closeLeaf(): void {
    const { leaf } = this;
    this.leaf = undefined;
    if (leaf === undefined) return;
    if (leaf.kind !== "paragraph") this.addBlock(KINDS[leaf.kind], leaf.from, leaf.to);
    else this.#addParagraph(leaf.from, leaf.lines);
  }

  /** Until no more than `depth` are open. */
  closeContainers(depth: number): void {
    if (this.open.length > depth) this.#closeUnfinished();
    while (this.open.length > depth) {
      const closed = this.containers[this.open.pop()?.position ?? 0];
      if (closed !== undefined) this.#reach(closed.to);
    }
  }

  /** Blank lines at the end of an item are not its own, be it in the middle of a block. */
  #closeUnfinished(): void {
    const { leaf } = this;
    if (leaf !== undefined && "filledTo" in leaf && this.open.at(-1)?.kind === "item") leaf.to = leaf.filledTo;
    this.closeLeaf();
  }

  /** Says that a line with its mark belongs to an open container. */
  reachContainer({ position }: OpenContainer, to: number): void {
    const container = this.containers[position];
    if (container !== undefined && container.to < to) container.to = to;
  }

  /** Splits the definitions off an open paragraph; gives what is left of it. */
  settleDefinitions(): readonly ParagraphLine[] {
    const { leaf } = this;
    if (leaf?.kind !== "paragraph") return [];
    const rest = this.#addDefinitions(leaf.from, leaf.lines);
    const from = leaf.from + leaf.lines.length - rest.length;
    this.leaf = rest.length === 0 ? undefined : { kind: "paragraph", from, lines: rest };
    return rest;
  }

  #addParagraph(from: number, lines: ParagraphLine[]): void {
    const rest = this.#addDefinitions(from, lines);
    if (rest.length > 0) this.addBlock("paragraph", from + lines.length - rest.length, from + lines.length);
  }

  #addDefinitions(from: number, lines: ParagraphLine[]): ParagraphLine[] {
    if (lines[0]?.text.charAt(0) !== "[") return lines;
    let begin = 0;
    for (const end of definitionEnds(lines.map(({ text }) => text))) {
      this.addBlock("definition", from + begin, from + end);
      begin = end;
    }
    return lines.slice(begin);
  }

  /** Position of the innermost container, which is not empty any more. */
  #beginChild(): number | undefined {
    const innermost = this.open.at(-1);
    if (innermost !== undefined) innermost.isEmpty = false;
    return innermost?.position;
  }

  #reach(to: number): void {
    const innermost = this.open.at(-1);
    if (innermost !== undefined) this.reachContainer(innermost, to);
  }
}

// What begins on a line behind the marks of the containers that it continues: quotes, items, and at last one block or
// text. The order of the questions is that of CommonMark.

/** Depth: how many of the open containers the line is known to belong to. */
interface Place {
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
function openBlocks(scan: Scan, cursor: Cursor, { line, depth: reached }: Place): "leaf" | number {
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
function addText(scan: Scan, cursor: Cursor, { line, depth }: Place): void {
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
