// What a Markdown text consists of, by line: its blocks, the list items and quotes around them. Lines are counted from 0
// and given without their ends, so nothing here knows of bytes, encodings or line endings.

export type BlockKind =
  | "front_matter"
  | "heading"
  | "paragraph"
  /** Fenced or indented; the fences are part of it. One that is never closed reaches to the end of what it stands in. */
  | "code"
  | "table"
  /** Comments too. */
  | "html"
  /** A thematic break. */
  | "rule"
  /** Of link references. */
  | "definition";

export interface Block {
  readonly kind: BlockKind;
  /** First line. */
  readonly from: number;
  /** Line after its last. Blank lines between blocks belong to none. */
  readonly to: number;
  /** Innermost list item or quote around it, as a position in `containers`. */
  readonly container: number | undefined;
}

export interface HeadingBlock extends Block {
  readonly kind: "heading";
  /** 1 to 6. */
  readonly level: number;
  /** Without marks and closing marks, trimmed. `## C#` is `C#`. */
  readonly text: string;
}

export interface Container {
  readonly kind: "item" | "quote";
  readonly from: number;
  /** Line after the last line that belongs to it, blank lines at its end not counted. */
  readonly to: number;
  readonly parent: number | undefined;
}

export interface Outline {
  /** In the order of their lines; they do not overlap. */
  readonly blocks: readonly (Block | HeadingBlock)[];
  readonly containers: readonly Container[];
}

export function isHeading(block: Block): block is HeadingBlock {
  return block.kind === "heading";
}
