// Pieces of lines that mean something in Markdown, and documents made of them at random.
import fc from "fast-check";
import type { Outline } from "../../src/text/markdown/outline.ts";

const STARTS = [
  "",
  "",
  "",
  " ",
  "  ",
  "   ",
  "    ",
  "     ",
  "\t",
  " \t",
  "> ",
  ">",
  ">\t",
  "> > ",
  "- ",
  "-",
  "-\t",
].concat(["* ", "+ ", "1. ", "2) ", "1.", "10. ", "-   ", "-     ", "- - ", "> - ", "- > ", "1. - "]);
const RESTS = [
  "",
  "",
  "",
  "a",
  "text `code`",
  "# One",
  "## Two ##",
  "##\ttab",
  "###### Six #",
  "####### no",
  "#",
].concat(
  ["# #", "## C#", "#no", "===", "=", "---", "--", "-", "***", "* * *", "- - -", "_ _ _", "___", "```", "````"],
  ["``` ts", "``` a`b", "~~~", "~~~~ ~", "<!--", "-->", "<!-- x -->", "<div>", "</div>", "<pre>", "</pre>", "<b>"],
  ["<b x=y>", "</b>", "<b", "<?", "?>", "<!X", ">", "<![CDATA[", "]]>", "<https://a.b>", "| a |", "| a | b |", "a | b"],
  ["| - |", "|-", ":-", "-:", "- | -", ":- | -:", "|:-:|-|", "|", "||", "| \\| |", "[a]: b", "[a]:", "[a]: <b> 'c'"],
  ['[a]: b "c', 'c"', "'d'", "(e)", "[a", "]: b", "[ ]: x", "[a]: b c", "2.", "1. one", "14) x", "a\\", "\\# x", "+"],
  ["*", "+++", "...", "key: value", "\u3000", "\u00a0x", "*em*"],
);

const line = fc
  .tuple(
    fc.array(fc.constantFrom(...STARTS), { maxLength: 3 }),
    fc.constantFrom(...RESTS),
    fc.constantFrom("", "", "", " ", "\t", "  "),
  )
  .map(([starts, rest, end]) => starts.join("") + rest + end);

export const documents = fc.array(line, { minLength: 1, maxLength: 12 });

/**
 * Lines that micromark 4 does not read as CommonMark says: it takes items that are empty or do not begin with 1 for text
 * where no blank line is above them, and lets a line of one tag end a paragraph that goes on without its marks.
 */
const DISPUTED = [
  /^(?:[ \t>]|[-+*]|\d+[.)])*(?:[-+*]|\d+[.)])[ \t]*$/,
  /(?:^|[ \t>])(?!1[.)])\d+[.)]/,
  /<\/?(?:b\b|pre>)/,
];

export const undisputed = documents.map((lines) => lines.filter((text) => !DISPUTED.some((kind) => kind.test(text))));

/**
 * Outlines that it gets wrong: a block that ends before it begins (a heading on several lines right behind definitions),
 * and a table right behind one that ended with its container.
 */
export function isDisputed(reference: readonly string[], { blocks }: Outline): boolean {
  const isBroken = reference.some((entry) => {
    const [from = 0, to = 0] = (/ (\d+)-(\d+)/.exec(entry)?.slice(1) ?? []).map(Number);
    return to <= from;
  });
  return (
    isBroken ||
    blocks.some(({ kind, container, to }, index) => {
      const next = blocks[index + 1];
      return kind === "table" && container !== next?.container && to === next?.from;
    })
  );
}
