// What a set of notes settled: choices that were made, rules that were laid down, whoever writes the rest. Found by code,
// cited, as many as the room holds, the newest first where it is scarce.
import { normalWords } from "../../facts/language/normal-words.ts";
import { readSentences } from "../../facts/language/sentences.ts";
import type { Ledger } from "../../facts/ledger.ts";
import { oneLine } from "../../facts/ledger-text.ts";
import { findRuleSentences } from "../../facts/spoken/rule-sentences.ts";
import { runInTurns } from "../../tokens/turns/stepwise.ts";
import type { SummarizedNote } from "./summarized-note.ts";

export interface StandingRequest {
  /** Oldest first. */
  readonly notes: readonly SummarizedNote[];
  /** Facts of these notes; `source.message` is a note's id. */
  readonly ledger: Ledger;
  /** Tokens of all lines. */
  readonly room: number;
  readonly count: (text: string) => number;
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

export interface Standing {
  /** A heading and a line each; none where nothing was found. */
  readonly lines: readonly string[];
  /** What the lines hold. */
  readonly told: readonly string[];
}

const TITLE = "## Decisions and rules";
const LONGEST = 300;
/** Units; less is a label or a number. */
const SHORTEST = 6;
/** Headings under which notes list what they settled. */
const HEADING =
  /^\W{0,6}(?:key |important |final |main )?(?:decisions?|decided|agreed|agreements?|rules?|conventions?|policy|policies|entscheidungen?|regeln?|decisiones|reglas?|décisions?|règles?|decis(?:ão|ões)|regras?)(?: (?:made|taken|learned))?[^\p{L}\p{N}]*$|^\W{0,6}(?:关键|重要|最终|主要|設計|设计)?(?:决定|决策|決定|規則|规则|约定|原则|ルール|方針)[^\p{L}\p{N}]*$/iu;

interface Found {
  readonly note: SummarizedNote;
  readonly text: string;
}

export async function standingLines(request: StandingRequest): Promise<Standing> {
  const { count, signal } = request;
  const found: Found[] = [];
  const known = new Set<string>();
  // The last note that says it is the one to cite.
  for (const note of request.notes.toReversed()) {
    signal?.throwIfAborted();
    const own = (await settledIn(note, request)).filter((text) => {
      const key = normalWords(text);
      return key !== "" && !known.has(key) && known.add(key);
    });
    found.push(...own.toReversed().map((text) => ({ note, text })));
  }
  const kept: Found[] = [];
  let left = request.room - count(`${TITLE}\n`);
  for (const one of found) {
    const tokens = count(`${lineOf(one)}\n`);
    if (tokens > left) continue;
    kept.unshift(one);
    left -= tokens;
  }
  return { lines: kept.length === 0 ? [] : [TITLE, ...kept.map(lineOf)], told: kept.map(({ text }) => text) };
}

function lineOf({ note, text }: Found): string {
  return `- [${note.label}] ${text}`;
}

/** Choices, rules, then what stands in lists of them; what another holds is left out. */
async function settledIn(note: SummarizedNote, { ledger, redact }: StandingRequest): Promise<readonly string[]> {
  const text = redact(note.text);
  const chosen = ledger.decisions.filter(({ source }) => source.message === note.id);
  const sentences = readSentences(text);
  const listed = sentences.filter(({ isItem, under }) => isItem && under.some((line) => HEADING.test(line)));
  // Half a sentence ("it failed, but never wrote a line") may read like a rule.
  const whole = new Set(sentences.map((sentence) => sentence.text));
  const rules = (await runInTurns(findRuleSentences(text, false))).filter((rule) => whole.has(rule.text));
  const texts = [
    ...chosen.map(({ text, rationale }) => withReason(text, rationale)),
    ...rules.flatMap(({ polarity, text }) => (polarity === "lifted" ? [] : [text])),
    ...listed.map(({ text }) => text),
  ]
    .map((settled) => oneLine(settled, LONGEST))
    .filter((settled) => settled.length >= SHORTEST && !settled.endsWith(":") && !settled.endsWith("："));
  return texts.filter((one, at) => !texts.some((other, place) => isWithin(one, other, at > place)));
}

/** `isLater`: of two that are the same the first stays. */
function isWithin(one: string, other: string, isLater: boolean): boolean {
  return one === other ? isLater : other.includes(one);
}

function withReason(text: string, reason: string | undefined): string {
  return reason === undefined || text.includes(reason.replace(/…$/u, "")) ? text : `${text} (${reason})`;
}
