// The same outline as another parser sees it: CommonMark with tables and front matter, from micromark's tree. Where the
// places in that tree are odd, they are put right here, each with its reason.
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTable } from "micromark-extension-gfm-table";
import { isBlank } from "../../test/text/markdown/describe-outline.ts";

interface Point {
  readonly line: number;
  readonly column: number;
  readonly offset?: number | undefined;
}

interface Node {
  readonly type: string;
  readonly depth?: number;
  readonly position?: { readonly start: Point; readonly end: Point } | undefined;
  readonly children?: readonly Node[];
}

interface Surroundings {
  readonly text: string;
  readonly indent: string;
  /** Where the next block of a container around begins: micromark lets some containers end behind it. */
  readonly limit: number;
  readonly isInItem: boolean;
  readonly quotes: number;
}

const KINDS: Readonly<Record<string, string>> = {
  listItem: "item",
  blockquote: "quote",
  heading: "heading",
  yaml: "front_matter",
  toml: "front_matter",
  paragraph: "paragraph",
  code: "code",
  table: "table",
  html: "html",
  thematicBreak: "rule",
  definition: "definition",
};

/** One line a block or container, in the order in which they begin. */
export function referenceOutline(text: string): readonly string[] {
  const tree = fromMarkdown(text, {
    extensions: [gfmTable(), frontmatter(["yaml", "toml"])],
    mdastExtensions: [gfmTableFromMarkdown(), frontmatterFromMarkdown(["yaml", "toml"])],
  });
  return describe(tree as Node, { text, indent: "", limit: Number.POSITIVE_INFINITY, isInItem: false, quotes: 0 });
}

function describe(node: Node, around: Surroundings): readonly string[] {
  const range = `${startOf(node)}-${Math.min(around.limit, endOf(node, around))}`;
  const own = `${around.indent}${KINDS[node.type]} ${range}`;
  if (node.type === "heading") return [`${own} h${node.depth} ${wordsOf(node, around.text)}`];
  const isContainer = node.type === "blockquote" || node.type === "listItem";
  if (!isContainer && node.type !== "root" && node.type !== "list") return [own];
  const children = joinIndentedCode(node.children ?? [], around.text);
  const deeper = children.flatMap((child, index) => {
    const next = children[index + 1];
    return describe(child, {
      text: around.text,
      indent: isContainer ? `${around.indent}  ` : around.indent,
      limit: Math.min(around.limit, next === undefined ? Number.POSITIVE_INFINITY : startOf(next)),
      isInItem: node.type === "listItem",
      quotes: around.quotes + (node.type === "blockquote" ? 1 : 0),
    });
  });
  return isContainer ? [own, ...deeper] : deeper;
}

/** micromark parts it behind a quote that ended without a blank line. */
function joinIndentedCode(nodes: readonly Node[], text: string): readonly Node[] {
  const joined: Node[] = [];
  for (const node of nodes) {
    const before = joined.at(-1);
    const isJoined = [before, node].every((code) => code?.type === "code" && isIndented(text, code.position?.start));
    if (isJoined && before?.position && node.position && isBlank(between(before, node, text), 100)) {
      joined[joined.length - 1] = { ...before, position: { start: before.position.start, end: node.position.end } };
    } else joined.push(node);
  }
  return joined;
}

function between(before: Node, node: Node, text: string): string {
  return text.slice(before.position?.end.offset, node.position?.start.offset).replaceAll("\n", " ");
}

function startOf({ position }: Node): number {
  return (position?.start.line ?? 1) - 1;
}

function endOf({ position, type, children = [] }: Node, around: Surroundings): number {
  if (position === undefined) return 0;
  const { start, end } = position;
  const last = children.at(-1);
  // An item ends with what it holds: micromark counts some of the blank lines behind it, be they in an unclosed block, and
  // of those behind indented code and in HTML that is never closed.
  if (type === "list" || type === "listItem") {
    return last === undefined ? start.line : endOf(last, { ...around, isInItem: type === "listItem" });
  }
  const to = end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
  if (type !== "html" && type !== "code") return to;
  if (type === "code" && !around.isInItem && !isIndented(around.text, start)) return to;
  const lines = around.text
    .slice(start.offset, end.offset)
    .split("\n")
    .slice(0, to - start.line + 1);
  while (lines.length > 1 && isBlank(lines.at(-1) ?? "", around.quotes)) lines.pop();
  return start.line - 1 + lines.length;
}

function isIndented(text: string, start: Point | undefined): boolean {
  return isBlank(text.charAt(start?.offset ?? 0));
}

/** As they are written. Of a heading on several lines only that there are some. */
function wordsOf({ children = [], position }: Node, text: string): string {
  if (position !== undefined && position.end.line - position.start.line > 1) return "...";
  return text.slice(children[0]?.position?.start.offset ?? 0, children.at(-1)?.position?.end.offset ?? 0).trim();
}
