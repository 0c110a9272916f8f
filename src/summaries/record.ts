// The one place that fills the room: chooses pieces by their rank until the tokens are used, and puts them in the
// sections of the strategy, in the order in which they came. A summary by code is made of nothing else; one by a model
// has its lines in the same sections, and what it says already is not said again.
import { EMPTY_LEDGER, type Ledger, type Source } from "../facts/ledger.ts";
import { figure } from "../text/figures.ts";
import { MaxHeap } from "../text/max-heap.ts";
import { flat } from "../text/quote.ts";
import { heldTexts, isBigram, piecesOf, wordTokens } from "../text/words.ts";
import { runInTurns, type Stepwise } from "../tokens/stepwise.ts";
import { type Chosen, type RankedPiece, rankPieces } from "./rank.ts";
import { isBefore, renderSections, stateLines } from "./render.ts";
import { type GivenLine, type Section, SHAPES } from "./shapes.ts";
import type { LeftOut, Passage, Strategy, Summarizer, Summary, SummaryRequest } from "./summarizer.ts";
import { isUsersOwn, type Unit, unitsOf } from "./units.ts";

export { joinPieces } from "./render.ts";

export type { Chosen, GivenLine };

export interface RecordRequest {
  readonly ledger: Ledger;
  /** As in a request: what is newer than the ledger and stands whole below the text. */
  readonly staying?: Ledger;
  readonly strategy: Strategy;
  /** Tokens that the text may have. */
  readonly room: number;
  readonly count: (text: string) => number;
  /** Lines that open the text. */
  readonly header: readonly string[];
  /** Of the room, sections get so much before everything else is ranked. */
  readonly shares?: Shares;
  /** What a model wrote, section by section. */
  readonly given?: readonly GivenLine[];
  /** A text of somebody else's that stands whole above everything. */
  readonly above?: string;
}

type Shares = Readonly<Partial<Record<Section, number>>>;

export interface WrittenRecord {
  /** At most `room` tokens. */
  readonly text: string;
  readonly left: LeftOut;
  /** Of all units, those of which something stands there. */
  readonly units: { readonly kept: number; readonly all: number };
}

/** Users' words stay whole while they take less than this share of the room. */
const USERS_SHARE = 1 / 3;
/** Paths of changed files, and names that come again and again, take this share at most. */
const FILES_SHARE = 0.5;
const NAMES_SHARE = 0.2;
const NAMES_BESIDE_MODEL = 300;
/** Smaller texts begin with what is open. */
const LEAST_ROOM_FOR_STATE = 1_200;
/** Of a unit besides its pieces: its citation, who speaks, a line break. */
const UNIT_TOKENS = 6;
/** What a piece without a new word is still worth. */
const LEAST_NEWS = 0.1;
/** At least, what a user's piece is worth that names a number which stands nowhere yet. */
const OTHER_NEWS = 0.4;
/** Times that the size is corrected by the true count of the whole text. */
const MOST_ROUNDS = 8;
/** While nothing fits yet the room is halved after that, down to nothing. */
const MOST_ROUNDS_EMPTY = 24;
/** A text that takes this share of its room is full; the longer it takes to get there, the sooner. */
const FILLED = { early: 0.98, late: 0.92 } as const;

export function* writeRecord({ room, ...request }: RecordRequest): Stepwise<WrittenRecord> {
  const [record] = yield* writeRecords(request, [room]);
  return record as WrittenRecord;
}

/** One for each room, ranked once for all. */
export function* writeRecords(
  request: Omit<RecordRequest, "room">,
  rooms: readonly number[],
): Stepwise<readonly WrittenRecord[]> {
  const { ledger, staying = EMPTY_LEDGER, strategy, count, given = [], above, shares } = request;
  const header = above === undefined ? request.header : [above];
  const beside = [...given.map(({ text }) => text), ...(above === undefined ? [] : [above])].join("\n");
  const { sections, worth } = SHAPES[strategy];
  const wanted = new Set<Section>(sections.map(([section]) => section));
  const isLog = !wanted.has("talk");
  const all = unitsOf(ledger);
  // The words of people and of the assistant: what tools said is no reason of anybody's.
  const isSettling = ({ section, author }: Unit) => isLog && section === "talk" && author !== "tool";
  const written = given.filter(({ section }) => section === "written").map(({ text }) => text);
  const isTold = ({ path }: Unit) => path !== undefined && written.some((line) => line.includes(path));
  const units = all.filter((unit) => (wanted.has(unit.section) || isSettling(unit)) && !isTold(unit));
  // Where there was no room to say what changed in them, the paths of changed files stand alone.
  const changed = ledger.files.filter(({ operation }) => operation !== "read").map(({ path }) => path);
  const names = [...lastingNames(ledger), ...changed];
  const worthOf = (unit: Unit) => unit.worth * (worth[unit.section] ?? 1);
  const pieces = rooms.some((room) => room > 0) ? yield* rankPieces(units, worthOf, count) : [];
  const records: WrittenRecord[] = [];
  for (const room of rooms) {
    const namesRoom = beside === "" ? room * NAMES_SHARE : NAMES_BESIDE_MODEL;
    const standing = given.length === 0 && room >= LEAST_ROOM_FOR_STATE ? stateLines(units, staying) : given;
    const { text, chosen } = yield* fillRoom(units, pieces, {
      room,
      count,
      beside,
      leadsShare: FILES_SHARE,
      ...(shares === undefined ? {} : { shares }),
      render: (picked) => {
        const body = renderSections(units, picked, ledger, strategy, standing);
        const text = [...header, ...body].join("\n");
        return [text, ...namesLine(names, text, namesRoom, count)].join("\n").trim();
      },
    });
    records.push({ text, ...reportOf(units, all, chosen, text) });
  }
  return records;
}

export interface Filling {
  /** Tokens of the whole text. */
  readonly room: number;
  readonly count: (text: string) => number;
  /** What stands in the text already, in somebody else's words. */
  readonly beside: string;
  /** Share of the room that leads which have to stay may take. */
  readonly leadsShare: number;
  readonly shares?: Shares;
  readonly render: (chosen: Chosen) => string;
}

/** The text with as many of the best pieces as its room holds; empty where not even what stands around them fits. */
export function* fillRoom(
  units: readonly Unit[],
  pieces: readonly RankedPiece[],
  { room, count, beside, leadsShare, shares = {}, render }: Filling,
): Stepwise<{ readonly text: string; readonly chosen: Chosen }> {
  let best = { text: "", chosen: new Map() as Chosen };
  if (room <= 0) return best;
  const users = units.filter(isUsersOwn).map(({ text, ownEnd }) => text.slice(0, ownEnd));
  const keepsUsers = count(users.join("\n")) <= room * USERS_SHARE;
  let tokens = room - count(render(new Map()));
  let fits = Number.NEGATIVE_INFINITY;
  let exceeds = Number.POSITIVE_INFINITY;
  // Leads that take more than they were taken for leave nothing that fits at first; an empty text would be a loss.
  for (let round = 0; round < (best.text === "" ? MOST_ROUNDS_EMPTY : MOST_ROUNDS); round += 1) {
    const chosen = yield* choose(units, pieces, Math.max(0, tokens), { keepsUsers, beside, leadsShare, shares });
    const text = render(chosen);
    const size = count(text);
    const isWithin = size <= room;
    if (isWithin && text.length >= best.text.length) best = { text, chosen };
    // Without a token for pieces there is nothing left to give.
    if (isWithin ? isFull(size / room, round) || piecesIn(chosen) === pieces.length : tokens <= 0) break;
    if (isWithin) fits = Math.max(fits, tokens);
    else exceeds = Math.min(exceeds, tokens);
    const corrected = tokens + (isWithin ? (room - size) * 0.9 : (room - size) * 1.1 - 2);
    tokens = round < MOST_ROUNDS ? corrected : Math.min(corrected, tokens / 2);
    // What stands around pieces differs from piece to piece, so a step may pass what is known of both sides.
    if (tokens <= fits || tokens >= exceeds) tokens = (fits + exceeds) / 2;
    yield;
  }
  return best;
}

function isFull(share: number, round: number): boolean {
  return share > FILLED[round < 3 ? "early" : "late"];
}

function piecesIn(chosen: Chosen): number {
  return [...chosen.values()].reduce((sum, { length }) => sum + length, 0);
}

interface ChoiceRules extends Required<Pick<Filling, "beside" | "leadsShare" | "shares">> {
  readonly keepsUsers: boolean;
}

function* choose(
  units: readonly Unit[],
  pieces: readonly RankedPiece[],
  room: number,
  { keepsUsers, beside, leadsShare, shares }: ChoiceRules,
): Stepwise<Chosen> {
  const chosen: Chosen = new Map();
  const known = new Set(wordTokens(beside));
  let left = room;
  const open = (index: number): boolean => {
    if (chosen.has(index)) return true;
    const tokens = overheadOf(units[index]);
    if (tokens > left) return false;
    chosen.set(index, []);
    left -= tokens;
    return true;
  };
  const take = (piece: RankedPiece): void => {
    const opening = chosen.has(piece.unit) ? 0 : overheadOf(units[piece.unit]);
    if (piece.tokens + opening > left || !open(piece.unit)) return;
    chosen.get(piece.unit)?.push(piece);
    left -= piece.tokens;
    for (const word of piece.words) known.add(word);
  };
  let leads = room * leadsShare;
  for (let index = units.length - 1; index >= 0; index -= 1) {
    const tokens = overheadOf(units[index]);
    if (units[index]?.stays === "lead" && tokens <= leads && open(index)) leads -= tokens;
  }
  const worthNow = (piece: RankedPiece) =>
    piece.tokens > left ? undefined : piece.worth * newsOf(piece, units[piece.unit] as Unit, known);
  for (const [section, share] of Object.entries(shares)) {
    const least = left - room * share;
    const own = pieces.filter(({ unit }) => units[unit]?.section === section);
    yield* takeBest(own, (piece) => (left - piece.tokens < least ? undefined : worthNow(piece)), take);
  }
  const isWhole = ({ unit }: RankedPiece) => keepsUsers && isUsersOwn(units[unit] as Unit);
  for (const piece of pieces.filter(isWhole)) take(piece);
  yield;
  const isTaken = ({ unit, start }: RankedPiece) => chosen.get(unit)?.some((piece) => piece.start === start) === true;
  const rest = pieces.filter((piece) => !isWhole(piece) && !isTaken(piece));
  yield* takeBest(rest, worthNow, take);
  return chosen;
}

/** What a piece adds to what stands there already, from 0 to 1: the share of its words that are new. A rule is told or not, and what a user said of another number is another thing. */
function newsOf({ words }: RankedPiece, unit: Unit, known: ReadonlySet<string>): number {
  const isOther = (word: string) => /\d/u.test(word) && !known.has(word);
  const telling = words.filter((word) => word.length > 2 || isBigram(word));
  const fresh = telling.filter((word) => !known.has(word)).length / Math.max(1, telling.length);
  if (unit.section === "rules" && fresh > 0) return 1;
  const news = LEAST_NEWS + (1 - LEAST_NEWS) * fresh;
  return isUsersOwn(unit) && words.some(isOther) ? Math.max(news, OTHER_NEWS) : news;
}

/**
 * Takes all, the best first; what a piece is worth only falls while others are taken, so it is asked anew when its turn
 * comes. Undefined: it does not fit any more.
 */
function* takeBest(
  pieces: readonly RankedPiece[],
  worthNow: (piece: RankedPiece) => number | undefined,
  take: (piece: RankedPiece) => void,
): Stepwise<void> {
  const heap = new MaxHeap<RankedPiece>(pieces.map((piece) => ({ worth: piece.worth, item: piece })));
  for (let turns = 1; ; turns += 1) {
    const best = heap.pop();
    if (best === undefined) return;
    const worth = worthNow(best.item);
    if (worth !== undefined && worth < heap.most()) heap.push({ worth, item: best.item });
    else if (worth !== undefined) take(best.item);
    if (turns % 64 === 0) yield;
  }
}

/** Of a path about a third of its characters are tokens; a label before words is mostly said once for many. */
function overheadOf(unit: Unit | undefined): number {
  return unit?.stays === "lead" ? UNIT_TOKENS + Math.ceil(unit.lead.length / 3) : UNIT_TOKENS;
}

/** Names that people or the assistant said twice, at whatever line, and again in the last third. */
function lastingNames({ identifiers, statements, userMessages }: Ledger): readonly string[] {
  const spoken = statements.filter(({ isThought }) => isThought !== true);
  const said = [...spoken, ...userMessages].map(({ source }) => source).sort((a, b) => (isBefore(a, b) ? -1 : 1));
  const third = said[Math.floor((said.length * 2) / 3)];
  if (third === undefined) return [];
  const named = new Map<string, { mentions: number; source: Source }>();
  for (const { value, mentions, source } of identifiers) {
    const name = value.replace(/(?<=\.\w{1,10}):\d{1,6}$/u, "");
    named.set(name, { mentions: mentions + (named.get(name)?.mentions ?? 0), source });
  }
  return [...named].flatMap(([name, { mentions, source }]) => (mentions >= 2 && isBefore(third, source) ? [name] : []));
}

/** Those that stand nowhere else, the newest first, as many as there is room for. */
function namesLine(
  names: readonly string[],
  text: string,
  room: number,
  count: (text: string) => number,
): readonly string[] {
  const held = heldTexts(text, names);
  const missing = names.filter((name) => !held.has(name)).reverse();
  const shown: string[] = [];
  let left = room;
  for (const name of missing) {
    // The end of a longer one is said with it.
    if (shown.some((known) => known.endsWith(`/${name}`))) continue;
    left -= count(`, ${name}`);
    if (left < 0) break;
    shown.push(name);
  }
  return shown.length === 0 ? [] : ["", "## Also named", shown.join(", ")];
}

function reportOf(
  units: readonly Unit[],
  all: readonly Unit[],
  chosen: Chosen,
  text: string,
): Omit<WrittenRecord, "text"> {
  const missing = new Map<number, readonly string[]>();
  for (const [index, unit] of units.entries()) {
    if (!isUsersOwn(unit)) continue;
    const starts = new Set(chosen.get(index)?.map(({ start }) => start));
    const rest = piecesOf(unit.text).filter(({ start }) => !starts.has(start));
    const texts = rest.map(({ start, end }) => flat(unit.text.slice(start, end)));
    missing.set(
      index,
      texts.filter((words) => words !== ""),
    );
  }
  // Words that stand among the rules, or in a later message, are not lost.
  const told = heldTexts(flat(text), [...missing.values()].flat());
  let shortened = 0;
  let left = 0;
  for (const [index, texts] of missing) {
    if (texts.every((words) => told.has(words))) continue;
    if (chosen.has(index)) shortened += 1;
    else left += 1;
  }
  const files = all.flatMap(({ path }) => path ?? []);
  const held = heldTexts(text, files);
  return {
    left: { shortened, messages: left, files: files.filter((file) => !held.has(file)).length },
    units: { kept: chosen.size, all: units.length },
  };
}

// The default summarizer: writes the summary from the ledger alone. Deterministic, needs no model, and never longer than
// its cap.

export function createExtractiveSummarizer(): Summarizer {
  return { kind: "extractive", summarize: summarizeByCode };
}

async function summarizeByCode(request: SummaryRequest): Promise<Summary> {
  const { ledger, staying = EMPTY_LEDGER, strategy, maxTokens, count } = request;
  const written = { ledger, staying, strategy, room: maxTokens, count };
  const full = await runInTurns(writeRecord({ ...written, header: headerOf(request) }));
  // In a room for a few words what was said takes the place of the line that explains it.
  const { text, left } = full.text === "" ? await runInTurns(writeRecord({ ...written, header: [] })) : full;
  const covers = `Covers ${figure(request.passages.length)} passages.`;
  return { text: text === "" ? covers : text, source: "extractive", left };
}

/** What the text was made from, and what whoever asked for it wished. */
export function headerOf({ passages, about = "conversation", note }: SummaryRequest): readonly string[] {
  const by = (source: Passage["source"]) => passages.filter((passage) => passage.source === source).length;
  const parts = [`${by("user")} from the user`, `${by("assistant")} from the assistant`, `${by("tool")} from tools`];
  const covers = `Covers ${figure(passages.length)} passages since the last record (${parts.join(", ")}). A number in brackets names the original message; "…" marks what was left out; of two statements that differ the later one holds.`;
  return [...(about === "conversation" ? [covers] : []), ...(note ? [`Asked for with the note: ${note}`] : [])];
}
