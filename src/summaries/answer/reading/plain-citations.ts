// Brings citations in whatever form models write them into one: `(1.12)`, `【1.12】`, `\[1.12\]` and `[1.12](#1.12)` become
// `[1.12]`. Round brackets count only where all that they hold is known, since `(3.12)` may well be a version.
const ESCAPED = /\\\[([^[\]\n\\]{1,120})\\\]/g;
const WIDE = /[【〔［]([^【】〔〕［］\n]{1,120})[】〕］]/g;
const ROUND = /(?<![\w\])])\(([^()\n]{1,120})\)/g;
const LINKED = /(\[[^[\]\n]{1,120}\])\([^()\s]{0,120}\)/g;
const ID = /\d{1,6}\.\d{1,7}/g;
/** All that may stand beside ids in brackets of citations. */
const FILLING = /^[\s,;&–—~→…，、；：:#^.-]*$/;
const WORDS = /\b(?:messages?|msgs?|sources?|see|ids?|passages?|and|to|through|bis|a|und|y|e|et)\b|†[^,;†]{0,40}/gi;

/** Linear. Other brackets stay as they are. */
export function plainCitations(text: string, isKnown: (id: string) => boolean): string {
  return text
    .replace(ESCAPED, (whole, inside: string) => (holdsIds(inside) ? `[${inside}]` : whole))
    .replace(WIDE, (whole, inside: string) => (holdsIds(inside) ? `[${inside.replace(/†[^,;†]{0,40}/g, "")}]` : whole))
    .replace(ROUND, (whole, inside: string) =>
      holdsIds(inside) && idsIn(inside).every(isKnown) ? `[${inside}]` : whole,
    )
    .replace(LINKED, (whole, bracket: string) => (holdsIds(bracket.slice(1, -1)) ? bracket : whole));
}

function idsIn(inside: string): readonly string[] {
  return inside.match(ID) ?? [];
}

function holdsIds(inside: string): boolean {
  return idsIn(inside).length > 0 && FILLING.test(inside.replace(ID, "").replace(WORDS, ""));
}
