// Architecture decision records: one Markdown page each, in a folder with a README and templates. Ids are the names of the
// files, because numbers repeat in real logs.
import type { DecisionFile, FileReading, FoundRecord, SourceFault } from "../decision-source.ts";
import { type AdrOutcome, findSection, readOutcome } from "./adr-outcome.ts";
import { type AdrStanding, fieldOf, readStanding } from "./adr-status.ts";
import { type MarkdownPage, readPage } from "./markdown-sections.ts";
import { plainText, readBlocks } from "./markdown-text.ts";

export interface FoundAdr extends FoundRecord {
  readonly standing: AdrStanding;
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
  const leave = (what: string) => ({ faults: [notARecord(file.name, what)] });
  if (TEMPLATE.test(stem)) return leave("it is a template.");
  const standing = readStanding(page);
  const outcome = readOutcome(page);
  const isRecord = standing.status !== undefined || (outcome.body ?? toldDecision(page)) !== undefined;
  if (BESIDE.test(stem) && (standing.status === undefined || outcome.body === undefined)) {
    return leave("it is a page about the records, not one of them.");
  }
  const title = titleOf(page) ?? (isRecord ? titleFrom(stem) : undefined);
  if (title === undefined) return leave("it has no title.");
  if (PLACEHOLDER.test(title)) return leave("it is a template: its title is not filled in.");
  if (!isRecord) return leave("it has neither a status nor a decision.");
  const { chosen, reasons, alternatives, body } = withTold(outcome, page);
  const raw = present({
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
function toldDecision(page: MarkdownPage): string | undefined {
  return fieldOf(page, ["decision", "decided", "outcome", "resolution"]);
}

function withTold(outcome: AdrOutcome, page: MarkdownPage): AdrOutcome {
  const told = toldDecision(page);
  const why = fieldOf(page, ["rationale", "why", "reason", "reasoning"]);
  const reasons = outcome.reasons.length > 0 || why === undefined ? outcome.reasons : [plainText(why)];
  if (outcome.body !== undefined || told === undefined) return { ...outcome, reasons };
  return { ...outcome, reasons, chosen: plainText(told), body: told };
}

export function stemOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? name;
  return last.replace(/\.gz$/i, "").replace(/\.(?:md|markdown|mdx)$/i, "");
}

/** Folders of a file, outermost first. */
export function parentsOf(name: string): readonly string[] {
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

function present(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function notARecord(id: string, what: string): SourceFault {
  return { id, code: "NOT_A_RECORD", message: `${id} is left out: ${what}` };
}
