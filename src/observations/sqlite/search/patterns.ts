// Words as the database looks for them: as phrases of the full-text index, and as texts that stand somewhere in a column.
// No word is ever read as syntax.
import type { Observation } from "../../observation.ts";
import type { ObservationFilter } from "../../observation-store.ts";
import type { SearchWord } from "../../search-words.ts";
import type { StoreShape } from "../check-schema.ts";
import type { Where } from "../conditions.ts";
import { FULL_TEXT_COLUMNS } from "../schema.ts";

const INDEXED = /[\p{L}\p{N}\p{Co}]/u;
const ONE_TOKEN = /^[\p{L}\p{N}\p{Co}]+$/u;
const NOT_ASCII = /[^\0-\x7f]/u;

/**
 * Every word as a phrase, all of them wanted. Project and type are columns of the index too: naming their words spares
 * looking at the rows of others, which the caller must still compare exactly.
 */
export function matchOf(words: readonly SearchWord[], filter: ObservationFilter, { hasMoreText }: StoreShape): string {
  const wanted = words.map(({ text }) => phrase(text)).join(" AND ");
  const parts = [hasMoreText ? `{${FULL_TEXT_COLUMNS.join(" ")}} : (${wanted})` : `(${wanted})`];
  for (const column of ["project", "type"] as const) {
    const value = filter[column];
    if (value !== undefined && INDEXED.test(value)) parts.push(`${column} : ${phrase(value)}`);
  }
  return parts.join(" AND ");
}

function phrase(text: string): string {
  // A NUL would end the query.
  return `"${text.replaceAll("\0", " ").replaceAll('"', '""')}"`;
}

/** All words stand somewhere in a row, in any case of letters. Letters that SQLite knows no case of stand for any one. */
export function standIn(words: readonly SearchWord[]): Where {
  const parts = words.map((word) => wordStandsIn(word, FULL_TEXT_COLUMNS));
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(" AND ") || "1",
    values: parts.flatMap(({ values }) => values),
  };
}

/** The same for the title alone, any of the words. */
export function anyInTitle(words: readonly SearchWord[]): Where {
  const parts = words.map((word) => wordStandsIn(word, ["title"]));
  return { sql: parts.map(({ sql }) => sql).join(" OR ") || "0", values: parts.flatMap(({ values }) => values) };
}

function wordStandsIn({ text }: SearchWord, columns: readonly string[]): Where {
  const hasCase = text.toLowerCase() !== text.toUpperCase();
  const test = hasCase ? "LIKE ? ESCAPE '\\'" : "";
  const sql = columns.map((column) => (hasCase ? `${column} ${test}` : `instr(${column}, ?) > 0`)).join(" OR ");
  return { sql, values: columns.map(() => (hasCase ? likePattern(text) : text)) };
}

function likePattern(text: string): string {
  const letters = [...text].map((letter) => {
    if (NOT_ASCII.test(letter) && letter.toLowerCase() !== letter.toUpperCase()) return "_";
    return /[\\%_]/.test(letter) ? `\\${letter}` : letter;
  });
  return `%${letters.join("")}%`;
}

/** The words that `standIn` finds too much of. */
export function inexactWords(words: readonly SearchWord[]): readonly SearchWord[] {
  return words.filter(({ text }) =>
    [...text].some((letter) => NOT_ASCII.test(letter) && letter.toLowerCase() !== letter.toUpperCase()),
  );
}

export function allStandIn(row: Observation, words: readonly SearchWord[]): boolean {
  const texts = [row.title, row.content, row.tool_name ?? "", row.type, row.project ?? ""].map((text) =>
    text.toLowerCase(),
  );
  return words.every(({ text }) => texts.some((lower) => lower.includes(text.toLowerCase())));
}

/** Words of which the index keeps less than was typed: signs are lost. */
export function wordsWithSigns(words: readonly SearchWord[]): readonly SearchWord[] {
  return words.filter(({ text }) => !ONE_TOKEN.test(text));
}
