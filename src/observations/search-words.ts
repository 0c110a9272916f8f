// The words of a search, as every store looks for them: bounded, without syntax, and whether a full-text index over words can
// find them.

export interface SearchWord {
  /** As it was typed, without quotes around it. */
  readonly text: string;
  /**
   * True where a full-text index over words cannot find it: scripts written without spaces, emoji, signs alone. Such a word
   * matches wherever its text stands, in any case of letters.
   */
  readonly isSubstring: boolean;
}

/** What a full-text index makes a word of. */
export const INDEXED = /[\p{L}\p{N}\p{Co}]/u;
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}]/u;
const MOST_WORDS = 32;
const LONGEST_WORD = 200;

/** At most 32 words of at most 200 characters; a word of nothing but quotes is left out. Empty for a blank text. */
export function searchWords(query: string): readonly SearchWord[] {
  return (
    query
      // A NUL ends a text for SQLite; here it parts words.
      .split(/[\s\0]+/u)
      .map((word) => [...word.replace(/^"+|"+$/g, "")].slice(0, LONGEST_WORD).join(""))
      .filter((word) => word !== "")
      .slice(0, MOST_WORDS)
      .map((text) => ({ text, isSubstring: !INDEXED.test(text) || WITHOUT_SPACES.test(text) }))
  );
}

const TOKEN = /[\p{L}\p{N}\p{Co}]+/gu;
const DIACRITICS = /[\u0300-\u036f]/g;

/** A text as a full-text index over words has it: letters, numbers and private use in lower case without diacritics. */
export function indexTokens(text: string): readonly string[] {
  return text.normalize("NFD").replace(DIACRITICS, "").toLowerCase().match(TOKEN) ?? [];
}
