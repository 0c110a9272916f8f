// What an ADR says about its standing: status, date, and which record took whose place. In front matter, in lines such as
// `* Status: accepted`, or below headings of their own.
import type { MarkdownPage } from "./markdown-sections.ts";

/** How a page names another: a link, a number, a name. */
export interface AdrReference {
  /** Path of a link, relative to the page. */
  readonly path?: string;
  readonly number?: number;
  /** As it is written. */
  readonly words: string;
}

export interface AdrStanding {
  /** In lower case: `accepted`, `proposed`, `superseded`, ...; undefined where none is given, or every choice of a template. */
  readonly status?: string;
  readonly date?: string;
  readonly supersededBy?: AdrReference;
  readonly supersedes: readonly AdrReference[];
}

const LONGEST_STATUS = 60;
const MOST_LINES = 60;
const REPLACED = /\b(?:super[sc]eded|replaced|obsoleted)(?:[\s-]by)?\b:?\s{0,5}(.{0,300})/i;
const REPLACES = /^\W{0,8}(?:supersedes|supercedes|replaces|obsoletes)\b\W{0,6}\s(.{1,500})/i;
const STATUSES =
  /^(?:accepted|approved|agreed|adopted|proposed|draft|rejected|declined|deprecated|obsolete|withdrawn|abandoned|implemented|active|pending|deferred|postponed|reviewed|decided|done|open|in progress|under review|on hold)\b/;

export function readStanding(page: MarkdownPage): AdrStanding {
  const section = page.sections.find(({ title }) => /^\W{0,3}status\b/i.test(title))?.body ?? "";
  const written = fieldOf(page, ["status", "state"]) ?? firstLine(section);
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
  for (const line of linesOf(page.preamble)) {
    const [, key, value] =
      /^[\s>*+-]{0,8}\**_{0,2}([A-Za-z][A-Za-z -]{0,30}?)_{0,2}\**\s{0,3}:\s{0,3}\**\s{0,5}(\S.{0,2000})$/.exec(line) ??
      /^\s{0,3}\|\s{0,20}\**([A-Za-z][A-Za-z -]{0,30}?)\**:?\s{0,20}\|([^|]{1,2000})\|/.exec(line) ??
      [];
    if (key !== undefined && value !== undefined && names.includes(key.trim().toLowerCase())) return value.trim();
  }
  return undefined;
}

function dateOf(page: MarkdownPage, status: string): string | undefined {
  const section = page.sections.find(({ title }) => /^\W{0,3}(?:date|decided on)\b/i.test(title))?.body ?? "";
  const written =
    fieldOf(page, ["date", "decided", "decision-date", "decision date", "last updated", "created", "updated"]) ??
    firstLine(section);
  if (written === undefined) return /\d{4}-\d{2}-\d{2}/.exec(status)?.[0];
  const bare = withoutBraces(written);
  const [, year, month, day] = /(\d{4})[-/.](\d{2})[-/.](\d{2})(?!\d)/.exec(bare) ?? [];
  const isIso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:/.test(bare);
  if (year !== undefined && !isIso) return `${year}-${month}-${day}`;
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
  return STATUSES.exec(bare)?.[0] ?? (bare.split(/[.;,(]/)[0] ?? "").trim().slice(0, LONGEST_STATUS);
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
    .slice(0, MOST_LINES)
    .filter((line) => line.trim() !== "");
}

function firstLine(text: string): string | undefined {
  return text
    .split("\n")
    .find((line) => /[\p{L}\p{N}]/u.test(line))
    ?.trim();
}
