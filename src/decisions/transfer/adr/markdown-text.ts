// Pieces of Markdown as plain text: paragraphs, list items, and both without the marks of emphasis and links.

const MOST_LINE = 4000;

/** Links by their words, no emphasis; white space is one space. Code stays as it is. */
export function plainText(text: string): string {
  const pieces = text.split(/(`[^`\n]{1,300}`)/);
  return pieces
    .map((piece, at) => (at % 2 === 1 ? piece : withoutMarks(piece)))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]\n]{1,300})\]\([^)\n]{0,500}\)/g, "$1")
    .replace(/\*\*|(?<![\p{L}\p{N}_])__(?=\S)|(?<=\S)__(?![\p{L}\p{N}_])/gu, "")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.!?])\*(?![\p{L}\p{N}*])/gu, "");
}

/** A paragraph, or a list. Code and headings stand apart and are none. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "heading"; readonly text: string; readonly level: number };

interface OpenList {
  readonly indent: number;
  readonly items: string[][];
}

export function readBlocks(body: string): readonly Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let list: OpenList | undefined;
  let fence = "";
  const close = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: plainText(paragraph.join(" ")) });
    if (list !== undefined) blocks.push({ kind: "list", items: list.items.map((lines) => plainText(lines.join(" "))) });
    paragraph = [];
    list = undefined;
  };
  const readWords = (line: string) => {
    const [, space = "", item] = /^(\s{0,12})(?:[-*+]|\d{1,3}[.)])\s{1,10}(.*)$/.exec(line) ?? [];
    if (item !== undefined && (list === undefined || space.length <= list.indent)) {
      if (list === undefined) close();
      list ??= { indent: space.length, items: [] };
      list.items.push([item]);
      // What is deeper belongs to the item above it, but is detail.
    } else if (list !== undefined && (item !== undefined || /^\s/.test(line))) {
      if (item === undefined) list.items.at(-1)?.push(line);
    } else {
      if (list !== undefined) close();
      paragraph.push(line);
    }
  };
  for (const line of body.split("\n")) {
    const mark = /^\s{0,12}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence)) fence = "";
    } else if (mark !== undefined) {
      close();
      fence = mark;
    } else if (/^ {0,3}#{1,6}\s/.test(line)) {
      close();
      const marks = /#{1,6}/.exec(line)?.[0] ?? "#";
      blocks.push({ kind: "heading", level: marks.length, text: plainText(line.trim().slice(marks.length)) });
    } else if (line.trim() === "") {
      // A blank line does not end a list.
      if (list === undefined) close();
    } else if (!/^\s{0,3}[|>]/.test(line)) readWords(line.slice(0, MOST_LINE));
  }
  close();
  return blocks;
}
