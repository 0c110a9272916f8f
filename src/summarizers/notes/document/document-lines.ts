// A set of documents as lines: each by its title, then by the parts that tell most, under their headings. Every note
// gets a part before one gets many.
import { oneLine } from "../../../facts/ledger-text.ts";
import { closed, introduction, type Part, type ReadDocument, textOfPart } from "./document-part.ts";
import { chooseInRounds } from "./shared-rounds.ts";

export interface DocumentLinesRequest {
  /** Oldest first. */
  readonly documents: readonly ReadDocument[];
  /** Tokens of all lines. */
  readonly room: number;
  readonly count: (text: string) => number;
  readonly redact: (text: string) => string;
  /** Sentences that stand elsewhere in the text: not said again. */
  readonly told: readonly string[];
  /** False: titles alone, where a model writes the rest. */
  readonly isTelling: boolean;
}

interface Line {
  readonly label: string;
  /** Its own; empty where its headings stand for one. */
  readonly title: string;
  /** Those headings, for a line of which nothing is told. */
  readonly topics: string;
  readonly waiting: Part[];
  readonly chosen: Part[];
}

const TITLE_UNITS = 70;
const AIM_UNITS = 140;
const MOST_HARD = 5;
const HARD = /`[^`\n]{1,200}`|"[^"\n]{1,200}"|\d[\d.,:/-]{0,30}|[\p{L}\d]{1,60}[_/][\p{L}\d_./-]{1,200}|\p{Ll}\p{Lu}/gu;

/** One line a note, oldest first; where the room ends, the oldest are counted only. */
export function documentLines(request: DocumentLinesRequest): readonly string[] {
  const { documents, room, count } = request;
  const told = new Set(request.told);
  const lines: Line[] = [];
  let left = room;
  for (const document of documents.toReversed()) {
    const line = lineOf(document, request, told);
    left -= count(`${rendered(line)}\n`);
    if (left < 0 && lines.length > 0) break;
    lines.unshift(line);
  }
  if (request.isTelling) fill(lines, left, count);
  const unnamed = documents.length - lines.length;
  const more = unnamed === 0 ? [] : [`(${unnamed.toLocaleString("en-US")} earlier notes are not listed.)`];
  return [...more, ...lines.map(rendered)];
}

function fill(lines: readonly Line[], room: number, count: (text: string) => number): void {
  const said = new Set<string>();
  const cost = (part: Part, line: Line) => {
    const text = textOfPart(part);
    if (said.has(text)) return undefined;
    const [first] = line.chosen;
    const isOpen = line.chosen.some(({ subject }) => subject === part.subject);
    const isLed = line.chosen.some(({ subject, lead }) => subject === part.subject && lead === part.lead);
    const words = `${isOpen ? "" : `${part.subject}: `}${isLed ? "" : part.lead} ${text};`;
    return Math.max(0, count(words) + 2 - (first === undefined ? count(line.topics) : 0));
  };
  const saying = (part: Part, line: Line, left: number) => {
    const tokens = cost(part, line);
    if (tokens !== undefined && tokens <= left) said.add(textOfPart(part));
    return tokens;
  };
  let left = room;
  const share = room / Math.max(1, lines.length);
  for (const line of lines) {
    const at = line.waiting.findIndex((part) => (cost(part, line) ?? Number.POSITIVE_INFINITY) <= share);
    for (const part of at < 0 ? [] : line.waiting.splice(at, 1)) {
      left -= saying(part, line, share) ?? 0;
      line.chosen.push(part);
    }
  }
  chooseInRounds(lines, left, saying);
}

function lineOf({ note, parts }: ReadDocument, { redact }: DocumentLinesRequest, told: ReadonlySet<string>): Line {
  const { label } = note;
  const named = oneLine(redact(note.title), TITLE_UNITS);
  const left = parts.flatMap((part) => {
    const sentences = part.sentences.filter((sentence) => !told.has(sentence));
    return sentences.length === 0 || textOfPart({ ...part, sentences }) === named ? [] : [{ ...part, sentences }];
  });
  const waiting = wanted(left);
  if (named !== "" && note.isTitleOfParts !== true) return { label, title: named, topics: "", waiting, chosen: [] };
  if (named !== "") return { label, title: "", topics: named, waiting, chosen: [] };
  // All such notes begin with their form: what was wanted stands for a title, or else what tells most.
  const first = left.find(({ kind }) => kind === "aim") ?? waiting[0];
  const under = first === undefined || first.kind === "aim" ? "" : introduction(first, false);
  const title = first === undefined ? "" : oneLine(`${under}${textOfPart(first)}`, AIM_UNITS);
  return { label, title, topics: "", waiting: waiting.filter((part) => part !== first), chosen: [] };
}

/** What was learnt and what tells most, in turn. Lines that are counted come last. */
function wanted(parts: readonly Part[]): Part[] {
  const learnt = parts.filter(({ kind }) => kind === "learnt");
  const others = parts.filter(({ kind }) => kind !== "learnt").toSorted((a, b) => worth(b) - worth(a) || a.at - b.at);
  const turns = Array.from({ length: Math.max(learnt.length, others.length) }, (_, at) => [learnt[at], others[at]]);
  return turns.flat().filter((part) => part !== undefined);
}

/** Hard things a length, where a long part may hold more; the opening says what the note is about. A bare figure says little. */
function worth(part: Part): number {
  const text = textOfPart(part);
  const kept = part.kind === "settled" || part.kind === "aim" ? 2 : part.kind === undefined ? 0 : 1;
  const value = Math.min(text.match(HARD)?.length ?? 0, MOST_HARD) + (part.at === 0 ? 1.5 : 0.5) + kept;
  return (value / Math.sqrt(text.length + 120)) * (part.isSum ? 0.2 : 1);
}

function rendered({ label, title, topics, chosen }: Line): string {
  const start = `- [${label}]${title === "" ? "" : ` ${title}`}`;
  if (chosen.length === 0) return topics === "" ? start : `${start} ${topics}`;
  let line = start;
  let before: Part | undefined;
  for (const part of chosen.toSorted((a, b) => a.at - b.at)) {
    const isSaid = before?.subject === part.subject;
    const isLed = isSaid && before?.lead === part.lead;
    const words = `${introduction(isLed ? { ...part, lead: "" } : part, isSaid)}${textOfPart(part)}`;
    if (before !== undefined) line = `${closed(line, isLed && part.glue === "; " ? "; " : ". ")}${words}`;
    else if (title === "") line = `${line} ${words}`;
    else line = part.subject === "" ? `${line}: ${words}` : `${closed(line, ". ")}${words}`;
    before = part;
  }
  return line;
}
