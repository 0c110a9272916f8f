// Architecture decision records: one Markdown page each, in a folder with a README and templates. Ids are the names of the
// files, because numbers repeat in real logs.
import { groupBy } from "../../text/words.ts";
import { withoutSilent } from "../record-values.ts";
import {
  englishTitle,
  type MarkdownPage,
  plainText,
  readBlocks,
  readPage,
  type Section,
  withoutNumber,
} from "./adr-markdown.ts";
import { type AdrOutcome, findSection, readOutcome } from "./adr-outcome.ts";
import { type AdrReference, type AdrStatus, cellsOf, fieldOf, isSeparator, keyOf, readStatus } from "./adr-status.ts";
import type { DecisionFile, FileReading, FoundRecord } from "./decision-source.ts";

export interface FoundAdr extends FoundRecord {
  readonly standing: AdrStatus;
}

const BESIDE = /^(?:readme|_?index|overview|contributing|changelog|toc|_?sidebar|summary|glossary|license)$/i;
const TEMPLATE = /(?:^|[-_.])template(?:$|[-_.])/i;
const PLACEHOLDER = /^[{<[].{0,300}[}>\]]$|\{(?:short|title|number)[^}]{0,200}\}|^(?:NUMBER|N+)\b.{0,20}\bTITLE\b/i;
const CONTEXT = [
  /^context\b/i,
  /^(?:problem|background|motivation|issue|problem statement)\b/i,
  /^(?:what is the (?:problem|goal)|why\b|introduction|overview|summary)/i,
];

/** Exactly one of a record and a fault. */
export function readAdr(file: DecisionFile): { readonly adr?: FoundAdr; readonly faults: FileReading["faults"] } {
  const page = readPage(file.text);
  const stem = stemOf(file.name);
  const leave = (what: string): ReturnType<typeof readAdr> => ({
    faults: [{ id: file.name, code: "NOT_A_RECORD", message: `${file.name} is left out: ${what}` }],
  });
  if (TEMPLATE.test(stem)) return leave("it is a template.");
  const standing = readStatus(page);
  const outcome = readOutcome(page);
  const isRecord = standing.status !== undefined || (outcome.body ?? decisionField(page)) !== undefined;
  if (BESIDE.test(stem) && (standing.status === undefined || outcome.body === undefined)) {
    return leave("it is a page about the records, not one of them.");
  }
  const title = titleOf(page) ?? (isRecord ? titleFrom(stem) : undefined);
  if (title === undefined) return leave("it has no title.");
  if (PLACEHOLDER.test(title)) return leave("it is a template: its title is not filled in.");
  if (!isRecord) return leave("it has neither a status nor a decision.");
  const { chosen, reasons, alternatives, body } = withDecisionFields(outcome, page);
  const raw = withoutSilent({
    id: BESIDE.test(stem) ? (parentsOf(file.name).at(-1) ?? stem) : stem,
    decision: chosen === undefined || holds(title, chosen) ? title : `${title}: ${chosen}`,
    date: standing.date ?? /(?:^|\/)(\d{4}-\d{2}-\d{2})(?=[-_.])/.exec(file.name)?.[1],
    category: fieldOf(page, ["category", "area"]) ?? "architecture",
    status: standing.status,
    context: contextOf(page),
    reasons: reasons.map((text) => ({ type: "analysis", text })),
    alternatives,
    tags: words(fieldOf(page, ["tags", "keywords", "labels"])),
    decision_outcome: body,
    decision_drivers: itemsOf(page, [/^(?:decision )?drivers?\b/i]),
    consequences: itemsOf(page, [/^(?:positive |negative )?consequences\b/i]),
    deciders: fieldOf(page, ["deciders", "decision-makers", "decision makers", "authors", "author"]),
  });
  return { adr: { raw, file: file.name, standing }, faults: [] };
}

/** In logs a line says what elsewhere takes a section. */
function decisionField(page: MarkdownPage): string | undefined {
  return fieldOf(page, ["decision", "decided", "outcome", "resolution"]);
}

function withDecisionFields(outcome: AdrOutcome, page: MarkdownPage): AdrOutcome {
  const told = decisionField(page);
  const why = fieldOf(page, ["rationale", "why", "reason", "reasoning"]);
  const reasons = outcome.reasons.length > 0 || why === undefined ? outcome.reasons : [plainText(why)];
  if (outcome.body !== undefined || told === undefined) return { ...outcome, reasons };
  return { ...outcome, reasons, chosen: plainText(told), body: told };
}

function stemOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? name;
  return last.replace(/\.gz$/i, "").replace(/\.(?:md|markdown|mdx)$/i, "");
}

/** Folders of a file, outermost first. */
function parentsOf(name: string): readonly string[] {
  return name
    .split(/[/\\]/)
    .slice(0, -1)
    .filter((part) => part !== "" && part !== "." && part !== "..");
}

/** Without its number: `1. Use Markdown`, `ADR-0001: Use Markdown`. */
function titleOf({ title, fields }: MarkdownPage): string | undefined {
  const written = plainText(title ?? fields.get("title") ?? "");
  const bare = written
    .replace(/^\[(?:ADR|RFC)\]\s{0,3}/i, "")
    .replace(/^\[?(?:ADR|RFC)[-\s#]{0,2}\d{1,6}\]?\s{0,3}[:.)—–-]{0,2}\s{0,3}/i, "")
    .replace(/^(?:DR|DEC|D|Decision)[-\s#]{0,2}\d{1,6}\s{0,3}[:.)—–-]{1,2}\s{0,3}/i, "")
    .replace(/^\[?\d{4}-\d{2}-\d{2}\]?\s{0,3}[:|—–-]{0,2}\s{1,3}/, "")
    .replace(/^\d{1,6}\s{0,2}[.:)—–-]\s{1,3}/, "")
    .trim();
  const braced = /^\{([^{}|]{1,300})\}$/.exec(bare)?.[1];
  if (braced !== undefined && !/short title|title of/i.test(braced)) return braced.trim();
  return bare === "" ? (written === "" ? undefined : written) : bare;
}

/** `001-use-an-archive`: of pages that begin with their first section. */
function titleFrom(stem: string): string | undefined {
  const words = stem
    .replace(/^(?:adr|rfc)?[-_ ]?\d{1,6}[-_ ]/i, "")
    .replace(/[-_]+/g, " ")
    .trim();
  return words === "" ? undefined : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function holds(title: string, chosen: string): boolean {
  return title.toLowerCase().includes(chosen.toLowerCase().replace(/^(?:use|adopt)\s/, ""));
}

function contextOf(page: MarkdownPage): string | undefined {
  const section = findSection(page.sections, CONTEXT);
  if (section !== undefined && section.body !== "") return section.body;
  const prose = readBlocks(page.preamble).flatMap((block) => (block.kind === "paragraph" ? [block.text] : []));
  const said = prose.filter((text) => !/^\W{0,4}(?:status|date|deciders?|authors?|supersede[sd]?)\b/i.test(text));
  return said.length === 0 ? undefined : said.join("\n\n");
}

function itemsOf(page: MarkdownPage, patterns: readonly RegExp[]): readonly string[] | undefined {
  const section = findSection(page.sections, patterns);
  if (section === undefined) return undefined;
  const items = readBlocks(section.body).flatMap((block) => (block.kind === "list" ? block.items : []));
  return items.length === 0 ? undefined : items.slice(0, 50);
}

function words(list: string | undefined): readonly string[] | undefined {
  const found = list
    ?.replace(/^\[|\]$/g, "")
    .split(/,\s{0,5}/)
    .map((word) => word.replace(/^["']|["']$/g, "").trim());
  return found?.filter((word) => word !== "");
}

// A page that holds many records, under a heading each or in the rows of a table: a log of decisions. Each becomes a page
// of its own, below the name of the log. Any other page stays one.

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

// Ids and references of the ADRs that are read together: files of one name in several folders get their folder's name as
// well, and "superseded by ADR-0012" finds the record that it speaks of.

export function resolveAdrs(adrs: readonly FoundAdr[]): readonly FoundRecord[] {
  const ids = resolveIds(adrs);
  const byPath = new Map(adrs.map(({ file }) => [partsOf(file).join("/"), ids.get(file) ?? ""]));
  const byNumber = groupBy(adrs, ({ file }) => numberOf(stemOf(file)));
  const byStem = groupBy(adrs, ({ file }) => stemOf(file).toLowerCase());
  const only = (found: readonly FoundAdr[] | undefined, from: FoundAdr) => {
    const others = found?.filter((adr) => adr !== from) ?? [];
    const near = others.filter((adr) => parentsOf(adr.file).join("/") === parentsOf(from.file).join("/"));
    const [one, another] = near.length > 0 ? near : others;
    return one === undefined || another !== undefined ? undefined : ids.get(one.file);
  };
  const resolve = (reference: AdrReference, from: FoundAdr): string => {
    const path = reference.path?.split(/[#?]/)[0] ?? "";
    const linked = path === "" ? undefined : byPath.get(joined(from.file, path));
    const stem = path === "" ? reference.words : stemOf(path);
    const named = linked ?? only(byStem.get(stem.toLowerCase()), from);
    if (named !== undefined || /\.mdx?$/i.test(path)) return named ?? stem;
    return only(byNumber.get(String(reference.number)), from) ?? stem;
  };
  return adrs.map((adr) => {
    const { supersededBy, supersedes } = adr.standing;
    const raw = {
      ...adr.raw,
      id: ids.get(adr.file) ?? adr.raw.id,
      ...(supersededBy === undefined ? {} : { superseded_by: resolve(supersededBy, adr) }),
      ...(supersedes.length === 0 ? {} : { supersedes: [...new Set(supersedes.map((other) => resolve(other, adr)))] }),
    };
    return { raw, file: adr.file };
  });
}

/** By file. Of files with one stem each gets the nearest folder by which they all differ, or its whole path. */
function resolveIds(adrs: readonly FoundAdr[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [id, group] of groupBy(adrs, ({ raw }) => String(raw.id))) {
    const folders = group.map(({ file }) => parentsOf(file));
    const names = namesApart(id, folders);
    for (const [at, { file }] of group.entries()) ids.set(file, names[at] ?? id);
  }
  return ids;
}

function namesApart(id: string, folders: readonly (readonly string[])[]): readonly string[] {
  if (folders.length === 1) return [id];
  const depth = Math.max(...folders.map((parents) => parents.length));
  for (let above = 1; above <= depth; above += 1) {
    const names = folders.map((parents) => [parents.at(-above), id].filter((part) => part !== undefined).join("-"));
    if (new Set(names).size === names.length) return names;
  }
  return folders.map((parents) => [...parents, id].join("-"));
}

function numberOf(stem: string): string | undefined {
  const digits = /^(?:adr|rfc)?[-_ ]?0{0,6}(\d{1,6})(?!\d)/i.exec(stem)?.[1];
  return digits === undefined ? undefined : String(Number(digits));
}

function joined(file: string, path: string): string {
  const parts = path.startsWith("/") ? [] : [...partsOf(file).slice(0, -1)];
  for (const part of path.split(/[/\\]/)) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function partsOf(file: string): readonly string[] {
  return file.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
}
