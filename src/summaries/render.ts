// The chosen pieces as text: in the sections of the strategy, in the order in which they came, cited, and each with the
// name of who said it.
import { cite, type Ledger, type Source } from "../facts/ledger.ts";
import { cutTail, oneLine } from "../text/quote.ts";
import { isBare, piecesOf } from "../text/words.ts";
import type { Chosen, RankedPiece } from "./rank.ts";
import { type GivenLine, type Section, SHAPES } from "./shapes.ts";
import type { Strategy } from "./summarizer.ts";
import { type Author, isUsersOwn, type Unit } from "./units.ts";

export function renderSections(
  units: readonly Unit[],
  chosen: Chosen,
  ledger: Ledger,
  strategy: Strategy,
  given: readonly GivenLine[],
): readonly string[] {
  const { sections } = SHAPES[strategy];
  return sections.flatMap(([section, title]) => {
    const written = given.filter((line) => line.section === section).map(({ text }) => text);
    const own =
      section === "talk"
        ? talkLines(units, chosen)
        : section === "decisions"
          ? strategy === "decision_log"
            ? decisionLines(units, chosen, ledger)
            : []
          : itemLines(section, units, chosen);
    const lines = [...written, ...own];
    return lines.length === 0 ? [] : ["", `## ${title}`, ...lines];
  });
}

function itemLines(section: Section, units: readonly Unit[], chosen: Chosen): readonly string[] {
  return units.flatMap((unit, index) => {
    const pieces = chosen.get(index);
    if (pieces === undefined || unit.section !== section) return [];
    const text = pieces.length === 0 ? "" : joinPieces(unit.text, pieces).replace(/;?\s*\n\s*/gu, "; ");
    const quoted = section === "rules" ? `"${text}"` : text;
    return [`- ${[unit.lead, quoted].filter(Boolean).join(": ")} [${cite(unit.source)}]`];
  });
}

const STATE_UNITS = 260;
/** Shorter ones keep the work going: "go on". */
const LEAST_REQUEST = 20;

/** Where the messages that left end: what was asked for last, and what was reported, asked or begun. What stays and is newer speaks for itself. */
export function stateLines(units: readonly Unit[], staying: Ledger): readonly GivenLine[] {
  if (units.some(({ isTalk }) => isTalk === true)) return [];
  const request = units.findLast((unit) => isUsersOwn(unit) && unit.text.trim().length >= LEAST_REQUEST);
  const newest = units.findLast(isUsersOwn);
  const report = units.findLast(({ author }) => author === "assistant");
  const asked = staying.userMessages.filter(({ author }) => author === "user");
  const said = staying.statements.filter(({ isThought }) => isThought !== true);
  const lines: string[] = [];
  if (newest !== undefined && !hasNewer(asked, newest)) {
    const requests = [...new Set([request ?? newest, newest])];
    const quoted = requests.map(({ text, source }) => `"${oneLine(text, STATE_UNITS)}" [${cite(source)}]`);
    lines.push(`- Last request: ${quoted.join(", then ")}`);
  }
  if (report !== undefined && !hasNewer(said, report)) {
    const end = lastPieces(report.text, STATE_UNITS);
    const isAnswered = hasNewer([...asked, ...(newest === undefined ? [] : [newest])], report);
    const isQuestion = !isAnswered && /[?？]["'”’)*_\s]*$/u.test(end);
    const what = report.isBeforeCall === true ? "Under way" : isQuestion ? "Open question" : "Last report";
    lines.push(`- ${what}: ${end} [${cite(report.source)}]`);
  }
  return lines.map((text) => ({ section: "state", text }));
}

function hasNewer(facts: readonly { readonly source: Source }[], { source }: { readonly source: Source }): boolean {
  return facts.some((fact) => !isBefore(fact.source, source));
}

/** The last sentences within `limit` units. */
function lastPieces(text: string, limit: number): string {
  const trimmed = text.trimEnd();
  const start = piecesOf(trimmed).findLast(({ start }) => trimmed.length - start >= limit)?.end ?? 0;
  const end = trimmed.slice(start).trim();
  return oneLine(end === "" ? cutTail(trimmed, limit).replace(/^\S{1,40}\s/u, "… ") : end, limit + 2);
}

const SPEAKERS = { user: "User", assistant: "Assistant", thought: "Thought", host: "Host", tool: "Tool" } as const;
/** Messages after which the number is said again; in a talk, where each says little, it would be half of the text. */
const CITED_EVERY = { work: 3, talk: 8 } as const;

function talkLines(units: readonly Unit[], chosen: Chosen): readonly string[] {
  let last: Source | undefined;
  let label = "";
  return units.flatMap((unit, index) => {
    const pieces = chosen.get(index);
    if (pieces === undefined || pieces.length === 0 || unit.section !== "talk") return [];
    const { source, author, text, lead, isTalk, speaker = SPEAKERS[author] } = unit;
    const every = isTalk === true ? CITED_EVERY.talk : CITED_EVERY.work;
    const isNear = last?.step === source.step && source.message - last.message < every;
    if (!isNear) last = source;
    const isLabelled = lead !== "" && lead !== label;
    if (isLabelled) label = lead;
    const words = movedIn(joinPieces(text, pieces, isTalk !== true), author);
    return [`${isNear ? "" : `[${cite(source)}] `}${isLabelled ? `${label} ` : ""}${speaker}: ${words}`];
  });
}

const LIKE_OURS = /\n(?=#{1,3} |(?:\[[\d.]{3,12}\] )?(?:User|Assistant|Thought|Host|Tool): )/gu;

/** What stands at the beginning of a line is ours: words that look like it, and all lines of a tool, stand a little in. */
function movedIn(words: string, author: Author): string {
  return words.replace(author === "tool" || author === "host" ? /\n(?=\S)/gu : LIKE_OURS, "\n  ");
}

/** `[1.12] decision :: rationale :: inputs :: outputs`: what was asked or settled, what the assistant concluded, what was looked at, what came of it. */
function decisionLines(units: readonly Unit[], chosen: Chosen, ledger: Ledger): readonly string[] {
  const turns: { source: Source; decision: string; rationale: string[] }[] = [];
  for (const [index, unit] of units.entries()) {
    const pieces = chosen.get(index);
    if (pieces === undefined || pieces.length === 0 || unit.section !== "talk") continue;
    const words = joinPieces(unit.text, pieces).replace(/\s+/gu, " ").replaceAll(" :: ", " : ");
    const turn = turns.at(-1);
    if (unit.author === "user" || turn === undefined)
      turns.push({ source: unit.source, decision: unit.author === "user" ? `user: ${words}` : words, rationale: [] });
    else turn.rationale.push(words);
  }
  return turns.map(({ source, decision, rationale }, at) => {
    const isWithin = (fact: { readonly source: Source }) =>
      isBefore(source, fact.source) &&
      (turns[at + 1] === undefined || isBefore(fact.source, turns[at + 1]?.source as Source));
    const files = ledger.files.filter(isWithin);
    const inputs = [
      ...files.filter(({ operation }) => operation === "read").map(({ path }) => path),
      ...ledger.calls.filter(isWithin).map(({ text }) => oneLine(text, LONGEST_NAMED)),
    ];
    const outputs = [
      ...files.filter(({ operation }) => operation !== "read").map(({ path }) => path),
      ...ledger.commands
        .filter(isWithin)
        .map(({ command, outcome }) => `${oneLine(command, LONGEST_NAMED)} ${outcome}`),
    ];
    const fields = [decision, rationale.join(" ") || "none given", brief(inputs), brief(outputs)];
    return `[${cite(source)}] ${fields.join(" :: ")}`;
  });
}

export function isBefore(one: Source, other: Source): boolean {
  return one.step < other.step || (one.step === other.step && one.message <= other.message);
}

const MOST_NAMED = 3;
const LONGEST_NAMED = 60;

function brief(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return names.length === 0 ? "none" : names.slice(-MOST_NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** As it was written where pieces are neighbours; what is left out between them is marked, and behind them unless it would be everywhere. */
export function joinPieces(text: string, pieces: readonly RankedPiece[], marksEnd = true): string {
  const inOrder = [...pieces].sort((a, b) => a.start - b.start);
  let joined = "";
  let end = 0;
  for (const piece of inOrder) {
    const isGap = joined !== "" && !isBare(text.slice(end, piece.start));
    joined = isGap ? `${joined.trimEnd()} … ` : joined + text.slice(joined === "" ? piece.start : end, piece.start);
    joined += text.slice(piece.start, piece.end);
    end = piece.end;
  }
  return (!marksEnd || isBare(text.slice(end)) ? joined : `${joined.trimEnd()} …`).trim();
}
