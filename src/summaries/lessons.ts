// What a session taught, as rows for a memory: one for each request of the user, with what came of it. Everything in it is
// quoted from people and the assistant, ranked as for a summary; tools and hosts say nothing here.
import { cite, type DecisionFact, type Ledger, type Source } from "../facts/ledger.ts";
import { questionOf } from "../facts/said.ts";
import { says } from "../language/words.ts";
import { flat, headTail, oneLine } from "../text/quote.ts";
import { groupBy, wordTokens } from "../text/words.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import { type RankedPiece, rankPieces } from "./rank.ts";
import { fillRoom, joinPieces } from "./record.ts";
import { SCRATCH, type Unit, unitsOf } from "./units.ts";

export interface Lesson {
  /** `decision`: answered a question. `bugfix`: an error was fixed. `change`: files changed. Else `discovery`. */
  readonly type: "decision" | "bugfix" | "change" | "discovery";
  /** What was asked, whole: the same whenever the session is read again, however its messages are counted then. */
  readonly key: string;
  readonly title: string;
  readonly content: string;
  /** First and last message that it was read from. */
  readonly from: Source;
  readonly to: Source;
}

/** Tokens of what the assistant said, for one row; a long piece of work has more to tell. */
const ROOM = { least: 160, perPart: 12, most: 600 } as const;
/** "Now let me run the tests." */
const ANNOUNCEMENT = 24;
const TITLE_UNITS = 90;
/** An answer as long as this says by itself what it is about. */
const LEAST_TITLE = 40;
const REQUEST = { head: 300, tail: 250 } as const;
/** Tokens of what an answer is about. */
const PROPOSAL = 140;
const SYMBOLS_UNITS = 120;
/** A shorter request that answers nothing goes on with the one before: "continue". */
const LEAST_REQUEST = 20;
/** Words: "No response requested." concludes nothing, "Let me look." answers nothing. */
const LEAST_CLOSING = 6;
const LEAST_OPENING = 12;
/** With fewer words, the request's own among them, and nothing changed, nothing was learned. */
const LEAST_WORDS = 20;

interface Turn {
  /** Index of the unit with the user's words. */
  readonly asked: number;
  /** Of the units behind it, up to the next request. */
  readonly units: number[];
  /** Where it answers: the unit that asked. What stands there was what the answer is about. */
  readonly proposal?: number | undefined;
}

/** Oldest first. The newest may still be going on: read again later, it tells more. */
export function* lessonsOf(ledger: Ledger, count: (text: string) => number): Stepwise<readonly Lesson[]> {
  const units = unitsOf(ledger).filter(({ author }) => author !== "thought" && author !== "host");
  const answers = answersIn(ledger);
  const pieces = groupBy(yield* rankPieces(units, ({ worth }) => worth, count), ({ unit }) => unit);
  const turns = turnsOf(units, answers);
  const proposals = new Set(turns.flatMap(({ proposal }) => proposal ?? []));
  const session = { units, answers, pieces, proposals, count, folder: sharedFolder(units) };
  const lessons = new Map<string, Lesson>();
  const keyOf = createKeys();
  for (const episode of episodesOf(turns)) {
    const request = units[episode[0]?.asked ?? 0] as Unit;
    const lesson = yield* lessonOf(episode, session);
    const last = episode.at(-1) as Turn;
    const to = units[last.units.at(-1) ?? last.asked]?.source ?? request.source;
    const key = keyOf(request);
    if (lesson !== undefined) lessons.set(key, { ...lesson, key, from: request.source, to });
  }
  return [...lessons.values()];
}

/** A longer one answers only where it speaks of what was asked. */
const SHORT_ANSWER = 60;

/** By the citation of the answer. Whoever asks the same at each end ("go on, or commit?") is seldom answered by what comes next. */
function answersIn({ decisions }: Ledger): ReadonlyMap<string, DecisionFact> {
  const asked = new Set<string>();
  const answers = new Map<string, DecisionFact>();
  for (const fact of decisions) {
    const { question, text, chosen, source } = fact;
    const name = wordTokens(question).slice(0, 3).join(" ");
    const words = new Set(wordTokens(question).filter((word) => word.length > 3));
    const shares = wordTokens(text).some((word) => words.has(word));
    const isShort = text.length <= SHORT_ANSWER && !asked.has(name);
    if (chosen !== undefined || shares || isShort) answers.set(cite(source), fact);
    asked.add(name);
  }
  return answers;
}

/** A request and the answer to what it was answered with first are one matter; every further answer is one of its own. */
function episodesOf(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const episodes: Turn[][] = [];
  for (const turn of turns) {
    const before = episodes.at(-1);
    if (turn.proposal !== undefined && before?.length === 1 && before[0]?.proposal === undefined) before.push(turn);
    else episodes.push([turn]);
  }
  return episodes;
}

/** By what was asked; the second time in one step it is another request, in a later step the same was read again. */
function createKeys(): (request: Unit) => string {
  const times = new Map<string, number>();
  return ({ text, ownEnd, source: { step } }) => {
    const words = flat(text.slice(0, ownEnd));
    const time = (times.get(`${step} ${words}`) ?? 0) + 1;
    times.set(`${step} ${words}`, time);
    return time === 1 ? words : `${words} (${time})`;
  };
}

function sharedFolder(units: readonly Unit[]): string {
  const [first = "", ...others] = units.flatMap(({ path }) =>
    path === undefined || SCRATCH.test(path) || !path.startsWith("/") ? [] : [path],
  );
  const steps = first.split("/").slice(0, -1);
  const isShared = (folder: string) => others.every((path) => path.startsWith(folder));
  const folders = steps.map((_, at) => `${steps.slice(0, at + 1).join("/")}/`);
  return folders.findLast(isShared) ?? "";
}

interface Session {
  readonly units: readonly Unit[];
  /** By the citation of the answer. */
  readonly answers: ReadonlyMap<string, DecisionFact>;
  readonly pieces: ReadonlyMap<number, readonly RankedPiece[]>;
  readonly proposals: ReadonlySet<number>;
  readonly count: (text: string) => number;
  /** That all files of the session stand in. */
  readonly folder: string;
}

/** Undefined where nothing was learned. */
function* lessonOf(
  episode: readonly Turn[],
  session: Session,
): Stepwise<Pick<Lesson, "type" | "title" | "content"> | undefined> {
  const { units, answers, proposals } = session;
  const lines: string[] = [];
  let hasFix = false;
  for (const { asked, units: own, proposal } of episode) {
    const request = units[asked] as Unit;
    const answer = answers.get(cite(request.source));
    const before = proposal === undefined ? "" : yield* sayBest([proposal], PROPOSAL, session);
    const told = toldIn(units, own).filter((at) => !proposals.has(at));
    const said = yield* sayBest(told, Math.min(ROOM.most, ROOM.least + own.length * ROOM.perPart), session);
    lines.push(before, ...askedIn(request, answer), said);
    hasFix ||= own.some((at) => units[at]?.section === "errors" && units[at]?.text.startsWith("Fixed"));
  }
  const changed = episode.flatMap(({ units: own }) => own.flatMap((at) => changeIn(units[at] as Unit, session.folder)));
  if (!hasFix && changed.length === 0 && flat(lines.join(" ")).split(" ").length < LEAST_WORDS) return undefined;
  // What a file changed in is known of the whole session up to here.
  if (changed.length > 0) lines.push(`Changed so far: ${changed.join("; ")}`);
  const first = units[episode[0]?.asked ?? 0] as Unit;
  const isDecision = episode.some(({ asked }) => answers.has(cite((units[asked] as Unit).source)));
  const type = isDecision ? "decision" : hasFix ? "bugfix" : changed.length > 0 ? "change" : "discovery";
  const content = lines.filter((line) => line !== "").join("\n");
  return { type, title: titleOf(first, answers.get(cite(first.source))), content };
}

function titleOf({ text, ownEnd }: Unit, answer: DecisionFact | undefined): string {
  const words = flat(text.slice(0, ownEnd));
  const isShort = answer !== undefined && (answer.chosen !== undefined || words.length < LEAST_TITLE);
  return oneLine(isShort ? `${answer.question} ${answer.chosen ?? words}` : words, TITLE_UNITS);
}

/** The end of a long request often holds what it comes to. */
function askedIn({ text, ownEnd }: Unit, answer: DecisionFact | undefined): readonly string[] {
  const { head, tail, omitted } = headTail(flat(text.slice(0, ownEnd)), REQUEST.head, REQUEST.tail);
  const words = omitted === 0 ? head : `${head} … ${tail}`;
  if (answer === undefined) return [`Asked: ${words}`];
  const chosen = answer.chosen === undefined ? "" : ` (${answer.chosen})`;
  return [`Question: ${flat(answer.question)}`, `Answered: ${words}${chosen}`];
}

function changeIn({ path, lead }: Unit, folder: string): readonly string[] {
  return path === undefined || SCRATCH.test(path) ? [] : [oneLine(lead.replace(folder, ""), SYMBOLS_UNITS)];
}

function turnsOf(units: readonly Unit[], answers: ReadonlyMap<string, unknown>): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [at, { section, author, text, ownEnd, source }] of units.entries()) {
    const before = turns.at(-1);
    if (section !== "talk" || author !== "user") {
      before?.units.push(at);
      continue;
    }
    const isAnswer = answers.has(cite(source));
    const goesOn = !isAnswer && text.slice(0, ownEnd).trim().length < LEAST_REQUEST;
    if (goesOn && before !== undefined) continue;
    const isTalk = before?.units.every((unit) => units[unit]?.path === undefined && units[unit]?.section !== "errors");
    const proposal = isAnswer && isTalk ? before?.units.findLast((unit) => isSaid(units[unit])) : undefined;
    turns.push({ asked: at, units: [], proposal });
  }
  return turns;
}

function isSaid(unit: Unit | undefined): boolean {
  return unit?.section === "talk" && unit.author === "assistant";
}

/** What a turn answers with, what concludes it, and what was said after something failed. */
function toldIn(units: readonly Unit[], own: readonly number[]): readonly number[] {
  const said = own.filter((at) => isSaid(units[at]));
  const wordsOf = (at: number) => flat(units[at]?.text ?? "").split(" ").length;
  const ends = said.filter((at) => units[at]?.isBeforeCall !== true);
  const closing = ends.findLast((at) => wordsOf(at) >= LEAST_CLOSING) ?? ends.at(-1);
  const opening = said.find((at) => wordsOf(at) >= LEAST_OPENING);
  return said.filter((at) => {
    const { text, isAfterFailure } = units[at] as Unit;
    return at === closing || at === opening || (isAfterFailure === true && !/:\s*$/u.test(text));
  });
}

function* sayBest(
  told: readonly number[],
  room: number,
  { units, pieces, count }: Pick<Session, "units" | "pieces" | "count">,
): Stepwise<string> {
  const render = (chosen: ReadonlyMap<number, readonly RankedPiece[]>) =>
    told.flatMap((at) => (chosen.get(at)?.length ? [said(units[at] as Unit, chosen.get(at) ?? [])] : [])).join("\n");
  const own = told.flatMap((at) => {
    const unit = units[at] as Unit;
    const asks = openEnd(unit.text);
    const announces = ({ start, end, tokens }: RankedPiece) =>
      unit.isBeforeCall === true &&
      tokens <= ANNOUNCEMENT &&
      unit.text.slice(end).trim() === "" &&
      says(unit.text.slice(start, end), "speaker");
    return (pieces.get(at) ?? []).filter((piece) => piece.end <= asks && !announces(piece));
  });
  return (yield* fillRoom(units, own, { room, count, beside: "", leadsShare: 0, render })).text;
}

/** Where a text begins to ask what comes next: whatever is settled of that stands with the answer. */
function openEnd(text: string): number {
  const question = questionOf(text);
  const at = question === undefined ? -1 : text.lastIndexOf(question);
  return at < 0 ? text.length : at;
}

function said({ text }: Unit, chosen: readonly RankedPiece[]): string {
  return joinPieces(text, chosen).replace(/\s*\n\s*/gu, " ");
}
