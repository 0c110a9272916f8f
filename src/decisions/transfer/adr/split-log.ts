// A page that holds many records, under a heading each or in the rows of a table: a log of decisions. Each becomes a page
// of its own, below the name of the log. Any other page stays one.
import type { DecisionFile } from "../decision-source.ts";
import { cellsOf, isSeparator, keyOf } from "./adr-fields.ts";
import { fieldOf } from "./adr-status.ts";
import { englishTitle, withoutNumber } from "./adr-words.ts";
import { readPage, type Section } from "./markdown-sections.ts";
import { plainText } from "./markdown-text.ts";

const NUMBERED = /^\[?(?:ADR|DR|DEC|RFC|D|Decision)[-_\s#]{0,2}\d{1,6}\b/i;
/** Of what one record is made: a page that has them itself is one. */
const OWN = /^(?:status|decision|decision outcome|context|context and problem statement)$/;
const DATED = /^\[?\d{4}-\d{2}-\d{2}\b/;
/** What a record says of itself, in a line or under a heading. */
const SAYS = /^[\s>*+-]{0,8}\**(?:status|decision|decided|outcome|context|rationale|why|reason)\**\s{0,3}[:：]/im;
const HEADS = /^#{1,6}\s{1,3}(?:status|decision|context)\b/im;
const LOG = /\b(?:log|records?|decisions|adrs)\b/i;
const COLUMNS = ["date", "status", "rationale", "reason", "why", "context", "outcome"];
const LONGEST_STEM = 80;

/** The pages of a log; the page itself where it is none. */
export function splitLog(file: DecisionFile): readonly DecisionFile[] {
  const page = readPage(file.text);
  const entries = entriesOf(page.sections, page.title ?? "");
  const rows = entries.length > 0 ? [] : tableRows(file.text);
  // The rows of a log have a standing each.
  const head = rows.length > 0 ? { ...page, preamble: withoutTables(page.preamble) } : page;
  if (fieldOf(head, ["status", "state"]) !== undefined) return [file];
  const start = entries[0] === undefined ? page.sections.length : page.sections.indexOf(entries[0]);
  if (page.sections.slice(0, start).some(({ title }) => OWN.test(englishTitle(withoutNumber(title))))) return [file];
  const found = entries.length > 0 ? entries.map(toPage) : rows;
  return found.length === 0 ? [file] : named(file.name, found);
}

interface Page {
  readonly title: string;
  readonly text: string;
}

/** Headings of one level that name a record each, most of them with what records say. One alone needs a log's title above it. */
function entriesOf(sections: readonly Section[], title: string): readonly Section[] {
  for (const level of [2, 3, 4]) {
    const entries = sections.filter((section) => section.level === level && isEntryTitle(section.title));
    const saying = entries.filter(({ body }) => SAYS.test(body) || HEADS.test(body)).length;
    if (saying * 2 > entries.length && (saying > 1 || (LOG.test(title) && !isEntryTitle(title)))) return entries;
  }
  return [];
}

function isEntryTitle(title: string): boolean {
  const bare = plainText(title);
  return NUMBERED.test(bare) || DATED.test(bare);
}

function toPage({ title, body }: Section): Page {
  const day = DATED.exec(plainText(title))?.[0].replace("[", "");
  return { title, text: [`# ${title}`, ...(day === undefined ? [] : [`- Date: ${day}`]), body].join("\n\n") };
}

/** Rows of the first table that has a column of decisions and one that says more of them. */
function tableRows(text: string): readonly Page[] {
  const lines = text.split(/\r\n|\n|\r/);
  const at = lines.findIndex((line, index) => isSeparator(lines[index + 1] ?? "") && isDecisionHead(cellsOf(line)));
  if (at < 0) return [];
  const keys = (cellsOf(lines[at] ?? "") ?? []).map(columnOf);
  const end = lines.findIndex((line, index) => index > at + 1 && cellsOf(line) === undefined);
  const rows = lines.slice(at + 2, end < 0 ? lines.length : end).map((line) => cellsOf(line) ?? []);
  const pages = rows.map((cells) => toRow(keys, cells)).filter(({ title }) => title !== "");
  return pages.length > 1 ? pages : [];
}

function withoutTables(text: string): string {
  return text
    .split("\n")
    .filter((line) => cellsOf(line) === undefined)
    .join("\n");
}

function columnOf(cell: string): string {
  const key = keyOf(cell);
  return key === "decisions" ? "decision" : key;
}

function isDecisionHead(cells: readonly string[] = []): boolean {
  const keys = cells.map(columnOf);
  return keys.includes("decision") && keys.some((key) => COLUMNS.includes(key));
}

function toRow(keys: readonly string[], cells: readonly string[]): Page {
  const cell = (key: string) => plainText(cells[keys.indexOf(key)] ?? "");
  const fields = keys.flatMap((key, at) => (COLUMNS.includes(key) && cells[at] ? [`- ${key}: ${cells[at]}`] : []));
  const title = [cell("title"), cell("topic"), cell("decision")].find((text) => text !== "") ?? "";
  return { title, text: [`# ${title}`, "", `- decision: ${cell("decision") || title}`, ...fields].join("\n") };
}

/** Each name once: the second entry of one title gets a number. */
function named(log: string, pages: readonly Page[]): readonly DecisionFile[] {
  const known = new Map<string, number>();
  return pages.map(({ title, text }) => {
    const stem = stemFor(title);
    const count = (known.get(stem) ?? 0) + 1;
    known.set(stem, count);
    return { name: `${log}/${count === 1 ? stem : `${stem}-${count}`}.md`, text };
  });
}

function stemFor(title: string): string {
  const words = plainText(title)
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-/, "")
    .slice(0, LONGEST_STEM)
    .replace(/-$/, "");
  return (DATED.test(plainText(title)) ? words.toLowerCase() : words) || "decision";
}
