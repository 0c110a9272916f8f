// Holds an answer against its sources, statement by statement: citations, names, figures, days, denials, who may have said
// it. What is in doubt is marked and stays; what nobody said is taken out. Nothing of it without a word of why.

import { isRefusal } from "../../facts/tool-call.ts";
import { dayOfYear } from "../../language/dates.ts";
import { neutraliseBlocks, oneLine } from "../../text/quote.ts";
import { mapInTurns } from "../../tokens/stepwise.ts";
import type { Doubt } from "../summarizer.ts";
import { givesOrders } from "./answer-cues.ts";
import {
  type Evidence,
  evidenceOf,
  findClaims,
  findNames,
  isFigureKnown,
  isNamed,
  isWordKnown,
  type Name,
  stemsOf,
  topicOf,
} from "./claims.ts";
import { contradicting, refusedOtherwise } from "./contradictions.ts";
import type { CheckedAnswer, CheckedStatement, Statement } from "./read-answer.ts";
import {
  checkCitations,
  createFinder,
  type Finder,
  isCitable,
  type Sources,
  type SourceText,
  withoutCitations,
} from "./source-texts.ts";
import { type Quote, speaksOfUser, unsaidQuotes, unsaidVerdict } from "./users-words.ts";

/** Stands where no message can be named. Short: it may stand in every line. */
const UNCITED = "[uncited]";
export const UNVERIFIED = "[unverified]";
const SAYS = /\[the message says: "[^"\]]{0,200}"\]/gu;
/** More statements than any summary has. */
const MOST_STATEMENTS = 5_000;
const QUOTED = 120;
/** UTF-16 units: a yes, a no, a choice. */
const SHORT_ANSWER = 60;
/** A request of one's own is longer. */
const LONGEST_ANSWER = 300;

export interface Checker {
  readonly sources: Sources;
  readonly finder: Finder;
  readonly byId: ReadonlyMap<string, readonly SourceText[]>;
}

export async function createChecker(sources: Sources): Promise<Checker> {
  const byId = new Map<string, SourceText[]>();
  for (const text of sources.texts) {
    if (text.id === undefined) continue;
    const known = byId.get(text.id) ?? [];
    byId.set(text.id, known);
    known.push(text);
  }
  return { sources, finder: await createFinder(sources.texts), byId };
}

export async function checkAnswer(statements: readonly Statement[], checker: Checker): Promise<CheckedAnswer> {
  const found = await mapInTurns(statements.slice(0, MOST_STATEMENTS), (one) => checkStatement(one, checker));
  return {
    statements: found.flatMap(({ statement }) => statement ?? []),
    doubts: found.flatMap(({ doubts }) => doubts.map((doubt) => ({ ...doubt, text: oneLine(doubt.text, QUOTED) }))),
  };
}

interface Found {
  readonly statement: CheckedStatement | undefined;
  readonly doubts: readonly Doubt[];
}

function checkStatement({ section, text: written }: Statement, checker: Checker): Found {
  const { sources } = checker;
  const doubts: Doubt[] = [];
  const doubt = (kind: Doubt["kind"], text: string, why: string) => doubts.push({ kind, text, why });
  if (givesOrders(written)) {
    doubt("claim", written, "left out: it gives orders to whoever reads the summary");
    return { statement: undefined, doubts };
  }
  const isKnownId = (id: string) => isCitable(id, sources);
  // In a line that is taken over from an earlier record the mark stands already.
  const cited = checkCitations(neutraliseBlocks(written).replaceAll(UNCITED, "").trimEnd(), isKnownId);
  if (cited.struck > 0) doubt("name", written, "cites a message that does not exist");
  const plain = withoutCitations(cited.text, isKnownId).replace(SAYS, (mark) => " ".repeat(mark.length));
  const names = findNames(plain);
  const ids = cited.ids.length > 0 ? cited.ids : guessIds(names, checker);
  const near = nearby(ids, checker);
  const unsaid = unsaidOf(section, plain, ids, near, checker);
  if (unsaid.why !== undefined) {
    doubt("claim", written, unsaid.why);
    return { statement: undefined, doubts };
  }
  const evidence = evidenceOf(near);
  const edits = [
    ...nameEdits(plain, names, evidence, checker, doubt),
    ...figureEdits(plain, names, evidence, checker, doubt),
    ...unsaid.quotes.map(({ text, end }) => {
      doubt("claim", text, "quoted, and said by no message");
      return { start: end, end, by: ` ${UNVERIFIED}` };
    }),
  ];
  const text = withEdits(cited.text, edits);
  if (edits.length > 0 && !/\p{L}{2}/u.test(text.replaceAll(UNVERIFIED, "").replace(/\[[^\]\n]{0,100}\]/gu, "")))
    return { statement: undefined, doubts };
  const statement = inItsPlace({ section, text, ids }, names, sources);
  if (statement.section !== section) doubt("claim", written, "moved to the findings: no user said so where it cites");
  const says = contradictionOf(plain, ids, checker);
  if (says !== undefined) doubt("claim", written, `the message says: "${says}"`);
  const marked = says === undefined || SAYS.test(text) ? text : `${text} [the message says: "${says}"]`;
  return { statement: { ...statement, text: cited.ids.length > 0 ? marked : withCitation(marked, ids) }, doubts };
}

/** What a statement puts into a user's mouth that no user said, and what else it quotes that nobody did. */
function unsaidOf(
  section: Statement["section"],
  plain: string,
  ids: readonly string[],
  near: readonly SourceText[],
  { byId, sources }: Checker,
): { readonly why?: string; readonly quotes: readonly Quote[] } {
  const cited = ids.flatMap((id) => byId.get(id) ?? []).filter(({ text }) => text !== "");
  // Of an earlier record only the numbers may be left.
  if (ids.length > 0 && cited.length === 0) return { quotes: [] };
  const isUsers = ({ source, text }: SourceText) =>
    source === "user" || source === "record" || source === "note" || (source === "tool" && isRefusal(text));
  const citedUsers = cited.filter(isUsers);
  const nearUsers = near.filter(isUsers);
  const answered = citedUsers
    .filter(({ text }) => text.length < LONGEST_ANSWER)
    .flatMap(({ id = "" }) => byId.get(beside(id, -1)) ?? []);
  const users =
    citedUsers.length > 0 ? [...citedUsers, ...answered] : nearUsers.length > 0 ? [...nearUsers, ...cited] : [];
  const isTheirs =
    section === "requests" ||
    section === "rules" ||
    speaksOfUser(plain) ||
    (citedUsers.length > 0 && cited.every((text) => isUsers(text) || text.source === "ledger"));
  const quotes = isTheirs
    ? unsaidQuotes(plain, citedUsers, sources.texts.filter(isUsers))
    : unsaidQuotes(plain, near, sources.texts);
  if (isTheirs && quotes.length > 0) return { why: "left out: no user said what it quotes", quotes };
  const why = unsaidVerdict(plain, users, sources.texts);
  return { quotes, ...(why === undefined ? {} : { why }) };
}

/** What is cited, and the messages beside it: a call's result is the next one. */
function nearby(ids: readonly string[], { byId }: Checker): readonly SourceText[] {
  const near = ids.flatMap((id) => [id, beside(id, -1), beside(id, 1)]);
  return [...new Set(near)].flatMap((id) => byId.get(id) ?? []);
}

function beside(id: string, by: number): string {
  const [step, message] = id.split(".").map(Number);
  return `${step}.${(message ?? 0) + by}`;
}

const ELSEWHERE = "not in the messages that are cited, nor beside what it speaks of";

type Note = (kind: Doubt["kind"], text: string, why: string) => void;

interface Place {
  readonly start: number;
  readonly end: number;
}

interface Edit extends Place {
  readonly by: string;
}

function nameEdits(plain: string, names: readonly Name[], evidence: Evidence, { finder }: Checker, note: Note): Edit[] {
  const taken: Place[] = [];
  return names.flatMap((name) => {
    const places = alone(plain, name.value, taken);
    taken.push(...places);
    if (!isNamed(name, finder)) {
      if (places.length > 0) note("name", name.value, "named nowhere in the conversation");
      return places.map((place) => ({ ...place, by: UNVERIFIED }));
    }
    const stems = stemsOf(name.stem).slice(-2);
    const isLine = (line: number) => evidence.values.has(line) || finder.standsNear(String(line), stems, stems.length);
    const isKnown = isWordKnown(name, plain, evidence, finder);
    if (isKnown && name.lines.every(isLine)) return [];
    note("claim", name.value, isKnown ? "the line stands nowhere beside the file" : ELSEWHERE);
    return places.map(({ end }) => ({ start: end, end, by: ` ${UNVERIFIED}` }));
  });
}

function figureEdits(
  plain: string,
  names: readonly Name[],
  evidence: Evidence,
  { finder, sources }: Checker,
  note: Note,
): Edit[] {
  const claims = findClaims(plain, names);
  const figures = claims.figures.filter(
    (figure) => !isCitable(figure.text, sources) && !isFigureKnown(figure, claims, plain, evidence, finder),
  );
  const dates = claims.days.filter((day) => !finder.days.has(dayOfYear(day)));
  return [...figures, ...dates].map(({ text, index }) => {
    note("claim", `${text} in: ${plain.trim()}`, ELSEWHERE);
    const end = index + text.length;
    return { start: end, end, by: ` ${UNVERIFIED}` };
  });
}

/** Where a name stands that is no part of a longer one. */
function alone(text: string, value: string, taken: readonly Place[]) {
  const places: Place[] = [];
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
    const end = start + value.length;
    const isPart = taken.some((place) => start < place.end && place.start < end);
    const isWord = /\w/u.test(text.charAt(start - 1)) || /\w/u.test(text.charAt(end));
    if (!isPart && !isWord) places.push({ start, end });
  }
  return places;
}

function withEdits(text: string, edits: readonly Edit[]): string {
  const fromEnd = [...edits].sort((a, b) => b.start - a.start);
  return fromEnd.reduce((left, { start, end, by }) => {
    const isMarked = left.slice(end).trimStart().startsWith(UNVERIFIED);
    return isMarked ? left : left.slice(0, start) + by + left.slice(end);
  }, text);
}

/** Users' words first: they decide. A short answer is read with what it answers. */
function contradictionOf(plain: string, ids: readonly string[], { byId, sources }: Checker): string | undefined {
  const cited = ids.flatMap((id) => spokenOf(byId.get(id) ?? []));
  const users = cited.filter(({ source }) => source === "user");
  const answered = users
    .filter(({ text }) => text.length < SHORT_ANSWER)
    .flatMap(({ id = "" }) => spokenOf(byId.get(beside(id, -1)) ?? []));
  const others = cited.filter(({ source }) => source !== "user");
  // By step, then by message.
  const isKnownAt = (evidence: string, id: string) => evidence.localeCompare(id, "en", { numeric: true }) <= 0;
  const plan = sources.plan.map(({ evidence, ...item }) => ({
    ...item,
    isKnownThen: ids.some((id) => evidence === undefined || isKnownAt(evidence, id)),
  }));
  const says =
    refusedOtherwise(plain, users) ?? contradicting(plain, users.length > 0 ? [...users, ...answered] : others, plan);
  return says?.replace(/[[\]"]/gu, "'");
}

function spokenOf(texts: readonly SourceText[]): readonly SourceText[] {
  const passages = texts.filter(({ source }) => source !== "ledger");
  return passages.length > 0 ? passages : texts;
}

/** The message that holds most of what the statement names; of equals the newest. */
function guessIds(names: readonly Name[], { finder, sources }: Checker): readonly string[] {
  const votes = new Map<number, number>();
  for (const { stem } of names) {
    const index = finder.find(stem);
    if (sources.texts[index]?.id !== undefined) votes.set(index, (votes.get(index) ?? 0) + 1);
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const id = best === undefined ? undefined : sources.texts[best[0]]?.id;
  return id === undefined ? [] : [id];
}

function withCitation(text: string, ids: readonly string[]): string {
  const mark = ids.length === 0 ? UNCITED : `[${ids.join(", ")}]`;
  const [first = "", ...rest] = text.split("\n");
  return [`${first.trimEnd()} ${mark}`, ...rest].join("\n");
}

// Where a statement may stand: rules and wishes are the user's alone, however a tool's text is worded.

/** Share of a rule's words that the cited words of a user must hold. */
const RULE_SHARE = 0.5;
const SPOKEN_SHARE = 0.3;
/** Of what a user said so much is compared, UTF-16 units a message. */
const COMPARED_UNITS = 8_000;

/** A rule or wish that is no user's stands among the findings. */
function inItsPlace(statement: CheckedStatement, names: readonly Name[], sources: Sources): CheckedStatement {
  const { section, ids } = statement;
  const isUsers =
    section === "rules"
      ? isUsersRule(statement, names, sources)
      : section !== "requests" || (ids.some((id) => isSaidByUser(id, sources)) && !namesToolsThing(names, sources));
  return isUsers ? statement : { ...statement, section: "progress" };
}

function isSaidByUser(id: string, { ids }: Sources): boolean {
  const source = ids.get(id);
  return source === "user" || source === "record" || source === "note";
}

/** Names what a tool said and no person: whatever message is cited for it, it is nobody's wish. */
function namesToolsThing(names: readonly Name[], { texts }: Sources): boolean {
  const isSaidBy = (value: string, isTool: boolean) =>
    texts.some(({ source, text }) => source !== "ledger" && (source === "tool") === isTool && text.includes(value));
  return names.some(({ value }) => isSaidBy(value, true) && !isSaidBy(value, false));
}

/** The user's words are carried by code, so a rule that only resembles them is no loss. */
function isUsersRule({ text, ids }: CheckedStatement, names: readonly Name[], sources: Sources): boolean {
  const cited = new Set(ids.filter((id) => isSaidByUser(id, sources)));
  if (cited.size === 0) return false;
  const said = sources.texts
    .filter(({ id, source }) => source === "record" || (id !== undefined && cited.has(id) && source === "user"))
    .map((source) => source.text.slice(0, COMPARED_UNITS))
    .join("\n");
  if (names.some(({ value }) => !said.includes(value))) return false;
  const words = [...topicOf(text.replace(/\[[^\]\n]{0,100}\]/gu, ""))];
  const spoken = topicOf(said);
  const shared = words.filter((word) => spoken.has(word)).length;
  // Few words of a user may be told in more.
  return shared >= words.length * RULE_SHARE || (shared > 0 && shared >= spoken.size * SPOKEN_SHARE);
}
