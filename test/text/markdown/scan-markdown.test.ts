// What every construct of Markdown is read as, one example each. The other files compare with another parser.
import { describe, expect, it } from "vitest";
import { isHeading } from "../../../src/text/markdown/outline.ts";
import { scanMarkdown } from "../../../src/text/markdown/scan-markdown.ts";
import { describeOutline } from "./describe-outline.ts";

const outlineOf = (text: string) => describeOutline(scanMarkdown(text.split("\n")));

describe("headings", () => {
  it.each([
    ["# One", 1, "One"],
    ["###### Six", 6, "Six"],
    ["   ## indented", 2, "indented"],
    ["##\ttab", 2, "tab"],
    ["## closed ##  ", 2, "closed"],
    ["## C#", 2, "C#"],
    ["## C# #", 2, "C#"],
    ["## C++ (v2 $& a.b*", 2, "C++ (v2 $& a.b*"],
    ["## trailing  \t", 2, "trailing"],
    ["## \\#", 2, "\\#"],
    ["#", 1, ""],
    ["## ##", 2, ""],
    ["## 标题", 2, "标题"],
  ])("%j", (line, level, text) => {
    const { blocks } = scanMarkdown(["text", line, "text"]);
    expect(blocks.find(isHeading)).toEqual({ kind: "heading", from: 1, to: 2, container: undefined, level, text });
    expect(blocks).toHaveLength(3);
  });

  it.each(["####### seven", "#tag", "    # code", "\\# escaped", "#\u3000wide blank"])("not %j", (line) => {
    expect(scanMarkdown([line]).blocks.filter(isHeading)).toEqual([]);
  });

  it("are those underlined too, on any number of lines", () => {
    expect(outlineOf("One\n===\n\nTwo\nlines\n  ---  ")).toEqual(["heading 0-2 h1 One", "heading 3-6 h2 ..."]);
    expect(scanMarkdown(["a ", "  b", "-"]).blocks).toMatchObject([{ kind: "heading", level: 2, text: "a b" }]);
  });

  it("are not underlined across a blank line, out of a quote, or behind definitions alone", () => {
    expect(outlineOf("a\n\n---")).toEqual(["paragraph 0-1", "rule 2-3"]);
    expect(outlineOf("> a\n---")).toEqual(["quote 0-1", "  paragraph 0-1", "rule 1-2"]);
    expect(outlineOf("[a]: b\n---")).toEqual(["definition 0-1", "rule 1-2"]);
    expect(outlineOf("[a]: b\n===\n===")).toEqual(["definition 0-1", "heading 1-3 h1 ==="]);
  });
});

describe("leaf blocks", () => {
  it.each([
    ["a fence of its own mark and length", "````\n```\n~~~~\n# no\n`````  \nb", ["code 0-5", "paragraph 5-6"]],
    ["a fence that is never closed", "a\n~~~ x\n\n# no\n", ["paragraph 0-1", "code 1-5"]],
    ["no fence with its mark behind it", "``` a`b\n# yes", ["paragraph 0-1", "heading 1-2 h1 yes"]],
    ["no closing fence with words or four blanks", "```\n``` a\n    ```\n```", ["code 0-4"]],
    ["indented code across blank lines", "    a\n\n    b\n\nc", ["code 0-3", "paragraph 4-5"]],
    ["no indented code in a paragraph", "a\n    b", ["paragraph 0-2"]],
    ["rules, not items", "***\n- - -\n_ _ _", ["rule 0-1", "rule 1-2", "rule 2-3"]],
    ["a comment across blank lines", "<!-- a\n\n# no\n\n--> b\nc", ["html 0-5", "paragraph 5-6"]],
    ["a comment on one line", "<!-- a -->\nb", ["html 0-1", "paragraph 1-2"]],
    ["a comment that is never closed", "<!--\n\n# no\n", ["html 0-4"]],
    ["raw HTML to its end", "<script>\n\n# no\n</SCRIPT>\nb", ["html 0-4", "paragraph 4-5"]],
    [
      "instructions, declarations, sections",
      "<?a\n\n?>\n<!D\n\n>\n<![CDATA[\n\n]]>",
      ["html 0-3", "html 3-6", "html 6-9"],
    ],
    ["a block of HTML to a blank line", "a\n<div\n# no\n\n# b", ["paragraph 0-1", "html 1-3", "heading 4-5 h1 b"]],
    ["any tag alone on its line", "<x-y a = \"b\" c='d' e=f/>\n# no", ["html 0-2"]],
    ["no tag alone in a paragraph", "a\n<b>\n</b>", ["paragraph 0-3"]],
    ["no tag that is broken", "<b a=>\n<b 'c'>\n</b d>", ["paragraph 0-3"]],
    ["no tag alone in a paragraph that goes on lazily", "- a\n</b>", ["item 0-2", "  paragraph 0-2"]],
    ["a table", "| a | b |\n|---|:-:|\n| 1 |\n\nc", ["table 0-3", "paragraph 4-5"]],
    ["no table below an item", "a\n- no\n:-|-:\nx", ["paragraph 0-1", "item 1-4", "  paragraph 1-4"]],
    ["a table of escaped pipes", "a \\| b | c\n:-|-:\nx", ["table 0-3"]],
    ["a table at the end of a paragraph", "p\na|b\n-:|-\n# h", ["paragraph 0-1", "table 1-3", "heading 3-4 h1 h"]],
    ["no table with other numbers of cells", "| a | b |\n| - |", ["paragraph 0-2"]],
    ["no table of dashes alone", "a\n---", ["heading 0-2 h2 a"]],
    ["definitions", '[a]: b\n[c]:\n<d e>\n"f\ng"\n[h]: i j', ["definition 0-1", "definition 1-5", "paragraph 5-6"]],
    ["a definition whose title is none", "[a]: b\n'c' d", ["definition 0-1", "paragraph 1-2"]],
    ["no definition in a paragraph", "a\n[b]: c", ["paragraph 0-2"]],
  ] as const)("%s", (_, text, expected) => {
    expect(outlineOf(text)).toEqual(expected);
  });
});

describe("front matter", () => {
  it.each([
    ["YAML", "---\na: b\n\n# no\n---  \n# c", ["front_matter 0-5", "heading 5-6 h1 c"]],
    // micromark knows no dots; YAML and Pandoc do.
    ["YAML that ends with dots", "---\na: b\n...\n# c", ["front_matter 0-3", "heading 3-4 h1 c"]],
    ["TOML", "+++\na = 1\n---\n+++\nb", ["front_matter 0-4", "paragraph 4-5"]],
    ["none that is not closed", "---\na\n# b", ["rule 0-1", "paragraph 1-2", "heading 2-3 h1 b"]],
    ["none below the first line", "\n---\na\n---", ["rule 1-2", "heading 2-4 h2 a"]],
    ["none behind blanks", " ---\na\n---", ["rule 0-1", "heading 1-3 h2 a"]],
  ])("%s", (_, text, expected) => {
    expect(outlineOf(text)).toEqual(expected);
  });
});

describe("quotes and items", () => {
  it.each([
    ["a quote and its lazy line", "> a\nb\n\nc", ["quote 0-2", "  paragraph 0-2", "paragraph 3-4"]],
    ["blank lines of a quote", "> a\n>\n\nb", ["quote 0-2", "  paragraph 0-1", "paragraph 3-4"]],
    ["headings inside", "- # a\n> # b", ["item 0-1", "  heading 0-1 h1 a", "quote 1-2", "  heading 1-2 h1 b"]],
    [
      "an item and its blank lines",
      "- a\n\n  b\n\nc",
      ["item 0-3", "  paragraph 0-1", "  paragraph 2-3", "paragraph 4-5"],
    ],
    [
      "nested items",
      "- a\n  - b\n    1) c\n- d",
      [
        "item 0-3",
        "  paragraph 0-1",
        "  item 1-3",
        "    paragraph 1-2",
        "    item 2-3",
        "      paragraph 2-3",
        "item 3-4",
        "  paragraph 3-4",
      ],
    ],
    ["tabs", "-\ta\n\n\tb\n\n\t\tc", ["item 0-5", "  paragraph 0-1", "  paragraph 2-3", "  code 4-5"]],
    ["code in an item", "-     a\n\n  b", ["item 0-3", "  code 0-1", "  paragraph 2-3"]],
    ["an empty item", "-\n  a\n-\n\n  b", ["item 0-2", "  paragraph 1-2", "item 2-3", "paragraph 4-5"]],
    ["a fence that ends with its item", "- ```\n  a\n\n\nb", ["item 0-2", "  code 0-2", "paragraph 4-5"]],
    ["a fence that ends with its quote", "> ```\n>\nb", ["quote 0-2", "  code 0-2", "paragraph 2-3"]],
    ["numbers in a paragraph", "a\n2. b\n1. c", ["paragraph 0-2", "item 2-3", "  paragraph 2-3"]],
    ["empty items in a paragraph", "a\n*\n1.", ["paragraph 0-3"]],
    ["ten digits", "1234567890. a", ["paragraph 0-1"]],
    // micromark takes these for paragraphs, CommonMark's own parser does not.
    ["an empty item behind code", "    a\n10.", ["code 0-1", "item 1-2"]],
    ["a number in an item below text", "a\n* 14) b", ["paragraph 0-1", "item 1-2", "  item 1-2", "    paragraph 1-2"]],
    ["an item behind definitions", "[a]: b\n\n- ", ["definition 0-1", "item 2-3"]],
  ])("%s", (_, text, expected) => {
    expect(outlineOf(text)).toEqual(expected);
  });

  it("says which containers stand in which", () => {
    const { blocks, containers } = scanMarkdown(["> - a", ">   > b", "c"]);
    expect(containers).toEqual([
      { kind: "quote", from: 0, to: 3, parent: undefined },
      { kind: "item", from: 0, to: 3, parent: 0 },
      { kind: "quote", from: 1, to: 3, parent: 1 },
    ]);
    expect(blocks.map(({ container }) => container)).toEqual([1, 2]);
  });
});

describe("an odd text", () => {
  it("may be empty, or blank", () => {
    expect(scanMarkdown([])).toEqual({ blocks: [], containers: [] });
    expect(scanMarkdown(["", " \t"])).toEqual({ blocks: [], containers: [] });
  });

  const MEGABYTE = 1_000_000;
  const pieces = [
    "#",
    " ",
    "\t",
    ">",
    "-",
    "- ",
    "* ",
    "`",
    "~",
    "=",
    "|",
    "| ",
    ":-|",
    "<",
    "<a ",
    "<a b=",
    "<!--",
    "[",
  ].concat(["[a]: ", "\\", "\\|", "(", "'", '"', "1. ", "1", "> - ", "+", "_ ", "a", "\ud800", "界", "&", "!["]);

  it.each(pieces)("may be a megabyte of %j, on one line, below another and on many", (piece) => {
    const long = piece.repeat(MEGABYTE / piece.length);
    const many = new Array<string>(MEGABYTE / 50).fill(piece);
    for (const lines of [
      [long],
      ["a", long],
      [long, long],
      ["[a]: b", long, "c"],
      many,
      many.map((line) => `${line}x`),
    ]) {
      const { blocks, containers } = scanMarkdown(lines);
      const spans = blocks.map(({ from, to }) => from < to && to <= lines.length);
      expect(spans.every(Boolean)).toBe(true);
      expect(blocks.every(({ from }, index) => from >= (blocks[index - 1]?.to ?? 0))).toBe(true);
      expect(containers.every(({ from, to }) => from < to && to <= lines.length)).toBe(true);
    }
  });

  it("may be nested without end: what is deeper than a hundred containers is text", () => {
    for (const [mark, kind] of [
      ["> ", "quote"],
      ["- ", "item"],
      ["1. ", "item"],
      [">", "quote"],
    ] as const) {
      const { blocks, containers } = scanMarkdown([`${mark.repeat(100_000)}x`, "", "# a"]);
      expect(containers.map((container) => container.kind)).toEqual(new Array(100).fill(kind));
      expect(blocks).toMatchObject([
        { kind: "paragraph", container: 99 },
        { kind: "heading", container: undefined, text: "a" },
      ]);
    }
    const deeper = Array.from({ length: 2000 }, (_, depth) => `${"  ".repeat(depth)}- x`);
    expect(scanMarkdown(deeper).containers.length).toBeGreaterThanOrEqual(100);
  });

  it("may be all headings, definitions, or titles that never end", () => {
    const headings = Array.from({ length: 200_000 }, (_, index) => `## ${index}`);
    expect(scanMarkdown(headings).blocks).toHaveLength(200_000);
    const definitions = Array.from({ length: 100_000 }, (_, index) => `[${index}]: a`);
    expect(scanMarkdown(definitions).blocks.map(({ kind }) => kind)).toEqual(new Array(100_000).fill("definition"));
    const open = Array.from({ length: 100_000 }, () => ["[a]: b", "'c"]).flat();
    expect(scanMarkdown(open).blocks.length).toBeGreaterThan(1);
    const underlined = Array.from({ length: 50_000 }, () => ["[a]: b", "===", "c"]).flat();
    expect(scanMarkdown(underlined).blocks.length).toBeGreaterThan(1);
  });
});
