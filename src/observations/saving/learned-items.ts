// Finds what a text says was learned: the items of the lists under a heading "Key Learnings", in English or Spanish.

const HEADING = /^ {0,3}#{1,6}\s/u;
/** As a heading, in bold, or as a line of its own that ends in a colon. */
const LEARNINGS =
  /^ {0,3}(?:#{1,6}\s{1,9}(?:\*\*)?LEARNINGS:?(?:\*\*)?:?|\*\*LEARNINGS:?\*\*:?|LEARNINGS:)[\s#]{0,20}$/u.source;
const TITLE = new RegExp(LEARNINGS.replaceAll("LEARNINGS", "(?:key learnings|aprendizajes clave)"), "iu");
const ITEM = /^\s{0,40}(?:[-*+]|\d{1,4}[.)])\s{1,9}(\S.*)$/u;
const INDENTED = /^\s/u;

/** In their order; a repeated one once. */
export function learnedItems(text: string): readonly string[] {
  const items: string[] = [];
  let isLearned = false;
  let isOpen = false;
  for (const line of text.split(/\r\n|\n|\r/u)) {
    if (TITLE.test(line)) isLearned = true;
    else if (HEADING.test(line)) isLearned = false;
    const item = isLearned ? ITEM.exec(line)?.[1] : undefined;
    if (item !== undefined) items.push(item.trim());
    // A line that is indented under an item belongs to it.
    else if (isOpen && isLearned && INDENTED.test(line) && line.trim() !== "")
      items.push(`${items.pop() ?? ""} ${line.trim()}`);
    isOpen = item !== undefined || (isOpen && INDENTED.test(line) && line.trim() !== "");
  }
  return [...new Set(items)];
}
