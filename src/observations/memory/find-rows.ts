// Full-text search without an index: the words of each row as a full-text table would split them, literal matches first,
// then by how often the words occur, then the newest.
import type { Observation } from "../observation.ts";
import type { SearchQuery, SearchResult } from "../observation-store.ts";
import type { SearchWord } from "../search-words.ts";
import { isOf, newestFirst, stands } from "./order.ts";

interface Columns {
  /** As written, in lower case. */
  readonly lower: readonly string[];
  /** ` token token `: a phrase is found as ` token token ` inside. */
  readonly tokens: readonly string[];
}

interface WantedWord {
  readonly lower: string;
  /** Undefined where the word is looked for as it stands. */
  readonly phrase: string | undefined;
}

const TOKEN = /[\p{L}\p{N}\p{Co}]+/gu;
const DIACRITICS = /[\u0300-\u036f]/g;
/** How fast another occurrence of a word stops to matter, as in BM25. */
const SATURATION = 1.2;

/** Rows are frozen, so what was made of one stays true as long as it lives. */
const made = new WeakMap<Observation, Columns>();

export function findRows(rows: Iterable<Observation>, query: SearchQuery): SearchResult {
  const wanted = query.words.map(wantedWord);
  const found: { row: Observation; isLiteral: boolean; score: number }[] = [];
  for (const row of newestFirst([...rows].filter((row) => isOf(row, query.filter) && stands(row, query.standing)))) {
    const columns = columnsOf(row);
    const score = scoreOf(columns, wanted);
    if (score > 0) found.push({ row, score, isLiteral: isLiteral(columns, wanted) });
  }
  // Sorting is stable: equals stay newest first.
  found.sort((first, second) => Number(second.isLiteral) - Number(first.isLiteral) || second.score - first.score);
  const page = found.slice(query.offset, query.offset + query.limit);
  return { rows: page.map(({ row }) => row), total: found.length, isBounded: false };
}

/** Zero where a word is missing. */
function scoreOf(columns: Columns, wanted: readonly WantedWord[]): number {
  let score = 0;
  for (const { lower, phrase } of wanted) {
    const times = phrase === undefined ? occurrences(columns.lower, lower) : occurrences(columns.tokens, phrase);
    if (times === 0) return 0;
    score += times / (times + SATURATION);
  }
  return score;
}

function isLiteral(columns: Columns, wanted: readonly WantedWord[]): boolean {
  return wanted.every(({ lower }) => columns.lower.some((column) => column.includes(lower)));
}

function occurrences(columns: readonly string[], text: string): number {
  let times = 0;
  for (const column of columns) {
    // One unit on, so that the space between two tokens serves both.
    for (let at = column.indexOf(text); at >= 0; at = column.indexOf(text, at + Math.max(1, text.length - 1))) times++;
  }
  return times;
}

function wantedWord({ text, isSubstring }: SearchWord): WantedWord {
  return { lower: text.toLowerCase(), phrase: isSubstring ? undefined : tokenText(text) };
}

function columnsOf(row: Observation): Columns {
  const known = made.get(row);
  if (known !== undefined) return known;
  const texts = [row.title, row.content, row.tool_name ?? "", row.type, row.project ?? ""];
  const columns = { lower: texts.map((text) => text.toLowerCase()), tokens: texts.map(tokenText) };
  made.set(row, columns);
  return columns;
}

/** Letters, numbers and private use in lower case without diacritics; everything else parts tokens. */
function tokenText(text: string): string {
  const plain = text.normalize("NFD").replace(DIACRITICS, "").toLowerCase();
  return ` ${(plain.match(TOKEN) ?? []).join(" ")} `;
}
