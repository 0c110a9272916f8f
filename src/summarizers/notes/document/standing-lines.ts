// What a set of documents settled: what stands under headings of decisions and rules, and the choices and rules that
// code finds elsewhere, each with the sentences that it needs. A line each, whoever writes the rest.
import { normalWords } from "../../../facts/language/normal-words.ts";
import { readSentences } from "../../../facts/language/sentences.ts";
import type { Ledger } from "../../../facts/ledger.ts";
import { oneLine } from "../../../facts/ledger-text.ts";
import { findRuleSentences } from "../../../facts/spoken/rule-sentences.ts";
import { runInTurns } from "../../../tokens/turns/stepwise.ts";
import { boundAround } from "./bound-sentences.ts";
import { closed, introduction, type Part, type ReadDocument, textOfPart } from "./document-part.ts";
import { bareKindOf } from "./heading-kinds.ts";
import { chooseInRounds } from "./shared-rounds.ts";

export interface StandingRequest {
  /** Oldest first. */
  readonly documents: readonly ReadDocument[];
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
  /** How many have no room. */
  readonly leftOut: number;
}

const TITLE = "## Decisions and rules";
/** Units; less is a label or a number. */
const SHORTEST = 6;
const LONGEST = 700;
/** Rules that tell of what happened: "each time for one reading", "(no new tests, fixed 3)". */
const REPORT = /(?<![\p{L}\d])(?:was|were|had|did|dipped|came|went|took|\p{L}{2,20}[^e\W]ed)(?![\p{L}\d])/iu;
const DEMAND =
  /(?<![\p{L}\d])(?:must|never|always|should|shall|has to|have to|needs? to|do not|don['’]t|only|not allowed|forbidden)(?![\p{L}\d])/iu;
const STATE = /^[^\p{L}]{0,6}\d|^(?:✅|❎|🎉|📊)|\b\d{1,6}\/\d{1,6}\b/u;

const STATED = /^[^:：]{2,40}[:：]\s{0,3}\S/u;
/** Says that a choice was made, in whatever voice. */
const DECIDED =
  /(?<![\p{L}\d])(?:decided (?:to|not|against|on|that)|(?:was|were|has been|is) (?:decided|agreed|settled)|entschieden|beschlossen|decid(?:imos|ido|ió)|decidimos|(?:a|avons|été) décidé)(?![\p{L}\d])|决定|決定した|決めた/iu;
const PRONOUN = /(?<![\p{L}\d])(?:it|that|this|them|those|these)(?![\p{L}\d])/iu;
/** A paragraph that is told whole where its choice names not what it is about. */
const SHORT_UNITS = 320;

interface Found {
  readonly at: number;
  /** Said once for those that stand under one. */
  readonly under: string;
  readonly text: string;
  readonly sentences: readonly string[];
}

interface Queue {
  readonly label: string;
  readonly waiting: Found[];
  readonly chosen: Found[];
}

export async function standingLines(request: StandingRequest): Promise<Standing> {
  const { count, signal } = request;
  const queues: Queue[] = [];
  const known = new Set<string>();
  // The last note that says it is the one to cite.
  for (const document of request.documents.toReversed()) {
    signal?.throwIfAborted();
    const own = (await settledIn(document, request)).filter(({ text }) => {
      const key = normalWords(text);
      return key !== "" && !known.has(key) && known.add(key);
    });
    queues.unshift({ label: document.note.label, waiting: own, chosen: [] });
  }
  const all = queues.reduce((sum, { waiting }) => sum + waiting.length, 0);
  chooseInRounds<Found, Queue>(queues, request.room - count(`${TITLE}\n`), ({ under, text }, { label, chosen }) =>
    under !== "" && chosen.some((one) => one.under === under)
      ? count(`; ${text}`)
      : count(`- [${label}] ${under}${text}\n`),
  );
  const leftOut = all - queues.reduce((sum, { chosen }) => sum + chosen.length, 0);
  const lines = queues.flatMap(({ label, chosen }) =>
    linesOf(
      label,
      chosen.toSorted((a, b) => a.at - b.at),
    ),
  );
  return {
    leftOut,
    lines: lines.length === 0 ? [] : [TITLE, ...lines],
    told: queues.flatMap(({ chosen }) => chosen.flatMap(({ sentences }) => sentences)),
  };
}

/** A line each; one line for those that stand under one heading. */
function linesOf(label: string, chosen: readonly Found[]): readonly string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const { under, text } of chosen) {
    const last = lines.pop();
    if (last !== undefined && under !== "" && under === open) lines.push(`${closed(last, "; ")}${text}`);
    else lines.push(...(last === undefined ? [] : [last]), `- [${label}] ${under}${text}`);
    open = under;
  }
  return lines;
}

/** What stands under such headings, then choices, then rules; what another holds is left out. */
async function settledIn(document: ReadDocument, request: StandingRequest): Promise<readonly Found[]> {
  const { parts } = document;
  const headed = firstOfStated(parts.filter(({ kind, isSum }) => kind === "settled" && !isSum)).map(foundIn);
  const spoken = (await spokenIn(document, request)).flatMap((words) => around(words, document));
  const found = [...headed, ...spoken].filter(
    ({ text }) => text.length >= SHORTEST && text.length <= LONGEST && !/[:：]$/u.test(text),
  );
  return found.filter((one, at) => !found.some((other, place) => isWithin(one.text, other.text, at > place)));
}

/** A heading that says the choice itself ("Decision: keep it") has reasons below it: the first will do. */
function firstOfStated(parts: readonly Part[]): readonly Part[] {
  const stated = new Set<string>();
  return parts.filter(({ subject }) => !STATED.test(subject) || (!stated.has(subject) && stated.add(subject)));
}

/** Sentences of choices and rules, wherever they stand. */
async function spokenIn(
  { note }: ReadDocument,
  { ledger, redact }: StandingRequest,
): Promise<readonly { readonly words: string; readonly reason: string | undefined }[]> {
  const text = redact(note.text);
  const chosen = ledger.decisions.filter(({ source }) => source.message === note.id);
  // Half a sentence ("it failed, but never wrote a line") may read like a rule.
  const whole = new Set(readSentences(text).map((sentence) => sentence.text));
  const rules = (await runInTurns(findRuleSentences(text, false))).filter(
    (rule) => rule.polarity !== "lifted" && whole.has(rule.text) && !isReport(rule.text),
  );
  const spoken = [...whole].filter((sentence) => DECIDED.test(sentence.slice(0, LONGEST)) && !STATE.test(sentence));
  return [
    ...spoken.map((words) => ({ words, reason: undefined })),
    ...chosen.map(({ text: words, rationale }) => ({ words, reason: rationale })),
    ...rules.map(({ text: words }) => ({ words, reason: undefined })),
  ];
}

function isReport(text: string): boolean {
  return STATE.test(text) || (REPORT.test(text) && !DEMAND.test(text));
}

/** With the sentences around that it needs. A log line says no choice, however it reads. */
function around(
  { words, reason }: { readonly words: string; readonly reason: string | undefined },
  { parts, summed }: ReadDocument,
): readonly Found[] {
  const flat = oneLine(words.replaceAll("**", ""), LONGEST).replace(/…$/u, "");
  if (flat === "") return [];
  const part = parts.find(({ isSum, sentences }) => !isSum && sentences.some((one) => one.includes(flat)));
  if (part === undefined) {
    if (summed.some((row) => row.includes(words))) return [];
    const told = reason === undefined || words.includes(reason.replace(/…$/u, "")) ? words : `${words} (${reason})`;
    return [{ at: parts.length, text: oneLine(told, LONGEST), under: "", sentences: [words] }];
  }
  const isWhole = PRONOUN.test(flat) && textOfPart(part).length <= SHORT_UNITS;
  const sentences = isWhole ? part.sentences : boundAround(part.sentences, flat);
  return [foundIn({ ...part, sentences })];
}

/** Headings that say no more than what all these lines are need not be said. */
function foundIn(part: Part): Found {
  const { at, subject, sentences } = part;
  const isPlain = bareKindOf(subject) === "settled" || bareKindOf(subject) === "next";
  const lead = bareKindOf(part.lead.replace(/[:：]$/u, "")) === "settled" ? "" : part.lead;
  return { at, under: introduction({ ...part, lead }, isPlain), text: textOfPart(part), sentences };
}

/** `isLater`: of two that are the same the first stays. */
function isWithin(one: string, other: string, isLater: boolean): boolean {
  return one === other ? isLater : other.includes(one);
}
