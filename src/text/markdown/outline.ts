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

// Splits a text at its headings. Only headings at the top level count: one inside a list item or a quote belongs to it.

export interface Section {
  /** Undefined for what stands before the first heading. */
  readonly heading: HeadingBlock | undefined;
  /** First line, that of its heading. */
  readonly from: number;
  /** First line after its heading. */
  readonly body: number;
  /** Where the next section begins. */
  readonly to: number;
  /** Where the next section of its own level or a higher one begins: its end with all that stands below it. */
  readonly whole: number;
}

/**
 * In order, without gaps, from line 0 to `lineCount`. Headings deeper than `deepest` stay in the section they stand in.
 * The first one has no heading, and is left out where it has no lines.
 */
export function splitSections(outline: Outline, lineCount: number, deepest = 6): readonly Section[] {
  const headings = outline.blocks
    .filter(isHeading)
    .filter(({ container, level }) => container === undefined && level <= deepest);
  const first = headings[0]?.from ?? lineCount;
  const preamble: Section = { heading: undefined, from: 0, body: 0, to: first, whole: first };
  const wholes = wholeEnds(headings, lineCount);
  const sections = headings.map(
    (heading, index): Section => ({
      heading,
      from: heading.from,
      body: heading.to,
      to: headings[index + 1]?.from ?? lineCount,
      whole: wholes[index] ?? lineCount,
    }),
  );
  return first === 0 ? sections : [preamble, ...sections];
}

/** From the last heading to the first, so that each is looked at once, however many there are. */
function wholeEnds(headings: readonly HeadingBlock[], lineCount: number): readonly number[] {
  /** By level: where the nearest heading of that level or a higher one begins, among those seen. */
  const nearest = new Array<number>(7).fill(lineCount);
  const ends = new Array<number>(headings.length).fill(lineCount);
  for (let index = headings.length - 1; index >= 0; index--) {
    const { level = 6, from = lineCount } = headings[index] ?? {};
    ends[index] = nearest[level] ?? lineCount;
    nearest.fill(from, level);
  }
  return ends;
}
