// Words of a text in any script, for comparing texts: lower case, width and composition evened out. Scripts written
// without spaces have no words that code could find; they give pairs of neighbouring characters.

const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々";
const RUNS = new RegExp(`([${SPACELESS}]+)|(?:(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}_])+`, "gu");

/** Words and, of Chinese, Japanese, Korean and South-East Asian runs, bigrams (a lone character is itself), in order. */
export function wordTokens(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const [run, spaceless] of text.normalize("NFKC").toLowerCase().matchAll(RUNS)) {
    if (spaceless === undefined) tokens.push(run);
    else addBigrams(spaceless, tokens);
  }
  return tokens;
}

const SPACELESS_WORD = new RegExp(`^[${SPACELESS}]`, "u");

/** Of a script without spaces: two characters say there what a word says elsewhere. */
export function isBigram(token: string): boolean {
  return SPACELESS_WORD.test(token);
}

function addBigrams(run: string, tokens: string[]): void {
  let previous: string | undefined;
  let count = 0;
  for (const character of run) {
    if (previous !== undefined) tokens.push(previous + character);
    previous = character;
    count += 1;
  }
  if (count === 1) tokens.push(run);
}
