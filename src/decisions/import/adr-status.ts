// What an ADR says about its standing: status, date, and which record took whose place. In front matter, in lines such as
// `* Status: accepted`, or below headings of their own.
import { findDates } from "../../language/dates.ts";
import type { MarkdownPage } from "./adr-markdown.ts";
import { englishStatus, englishTitle, withoutNumber } from "./adr-markdown.ts";

/** How a page names another: a link, a number, a name. */
export interface AdrReference {
  /** Path of a link, relative to the page. */
  readonly path?: string;
  readonly number?: number;
  /** As it is written. */
  readonly words: string;
}

export interface AdrStatus {
  /** In lower case: `accepted`, `proposed`, `superseded`, ...; undefined where none is given, or every choice of a template. */
  readonly status?: string;
  readonly date?: string;
  readonly supersededBy?: AdrReference;
  readonly supersedes: readonly AdrReference[];
}

const LONGEST_STATUS = 60;
const MOST_STATUS_LINES = 60;
/** A date in front of a status: `2024-05-01: accepted`. */
const DATED = /^[\s>*+-]{0,8}\**\d{4}-\d{2}-\d{2}\**[\s:：—–|-]{1,6}/;
const REPLACED = /\b(?:super[sc]eded|replaced|obsoleted)(?:[\s-]by)?\b:?\s{0,5}(.{0,300})/i;
const REPLACES = /^\W{0,8}(?:supersedes|supercedes|replaces|obsoletes)\b\W{0,6}\s(.{1,500})/i;
const STATUSES =
  /^(?:accepted|approved|agreed|adopted|proposed|draft|rejected|declined|deprecated|obsolete|withdrawn|abandoned|implemented|active|pending|deferred|postponed|reviewed|decided|done|open|in progress|under review|on hold)\b/;

export function readStatus(page: MarkdownPage): AdrStatus {
  const section = sectionNamed(page, /^\W{0,3}status\b/i);
  const written = fieldOf(page, ["status", "state"]) ?? fieldIn(section, ["status", "state"]) ?? statusLine(section);
  const beside = linesOf(`${page.preamble}\n${section}`);
  const status = written === undefined ? undefined : plainStatus(written);
  const replacedBy = [written ?? "", ...beside].map((line) => REPLACED.exec(line)).find((match) => match !== null);
  const isReplaced = status?.startsWith("super") || replacedBy?.index === 0 || status === "replaced";
  const successor = replacedBy?.[1] === undefined ? undefined : referencesIn(replacedBy[1])[0];
  const date = dateOf(page, section);
  const supersedes = [page.fields.get("supersedes"), ...beside.map((line) => REPLACES.exec(line)?.[1])].flatMap(
    (words) => (words === undefined ? [] : referencesIn(words)),
  );
  return {
    ...(isReplaced ? { status: "superseded" } : status === undefined ? {} : { status }),
    ...(isReplaced && successor !== undefined ? { supersededBy: successor } : {}),
    ...(date === undefined ? {} : { date }),
    supersedes,
  };
}

/** Of front matter, of a line `**Key:** value` or of a row `| Key | value |` above the first section. */
export function fieldOf(page: MarkdownPage, names: readonly string[]): string | undefined {
  for (const name of names) {
    const given = page.fields.get(name);
    if (given !== undefined && given !== "") return given;
  }
  return fieldIn(page.preamble, names);
}

function sectionNamed({ sections }: MarkdownPage, pattern: RegExp): string {
  return sections.find(({ title }) => pattern.test(englishTitle(withoutNumber(title))))?.body ?? "";
}

/** Its first line; of a section that tells a history, a date before each standing, the last. */
function statusLine(section: string): string | undefined {
  const lines = linesOf(section);
  const isHistory = lines.length > 0 && lines.every((line) => DATED.test(line));
  return isHistory ? lines.at(-1)?.replace(DATED, "") : firstLine(section);
}

function dateOf(page: MarkdownPage, status: string): string | undefined {
  const section = sectionNamed(page, /^\W{0,3}(?:date|decided on)\b/i);
  const written =
    fieldOf(page, ["date", "decided", "decision-date", "decision date", "last updated", "created", "updated"]) ??
    firstLine(section);
  if (written === undefined) return /\d{4}-\d{2}-\d{2}/g.exec(linesOf(status).at(-1) ?? "")?.[0];
  const bare = withoutBraces(written);
  const isIso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:/.test(bare);
  const day = isIso ? undefined : findDates(bare)[0]?.date;
  if (day !== undefined) return day;
  // `YYYY-MM-DD when the decision was last updated` is no date.
  return /\d/.test(bare) ? bare : undefined;
}

function plainStatus(written: string): string | undefined {
  const bare = withoutBraces(written)
    .replaceAll(/[*_`~]/g, "")
    .replace(/^[^\p{L}\p{N}[]+/u, "")
    .trim()
    .toLowerCase();
  // Every choice at once: nobody has chosen.
  if (bare === "" || /\|/.test(bare)) return undefined;
  if (/^super[sc]eded\b|^replaced by\b|^obsoleted by\b/.test(bare)) return "superseded";
  return (
    STATUSES.exec(bare)?.[0] ?? englishStatus(bare) ?? (bare.split(/[.;,(]/)[0] ?? "").trim().slice(0, LONGEST_STATUS)
  );
}

function withoutBraces(text: string): string {
  const bare = text.trim();
  const isBraced = /^\{.{0,2000}\}$/.test(bare) || /^<[^<>]{0,200}>$/.test(bare);
  return (isBraced ? bare.slice(1, -1) : bare).trim();
}

function referencesIn(words: string): readonly AdrReference[] {
  const links = [...words.matchAll(/\[([^\]]{1,200})\]\(([^)\s]{1,300})\)/g)];
  if (links.length > 0) {
    return links.map(([, label = "", path = ""]) => ({ path, words: label.trim(), ...numbered(label) }));
  }
  const bare = words.replace(/^[\s*_:"'([]{1,8}/, "").replace(/[\s*_.,;:"')\]>]{1,8}$/, "");
  const name = /^(?:ADR[ -]?)?[\w.-]{1,100}/i.exec(bare)?.[0].replace(/[.-]+$/, "");
  return name === undefined || name === "" ? [] : [{ words: name, ...numbered(name) }];
}

function numbered(label: string): { readonly number?: number } {
  const digits = /(?:^|[^\w]|ADR[- ]?)0{0,6}(\d{1,6})(?:\D|$)/i.exec(label)?.[1];
  return digits === undefined ? {} : { number: Number(digits) };
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .slice(0, MOST_STATUS_LINES)
    .filter((line) => line.trim() !== "");
}

function firstLine(text: string): string | undefined {
  return text
    .split("\n")
    .find((line) => /[\p{L}\p{N}]/u.test(line))
    ?.trim();
}

// The short facts at the head of a record: lines such as `* Status: accepted`, tables with a row for each, tables with a
// column for each. Keys in English, whatever language they are in.

const MOST_FIELD_LINES = 60;
/** `**Key:** value`, `- Key: value`, `📅 Key: value`. */
const LINE =
  /^[\s>*+-]{0,8}(?:\p{Extended_Pictographic}\uFE0F?\s{0,3})?\**_{0,2}(\p{L}[\p{L} -]{0,30}?)_{0,2}\**\s{0,3}[:：]\s{0,3}\**\s{0,5}(\S.{0,2000})$/u;
const SEPARATOR = /^\s{0,3}\|?(?:\s{0,20}:?-{1,200}:?\s{0,20}\|?){1,20}\s{0,20}$/;

/** The value of the first of `names` that the text has, as written. */
function fieldIn(text: string, names: readonly string[]): string | undefined {
  const lines = text.split("\n").slice(0, MOST_FIELD_LINES);
  const fields = lines.flatMap((line, at) => fieldsAt(line, lines[at + 1] ?? "", lines[at + 2] ?? ""));
  for (const name of names) {
    const found = fields.find(([key, value]) => key === name && value !== "");
    if (found !== undefined) return found[1];
  }
  return undefined;
}

type Field = readonly [key: string, value: string];

function fieldsAt(line: string, next: string, afterNext: string): readonly Field[] {
  const cells = cellsOf(line);
  if (cells === undefined) {
    const [, key, value] = LINE.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[keyOf(key), value.trim()]];
  }
  if (SEPARATOR.test(line)) return [];
  const values = SEPARATOR.test(next) ? cellsOf(afterNext) : undefined;
  if (values !== undefined) return cells.map((key, at) => [keyOf(key), values[at] ?? ""]);
  const [key = "", value = ""] = cells;
  return cells.length < 2 ? [] : [[keyOf(key), value]];
}

/** The cells of a table's row; undefined for any other line. */
export function cellsOf(line: string): readonly string[] | undefined {
  const bare = line.slice(0, 4000).trim();
  if (!bare.startsWith("|") || bare.length < 3) return undefined;
  return bare
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split("|")
    .map((cell) => cell.trim());
}

export function isSeparator(line: string): boolean {
  return line.includes("-") && SEPARATOR.test(line);
}

export function keyOf(written: string): string {
  return englishTitle(written.replace(/[*_`:：]/g, ""));
}
