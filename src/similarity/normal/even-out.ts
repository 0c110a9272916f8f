// One way of writing where typesetting knows several: widths, quotes, dashes, invisible characters, emphasis. Whatever
// may carry meaning stays: a struck-out word stays struck out, an exponent stays one.

const SUPERSCRIPT = /[⁰¹²³⁴-⁹]{1,40}/gu;
const FRACTION = /(?=[¼-¾⅐-⅞])/gu;
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/gu;
/** Bounded, so that stars and lines without an end cost no more than their number. */
const STARS = /(?<![A-Za-z0-9/*.\\])\*{1,3}(?=[^\s*])([^*\n]{1,300}?)(?<=[^\s*])\*{1,3}(?![A-Za-z0-9/*\\])/gu;
const UNDERLINES = /(?<![\p{L}\p{N}_])_{1,2}(?=[^\s_])([^_\n]{1,300}?)(?<=[^\s_])_{1,2}(?![\p{L}\p{N}_])/gu;
/** An empty list, object or text is a value, not a pair of brackets to be dropped. */
const EMPTY_VALUE = /\[\]|\{\}|(?<![^\s(=:])(?:""|'')(?![^\s.,;:)])/g;
const EMPTY_SIGNS: Readonly<Record<string, string>> = { "[]": "⌷", "{}": "◊", '""': "⌑", "''": "⌑" };
const IS_ASCII = /^\p{ASCII}*$/u;
/** `__init__` is a name. */
const ONE_NAME = /^[^\s]*$/u;

export function evenOut(text: string): string {
  const even = IS_ASCII.test(text) ? text : evenCharacters(text);
  const lines = even.includes("\r") ? even.replace(/\r\n?/g, "\n") : even;
  const plain = lines.includes("*") ? lines.replace(STARS, "$1") : lines;
  const marked = plain.includes("~~") ? plain.replace(/~~/g, " ~~ ") : plain;
  const struck = marked.replace(EMPTY_VALUE, (value) => ` ${EMPTY_SIGNS[value] ?? value} `);
  if (!struck.includes("_")) return struck;
  return struck.replace(UNDERLINES, (whole, inner: string) =>
    ONE_NAME.test(inner) && whole.startsWith("__") ? whole : inner,
  );
}

function evenCharacters(text: string): string {
  return text
    .replace(SUPERSCRIPT, (digits) => `^${digits}`)
    .replace(FRACTION, " ")
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/[‘’‛ʼ]/gu, "'")
    .replace(/[“”„‟«»「」『』]/gu, '"')
    .replace(/(?<=\d)[‐‑‒–](?=\d)/gu, "-")
    .replace(/[‐‑]/gu, "-")
    .replace(/−/gu, "-")
    .replace(/[‒—―]/gu, " - ")
    .replace(/[→⇒➜➔]/gu, " -> ");
}
