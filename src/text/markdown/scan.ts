// What the scanner knows between two lines: the open containers, the open block in the innermost of them, and all that is
// closed. Opening and closing happen here; which of them a line asks for is scan-markdown.ts's.
import { definitionEnds } from "./definitions.ts";
import type { HtmlEnd } from "./html-blocks.ts";
import type { Fence } from "./leaf-lines.ts";
import type { Block, BlockKind, Container, HeadingBlock } from "./outline.ts";

type Changing<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] };

export interface OpenContainer {
  readonly kind: Container["kind"];
  /** Position among all containers. */
  readonly position: number;
  /** Of an item: columns that its lines are indented. */
  readonly columns: number;
  /** An item that begins with a blank line does not outlast a second one. */
  isEmpty: boolean;
}

export interface ParagraphLine {
  readonly text: string;
  /** By four columns or more: no head of a table. */
  readonly isIndented: boolean;
  /** Without the marks of the quote or the indent of the item that it continues. */
  readonly isLazy: boolean;
}

export type Leaf =
  | { readonly kind: "paragraph"; readonly from: number; readonly lines: ParagraphLine[] }
  | { readonly kind: "fence"; readonly from: number; readonly fence: Fence; to: number; filledTo: number }
  | { readonly kind: "html"; readonly from: number; readonly end: HtmlEnd; to: number; filledTo: number }
  | { readonly kind: "indented"; readonly from: number; to: number }
  | { readonly kind: "table"; readonly from: number; to: number };

/** Containers in one another. What is deeper is text. */
export const DEEPEST_CONTAINER = 100;

const KINDS = { fence: "code", indented: "code", html: "html", table: "table" } as const;

export class Scan {
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
