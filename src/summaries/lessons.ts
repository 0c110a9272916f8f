// What a session taught, as rows for a memory: one for each request of the user, with what came of it. Everything in it is
// quoted from people and the assistant, ranked as for a summary; tools and hosts say nothing here.
import { cite, type DecisionFact, type Ledger, type Source } from "../facts/ledger.ts";
import { questionOf } from "../facts/said.ts";
import { says } from "../language/words.ts";
import { flat, oneLine } from "../text/quote.ts";
import { groupBy } from "../text/words.ts";
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
const REQUEST_UNITS = 500;
const SYMBOLS_UNITS = 120;
/** A shorter request that answers nothing goes on with the one before: "continue". */
const LEAST_REQUEST = 20;
/** With fewer words, and nothing changed, nothing was learned. */
const LEAST_WORDS = 20;

interface Turn {
  /** Index of the unit with the user's words. */
  readonly asked: number;
  /** Of the units behind it, up to the next request. */
  readonly units: number[];
}

/** Oldest first. The newest may still be going on: read again later, it tells more. */
export function* lessonsOf(ledger: Ledger, count: (text: string) => number): Stepwise<readonly Lesson[]> {
  const units = unitsOf(ledger).filter(({ author }) => author !== "thought" && author !== "host");
  const answers = new Map(ledger.decisions.map((fact) => [cite(fact.source), fact]));
  const pieces = groupBy(yield* rankPieces(units, ({ worth }) => worth, count), ({ unit }) => unit);
  const folder = sharedFolder(units.flatMap(({ path = "" }) => (SCRATCH.test(path) ? [] : [path])));
  const lessons = new Map<string, Lesson>();
  const keyOf = createKeys();
  for (const { asked, units: own } of turnsOf(units, answers)) {
    const request = units[asked] as Unit;
    const told = toldIn(units, own);
    const room = Math.min(ROOM.most, ROOM.least + own.length * ROOM.perPart);
    const said = yield* sayBest(units, told, pieces, { room, count });
    const lesson = lessonOf(request, answers.get(cite(request.source)), said, {
      hasFix: told.some((at) => units[at]?.section === "errors"),
      changed: own.flatMap((at) => changeIn(units[at] as Unit, folder)),
    });
    const to = units[own.at(-1) ?? asked]?.source ?? request.source;
    const key = keyOf(request);
    if (lesson !== undefined) lessons.set(key, { ...lesson, key, from: request.source, to });
  }
  return [...lessons.values()];
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

/** From the folder that all files of the session stand in. */
function changeIn({ path, lead }: Unit, folder: string): readonly string[] {
  return path === undefined || SCRATCH.test(path) ? [] : [oneLine(lead.replace(folder, ""), SYMBOLS_UNITS)];
}

function sharedFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths.filter((path) => path.startsWith("/"));
  const steps = first.split("/").slice(0, -1);
  const isShared = (folder: string) => others.every((path) => path.startsWith(folder));
  const folders = steps.map((_, at) => `${steps.slice(0, at + 1).join("/")}/`);
  return folders.findLast(isShared) ?? "";
}

/** Undefined where nothing was learned. */
function lessonOf(
  request: Unit,
  answer: DecisionFact | undefined,
  said: string,
  { hasFix, changed }: { readonly hasFix: boolean; readonly changed: readonly string[] },
): Pick<Lesson, "type" | "title" | "content"> | undefined {
  if (!hasFix && changed.length === 0 && flat(said).split(" ").length < LEAST_WORDS) return undefined;
  const words = flat(request.text.slice(0, request.ownEnd));
  const asked = oneLine(words, REQUEST_UNITS);
  const rest = [said, ...(changed.length === 0 ? [] : [`Changed: ${changed.join("; ")}`])];
  if (answer === undefined) {
    const type = hasFix ? "bugfix" : changed.length > 0 ? "change" : "discovery";
    return { type, title: oneLine(words, TITLE_UNITS), content: [`Asked: ${asked}`, ...rest].join("\n") };
  }
  const { question, chosen } = answer;
  const isShort = chosen !== undefined || words.length < LEAST_TITLE;
  const title = oneLine(isShort ? `${question} ${chosen ?? words}` : words, TITLE_UNITS);
  const lines = [`Question: ${flat(question)}`, `Answered: ${asked}${chosen === undefined ? "" : ` (${chosen})`}`];
  return { type: "decision", title, content: [...lines, ...rest].join("\n") };
}

function turnsOf(units: readonly Unit[], answers: ReadonlyMap<string, unknown>): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [at, { section, author, text, ownEnd, source }] of units.entries()) {
    const isRequest = section === "talk" && author === "user";
    const goesOn = !answers.has(cite(source)) && text.slice(0, ownEnd).trim().length < LEAST_REQUEST;
    if (isRequest && !(goesOn && turns.length > 0)) turns.push({ asked: at, units: [] });
    else if (!isRequest) turns.at(-1)?.units.push(at);
  }
  return turns;
}

/** What concludes a turn, what was said after something failed, and what was fixed. What only announces a call tells nothing. */
function toldIn(units: readonly Unit[], own: readonly number[]): readonly number[] {
  const isSaid = (at: number) => units[at]?.section === "talk" && units[at]?.author === "assistant";
  const closing = own.findLast((at) => isSaid(at) && units[at]?.isBeforeCall !== true);
  return own.filter((at) => {
    const { section, text, isAfterFailure } = units[at] as Unit;
    if (section === "errors") return text.startsWith("Fixed");
    return at === closing || (isSaid(at) && isAfterFailure === true && !/:\s*$/u.test(text));
  });
}

function* sayBest(
  units: readonly Unit[],
  told: readonly number[],
  pieces: ReadonlyMap<number, readonly RankedPiece[]>,
  limits: { readonly room: number; readonly count: (text: string) => number },
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
  const filling = { ...limits, beside: "", leadsShare: 0, render };
  return (yield* fillRoom(units, own, filling)).text;
}

/** Where a text begins to ask what comes next: whatever is settled of that stands with the answer. */
function openEnd(text: string): number {
  const question = questionOf(text);
  return question === undefined ? text.length : text.lastIndexOf(question);
}

function said({ text }: Unit, chosen: readonly RankedPiece[]): string {
  return joinPieces(text, chosen).replace(/\s*\n\s*/gu, " ");
}
