// What an answer may rest on: the passages, the ledger's facts, the earlier summary and the note; and where in them a name
// stands, in whatever spelling. Everything an answer names is looked for here and nowhere else.
import { cite, type Ledger, type Source } from "../../facts/ledger.ts";
import { dayOfYear, findDays } from "../../language/dates.ts";
import { createPacer } from "../../tokens/stepwise.ts";
import type { Passage, SummaryRequest } from "../summarizer.ts";

export interface SourceText {
  readonly text: string;
  /** The message that is cited for it; absent where there is none. */
  readonly id?: string;
  /** `record`: what an earlier summary says that users said. `ledger`: anything else that is no passage. */
  readonly source: Passage["source"] | "ledger";
}

export interface Sources {
  /** Oldest first; passages last, so that the newest mention is found first from the end. */
  readonly texts: readonly SourceText[];
  /** All that may be cited, with who said it. */
  readonly ids: ReadonlyMap<string, SourceText["source"]>;
  /** What the session's own lists of tasks say, with the message that shows it. */
  readonly plan: readonly { readonly text: string; readonly status: string; readonly evidence: string | undefined }[];
}

export function collectSources({ passages, ledger, previous, note }: SummaryRequest): Sources {
  const facts = factTexts(ledger);
  const ids = new Map<string, SourceText["source"]>();
  const record = splitRecord(previous ?? "");
  for (const id of citedIds(record.others)) ids.set(id, "ledger");
  for (const id of citedIds(record.users)) ids.set(id, "record");
  for (const { id, source } of facts) if (id !== undefined) ids.set(id, source);
  // A message may hold a tool's output and a person's words: where both are cited, the person is.
  for (const { id, source } of passages) if (source !== "tool" || ids.get(id) !== "user") ids.set(id, source);
  const beside: SourceText[] = [];
  if (note !== undefined) beside.push({ text: note, source: "note" });
  beside.push({ text: record.others, source: "ledger" }, { text: record.users, source: "record" });
  const plan = ledger.plans.flatMap(({ items }) =>
    items.map(({ text, status, evidence }) => ({ text, status, evidence: evidence && cite(evidence) })),
  );
  return { texts: beside.concat(facts, passages), ids, plan };
}

/** Of an earlier summary, what it says that users said, apart from what tools and the assistant did. */
function splitRecord(text: string): { readonly users: string; readonly others: string } {
  const parts = { users: [] as string[], others: [] as string[] };
  for (const section of text.split(/^## /m)) {
    parts[/^(?:Goals and (?:success|requests)|Rules and constraints)/.test(section) ? "users" : "others"].push(section);
  }
  return { users: parts.users.join("\n"), others: parts.others.join("\n") };
}

/** Kinds of facts that hold what a user said. */
const USERS: ReadonlySet<string> = new Set(["user_message", "rule"]);
/** Fields of a fact that say what it is, in words of ours: nobody said them. */
const LABELS: ReadonlySet<string> = new Set(["kind", "author", "source", "operation", "outcome", "polarity"]);

/** One text a fact, cited where the fact was seen; the other places it names may be cited too. */
function factTexts({ version: _, ...kinds }: Ledger): readonly SourceText[] {
  return Object.values(kinds)
    .flat()
    .flatMap((fact): readonly SourceText[] => {
      const strings: string[] = [];
      const sources: Source[] = [];
      readFact(fact, strings, sources);
      const isUsers = USERS.has(fact.kind) && !("author" in fact && fact.author === "host");
      // What was said or thought aloud is no fact of ours.
      const source = isUsers ? "user" : fact.kind === "statement" ? "assistant" : "ledger";
      const others = sources.map((other) => ({ id: cite(other), source: "ledger", text: "" }) as const);
      return [{ id: cite(fact.source), source, text: strings.join("\n") }, ...others];
    });
}

function readFact(value: object, strings: string[], sources: Source[]): void {
  for (const [key, part] of Object.entries(value)) {
    if (LABELS.has(key)) continue;
    if (typeof part === "string") strings.push(part);
    else if (typeof part !== "object" || part === null) continue;
    else if (typeof part.step === "number" && typeof part.message === "number") sources.push(part);
    else readFact(part, strings, sources);
  }
}

/** Of messages that say nothing, as empty results do, no text is left: they lie between others. */
export function isCitable(id: string, { ids }: Sources): boolean {
  if (ids.has(id)) return true;
  const [step, message] = /^(\d{1,9})\.(\d{1,9})$/u.exec(id)?.slice(1).map(Number) ?? [];
  return message !== undefined && ids.has(`${step}.${message - 1}`) && ids.has(`${step}.${message + 1}`);
}

export interface Finder {
  /** Days that any text names, of whatever year. */
  readonly days: ReadonlySet<number>;
  /** Index of the newest text that says it; -1 for none. */
  find(name: string): number;
  /** Does a text say it within a few words of so many of `stems`? */
  standsNear(figure: string, stems: readonly string[], least: number): boolean;
}

/** Texts are read in slices of this length, with pauses between. */
const SLICE = 64_000;
const AROUND = 160;
const MOST_LOOKED_AT = 300;

export async function createFinder(texts: readonly SourceText[]): Promise<Finder> {
  const pacer = createPacer();
  const normal: string[] = [];
  const places = new Map<string, number[]>();
  const days = new Set<number>();
  for (const [index, { text }] of texts.entries()) {
    const slices: string[] = [];
    for (let at = 0; at < text.length; at += SLICE) {
      const slice = text.slice(at, at + SLICE);
      slices.push(normalOf(slice));
      for (const day of findDays(slice)) days.add(dayOfYear(day));
      if (pacer.isDue()) await pacer.pause();
    }
    const whole = ` ${slices.join("")} `;
    normal.push(whole);
    for (const word of new Set(whole.split(" "))) {
      const known = places.get(word) ?? [];
      places.set(word, known);
      known.push(index);
    }
  }
  const placesOf = (word: string) => places.get(word) ?? [];
  const rarest = (words: readonly string[]) =>
    words.map(placesOf).reduce((least, next) => (next.length < least.length ? next : least));
  const find = (name: string): number => {
    const said = normalOf(name).trim();
    if (said === "") return -1;
    if (/^[0-9a-f]{7,40}$/u.test(said)) {
      const word = [...places.keys()].find((known) => known.startsWith(said));
      return word === undefined ? -1 : (places.get(word)?.at(-1) ?? -1);
    }
    const words = said.split(" ");
    // A name of code is written together; its words side by side are a sentence.
    const together =
      /^[A-Za-z]\w*$/u.test(name) && words.length > 1 ? new RegExp(words.join("[_-]?"), "iu") : undefined;
    const isSaid = (index: number) =>
      normal[index]?.includes(` ${said} `) === true && together?.test(texts[index]?.text ?? "") !== false;
    return rarest(words).findLast(isSaid) ?? -1;
  };
  const standsNear = (figure: string, stems: readonly string[], least: number) => {
    const said = normalOf(figure).trim();
    return rarest(said.split(" "))
      .slice(-MOST_LOOKED_AT)
      .some((index) => isNear(normal[index] ?? "", ` ${said} `, stems, least));
  };
  return { days, find, standsNear };
}

export function isNear(text: string, said: string, stems: readonly string[], least: number): boolean {
  let looked = 0;
  for (let at = text.indexOf(said); at >= 0 && looked < MOST_LOOKED_AT; at = text.indexOf(said, at + 1)) {
    const around = text.slice(Math.max(0, at - AROUND), at + AROUND);
    if (stems.filter((stem) => around.includes(` ${stem}`)).length >= least) return true;
    looked += 1;
  }
  return false;
}

/** Words in small letters with one space between: `userAccounts`, `user_accounts` and `user accounts` are one, and so are `a/b` and `a\b`. */
export function normalOf(text: string): string {
  return text
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=(?<![A-Za-z0-9])[A-Za-z]{1,8})(?=\d{1,9}(?![A-Za-z0-9]))/gu, " ")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ");
}

// Citations: ids of messages in brackets, `[1.12]` or `[1.12, 1.14]`. Finds them, and strikes those that name nothing.

const BRACKETS = /(?:(?<![ \t])[ \t]{1,5})?\[[^[\]\n]{1,300}\]/g;
const WORDS_BEFORE = /^\s{0,5}(?:messages?|msgs?|sources?|see|ids?|passages?)[:\s]{1,5}|^\s{0,5}[#^]\s{0,3}/i;
/** Looks like an id of a message even if none has it. */
const ID = /^\d{1,6}\.\d{1,7}$/;
/** A range cites its two ends: nobody knows what a model meant of what lies between. */
const SEPARATOR = /\s{0,5}(?:[,;&–—~→…，、；]|\.{2,3}|\b(?:and|to|through|bis)\b|-(?=\s{0,5}\d{1,6}\.\d))\s{0,5}/;

function idsIn(brackets: string): readonly string[] {
  return brackets.slice(1, -1).replace(WORDS_BEFORE, "").trim().split(SEPARATOR);
}

/** Puts something else in the place of each citation and the blanks before it; any known id makes one, whatever it looks like. */
export function replaceCitations(
  text: string,
  by: (ids: readonly string[], found: string) => string,
  isKnown: (id: string) => boolean = () => false,
): string {
  return text.replace(BRACKETS, (found) => {
    const ids = idsIn(found.trimStart());
    return ids.some((id) => ID.test(id) || isKnown(id)) ? by(ids, found) : found;
  });
}

function citedIds(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  replaceCitations(text, (ids, citation) => {
    for (const id of ids) if (ID.test(id)) found.add(id);
    return citation;
  });
  return found;
}

interface CheckedCitations {
  readonly text: string;
  /** The valid ids, in order. */
  readonly ids: readonly string[];
  readonly struck: number;
}

/** Ids that name nothing are taken out, and the brackets with them when none is left. */
export function checkCitations(text: string, isKnown: (id: string) => boolean): CheckedCitations {
  const valid = new Set<string>();
  let struck = 0;
  const checked = replaceCitations(
    text,
    (ids, found) => {
      const known = ids.filter(isKnown);
      // Words in the brackets (`[1.4, in part]`) are no ids: neither cited nor struck.
      struck += ids.filter((id) => ID.test(id) && !isKnown(id)).length;
      for (const id of known) valid.add(id);
      return known.length > 0 ? `${found.slice(0, found.indexOf("["))}[${known.join(", ")}]` : "";
    },
    isKnown,
  );
  return { text: checked, ids: [...valid], struck };
}

/** The text with its citations blanked, so that an id is not read as a number. */
export function withoutCitations(text: string, isKnown: (id: string) => boolean): string {
  return replaceCitations(text, (_, found) => " ".repeat(found.length), isKnown);
}
