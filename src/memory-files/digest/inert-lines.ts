// Keeps what notes and models said from becoming structure of the digest: headings, fences, quotes, tables, HTML that
// swallows what follows. A backslash does it, so that words and names stay as they are; ordinary tags and code stay, too.

/** HTML that ends a paragraph, or hides or swallows what stands behind it. Others are words of a line. */
const BLOCK_TAG =
  /<(?=\/?(?:address|article|aside|blockquote|body|button|center|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|noembed|noframes|noscript|ol|option|p|plaintext|pre|script|section|select|style|summary|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|ul|xmp)(?:[\s/>]|$))/giu;
/** A comment that its own line does not end. */
const OPEN_COMMENT = /<!(?=--(?![^\n]{0,2000}-->)|[A-Z[])|<(?=\?)/gu;
/** In it a backslash would be seen. */
const CODE_SPAN = /(`[^`\n]{1,500}`(?!`)|``[^`\n]{1,500}``(?!`))/u;
const STRUCTURE = /^(?:#{1,6}(?=\s|$)|>|\||=+\s*$|(?:-\s{0,3}){2,}$|(?:[*_]\s{0,3}){3,}$|`{3,}|~{3,}|<)/u;
const LIST_MARKER = /^(?:[-*+](?=\s|$)|\d{1,9}(?=[.)](?:\s|$)))/u;
const DEFINITION = /^(\[[^\]\n]{1,200}\])(?=:)/u;

/** One line of words, wherever in a line of Markdown it stands. */
export function inertWords(words: string): string {
  return words
    .split(CODE_SPAN)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(BLOCK_TAG, "\\<").replace(OPEN_COMMENT, "\\$&")))
    .join("");
}

/** Words that begin a line, or what stands behind the mark of a list item. */
export function inertStart(words: string): string {
  const inert = inertWords(words);
  if (STRUCTURE.test(inert)) return `\\${inert}`;
  if (/^[-*+]/u.test(inert) && LIST_MARKER.test(inert)) return `\\${inert}`;
  return inert.replace(LIST_MARKER, "$&\\").replace(DEFINITION, "$1\\");
}

/**
 * A text of sections as the summarizers write it: `titles` name the headings of level 2 that are theirs. List items,
 * indented lines that go on with them, and paragraphs of a line stay what they are.
 */
export function inertSections(text: string, titles: ReadonlySet<string>): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => {
      if (line.startsWith("## ") && titles.has(line.slice(3))) return line;
      const [, mark = "", words = ""] = /^(\s{0,40}(?:- )?\s{0,40})(.*)$/u.exec(line) ?? [];
      // Deep indentation would be code.
      const indent = mark.includes("-") ? "- " : mark === "" ? "" : "  ";
      return words === "" ? "" : `${indent}${inertStart(words)}`;
    })
    .join("\n");
}
