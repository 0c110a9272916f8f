// The default summarizer: writes the summary from the ledger alone. Deterministic, needs no model, and never
// longer than its cap: as the cap shrinks, whole lines go, least valuable first, and the text says how many.

import type { Ledger } from "../facts/ledger.ts";
import { runInTurns, runThrough, type Stepwise } from "../tokens/turns/stepwise.ts";
import { describeMaterial, elsewhere } from "./digest/digest-frame.ts";
import { type DigestLine, RANK, type Section } from "./digest/digest-line.ts";
import { identifierLines, recurringTokens, valueLines } from "./digest/entity-lines.ts";
import { fileLines } from "./digest/file-lines.ts";
import { renderSections } from "./digest/render-sections.ts";
import { requestLines, ruleLines } from "./digest/request-lines.ts";
import { STRATEGY_SHAPES, type StrategyShape } from "./digest/strategies.ts";
import { commandLines, decisionLines, errorLines, planLines, reportLines } from "./digest/work-lines.ts";
import type { Summarizer, Summary, SummaryRequest } from "./summarizer.ts";

/** From this many tokens on, every section that has content gets a line. */
const FILLED_FROM = 400;

/** A section's title and its best line. */
const LINE_TOKENS = 40;
/** Where less is left, the best line of a section is a short one, so that it costs no recurring name. */
const SCARCE_TOKENS = 400;
const SCARCE_SCALE = 0.4;
/** Where nothing is left of what was wished for, each line makes the text larger than that. */
const SPENT_SCALE = 0.25;

export function createExtractiveSummarizer(): Summarizer {
  return { kind: "extractive", summarize: writeDigest };
}

export interface Digest {
  readonly header: readonly string[];
  /** Every line the ledger gives. */
  readonly all: readonly DigestLine[];
  /** Those that fit the cap, most valuable first. */
  readonly kept: readonly DigestLine[];
}

/** Which lines a cap holds; what the text is made from, and what shows how much of a ledger a budget carries. */
export function chooseDigest(request: SummaryRequest): Digest {
  return runThrough(chooseDigestStepwise(request));
}

/** In steps: a ledger of thousands of facts has as many lines to be counted. */
export function* chooseDigestStepwise(request: SummaryRequest): Stepwise<Digest> {
  const shape = STRATEGY_SHAPES[request.strategy];
  const header = [...describeMaterial(request), ...(request.note ? [`Asked for with the note: ${request.note}`] : [])];
  const room = roomFor(request, request.count(header.join("\n")));
  const lines = yield* writeLines(request, shape, room);
  yield;
  const chosen = yield* chooseWithin(lines, room, shape, request);
  const all = [...lines, ...(yield* identifierLines(request.ledger, chosen, room.wished, request.count))];
  yield;
  return { header, all, kept: yield* chooseWithin(all, room, shape, request) };
}

/** Tokens for lines and their titles. */
interface Room {
  readonly most: number;
  /** At most `most`; beyond it only lines up to this rank stay, and the best of each section. */
  readonly wished: number;
  readonly essentialRank: number;
}

function roomFor({ maxTokens, goal }: SummaryRequest, taken: number): Room {
  const most = maxTokens - taken;
  const wished = Math.min(most, goal === undefined ? most : goal.tokens - taken);
  return { most, wished, essentialRank: goal?.leastMentions === 3 ? RANK.recurring : RANK.repeated };
}

/** As `chooseLines`; where not all fit, the line that says how many are left out takes room, too. */
function* chooseWithin(
  lines: readonly DigestLine[],
  room: Room,
  shape: StrategyShape,
  request: SummaryRequest,
): Stepwise<readonly DigestLine[]> {
  const kept = yield* chooseLines(lines, room, shape, request.count);
  if (kept.length === lines.length) return kept;
  const note = request.count(elsewhere(lines.length, request));
  const left = { ...room, most: room.most - note, wished: room.wished - note };
  return yield* chooseLines(lines, left, shape, request.count);
}

async function writeDigest(request: SummaryRequest): Promise<Summary> {
  const shape = STRATEGY_SHAPES[request.strategy];
  const { header, all, kept: chosen } = await runInTurns(chooseDigestStepwise(request));
  const kept = [...chosen];
  for (;;) {
    const text = [...header, ...render(kept, shape, all.length - kept.length, request)].join("\n").trimStart();
    if (request.count(text) <= request.maxTokens || kept.length === 0) return { text, source: "extractive" };
    kept.pop();
  }
}

/** All lines but the identifiers, whose need depends on what else stands in the text. */
function* writeLines(
  { ledger, count }: SummaryRequest,
  shape: StrategyShape,
  { most, wished }: Room,
): Stepwise<readonly DigestLine[]> {
  const { sections, detailedFiles } = shape;
  const wanted = new Set<Section>(sections.map(([section]) => section));
  const requests = yield* requestLines(ledger, most, count);
  yield;
  const rules = ruleLines(ledger);
  yield;
  const spare = spareRoom(ledger, [...requests, ...rules], shape, wished, count);
  const scarce = spare === 0 && wished < most ? SPENT_SCALE : SCARCE_SCALE;
  const scale = spare < SCARCE_TOKENS ? scarce : 1;
  yield;
  const work = [
    ...decisionLines(ledger, scale),
    ...planLines(ledger),
    ...reportLines(ledger, scale),
    ...errorLines(ledger, scale),
    ...commandLines(ledger, scale),
  ];
  yield;
  const files = fileLines(ledger, detailedFiles, wished, spare, count);
  return [...requests, ...rules, ...work, ...files, ...valueLines(ledger)].filter(({ section }) => wanted.has(section));
}

/** What words of users, recurring names and a line for each section leave; all of it where files come first. */
function spareRoom(
  ledger: Ledger,
  spoken: readonly DigestLine[],
  { sections }: StrategyShape,
  room: number,
  count: (text: string) => number,
): number {
  if (sections[0]?.[0] === "written") return room;
  const ahead = spoken.filter(({ rank }) => rank <= RANK.words).map(({ text }) => text);
  const paths = ledger.files.filter(({ operation }) => operation !== "read").map(({ path }) => path);
  const taken = ahead.reduce((sum, text) => sum + count(text), sections.length * LINE_TOKENS);
  return Math.max(0, room - taken - recurringTokens(ledger, [...ahead, ...paths].join("\n"), count));
}

/** Most valuable lines first, as long as they and the titles they need fit; one that does not fit does not stop smaller ones. */
function* chooseLines(
  lines: readonly DigestLine[],
  { most, wished, essentialRank }: Room,
  { sections }: StrategyShape,
  count: (text: string) => number,
): Stepwise<DigestLine[]> {
  const titles = new Map<Section, number>(sections.map(([section, title]) => [section, count(`\n## ${title}\n`)]));
  const chosen: DigestLine[] = [];
  let taken = 0;
  for (const line of byValue(lines, most)) {
    const tokens = count(`${line.text}\n`) + (titles.get(line.section) ?? 0);
    const isEssential = line.rank <= essentialRank || titles.has(line.section);
    if (taken + tokens > (isEssential ? most : wished)) continue;
    chosen.push(line);
    titles.delete(line.section);
    taken += tokens;
    yield;
  }
  return chosen;
}

/** Most valuable first; with enough room the best line of each section comes before the mass of another. */
function byValue(lines: readonly DigestLine[], room: number): readonly DigestLine[] {
  const sorted = [...lines].sort((a, b) => a.rank - b.rank || b.order - a.order);
  if (room < FILLED_FROM) return sorted;
  const first = new Set<Section>();
  const best = new Set(sorted.filter(({ section }) => !first.has(section) && first.add(section)));
  const isAhead = (line: DigestLine) => line.rank <= RANK.recurring || best.has(line);
  return [...sorted.filter(isAhead), ...sorted.filter((line) => !isAhead(line))];
}

function render(
  kept: readonly DigestLine[],
  shape: StrategyShape,
  omitted: number,
  request: SummaryRequest,
): readonly string[] {
  const rendered = renderSections(kept, shape);
  return omitted === 0 ? rendered : [...rendered, elsewhere(omitted, request)];
}
