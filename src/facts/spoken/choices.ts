// Finds the choices in what a user or the assistant said: the sentence, why, and what was not chosen. Narration
// ("let me read the file"), guesses and described faults are none: where in doubt, a sentence is left out.
import { cutAt } from "../../text/cut.ts";
import type { DecisionCues, Language } from "../language/cues.ts";
import { languagesOf } from "../language/languages.ts";
import { isProse } from "../language/pasted.ts";
import { readSentences, type Sentence } from "../language/sentences.ts";

export interface Choice {
  readonly text: string;
  readonly rationale?: string;
  readonly alternatives: readonly string[];
  /** Only weighed so far: a choice when doing follows. */
  readonly needsDoing: boolean;
}

const LONGEST = 500;
const LONGEST_PART = 200;
const LEAST_PART = 3;
/** Where the thing not chosen ends, unless the reason begins before. */
const PART_END = /[,;:—–?!，；：。]|\s\(|\.(?=\s|$)|\s-\s|\s(?:and|but|so)\s(?:i|we|it|that|this)\b/u;
const QUESTION = /[?？]["'”’)\]*`]{0,3}\s*$/u;
/** "let's keep it in memory, can you show an example?" */
const ASKED_BESIDE = /[,;]\s*(?:and )?(?:can|could|would|will|do|does|is|are|what|how|should)\s[^,;]{0,200}[?？]$/i;
const CONTRAST_FIRST = /^(?:instead of|rather than)\s/i;
/** What the assistant says it does or did. */
const OWN_ACT =
  /^(?:(?:for|in|on|at|with|given|after|here)\b[^,]{1,60},? )?(?:i(?:['’](?:m|ve)| am| have)?|we(?:['’](?:re|ve)| are| have)) (?!understand|think|see|saw|want|need|believe|know|guess|notice|should|could|might|would|can)[a-z]{2,20}\b/i;
/** A sentence of its own that only says why the one before. */
const REASON_SENTENCE =
  /^(?:because|reason|why|rationale|this (?:way|avoids|keeps|prevents|makes sense because)|that way|so that|since|weil|porque|parce que|因为|理由)(?![\p{L}])/iu;

/** "Decision: each node has three parts:" */
const LABELLED_LEAD_IN = /^[^:：]{3,40}[:：].{1,450}[:：]\s*$/u;
const REASON_LABEL = /^(?:reason|rationale|why|理由)[^:：]{0,60}[:：]\s*/iu;

export function findChoices(text: string, by: "user" | "assistant"): readonly Choice[] {
  const found: Choice[] = [];
  const candidates = languagesOf(text).filter(({ decisions }) => decisions.gate.test(text));
  if (candidates.length === 0) return found;
  const sentences = readSentences(text);
  for (const [at, sentence] of sentences.entries()) {
    const choice = readChoice(sentence, by, candidates);
    if (choice === undefined) continue;
    const next = sentences[at + 1];
    const isExplained = choice.rationale === undefined && next !== undefined && REASON_SENTENCE.test(next.text);
    const reason = isExplained ? next.text.replace(REASON_LABEL, "") : "";
    found.push(reason === "" ? choice : { ...choice, rationale: shorten(reason) });
  }
  return found;
}

/** Why a user answered as they did, and what they turned down: "option 2, because it is smaller". */
export function readReasons(text: string): Pick<Choice, "rationale" | "alternatives"> {
  const start = text.slice(0, LONGEST);
  const language = languagesOf(start).find(({ decisions }) => decisions.rationale.test(start));
  return language === undefined ? { alternatives: [] } : partsOf(start, language.decisions);
}

function readChoice(
  { text, isItem }: Sentence,
  by: "user" | "assistant",
  candidates: readonly Language[],
): Choice | undefined {
  const start = (by === "user" ? text.replace(ASKED_BESIDE, "") : text).slice(0, LONGEST);
  const languages = candidates.filter(({ decisions }) => decisions.gate.test(start));
  if (languages.length === 0 || QUESTION.test(start) || LABELLED_LEAD_IN.test(start) || !isProse(start))
    return undefined;
  for (const { decisions } of languages) {
    const parts = partsOf(start, decisions);
    const strength = strengthOf(start, by, isItem, parts, decisions);
    if (strength !== undefined) return { text: start, ...parts, needsDoing: strength === "weighed" };
  }
  return undefined;
}

function strengthOf(
  start: string,
  by: "user" | "assistant",
  isItem: boolean,
  { alternatives, rationale }: Pick<Choice, "rationale" | "alternatives">,
  cues: DecisionCues,
): "made" | "weighed" | undefined {
  if (cues.choice.test(start)) return "made";
  if (by === "user") return cues.userChoice.test(start) ? "made" : undefined;
  if (cues.doubt.test(start)) return undefined;
  const isReasoned = rationale !== undefined;
  const isStep = (isItem && !CONTRAST_FIRST.test(start)) || cues.edit?.test(start) === true;
  if (isStep && (alternatives.length === 0 || !isReasoned)) return undefined;
  if (alternatives.length > 0 && (cues.intent.test(start) || (isReasoned && OWN_ACT.test(start)))) return "made";
  if (rationale !== undefined && !isItem && cues.reasoned.test(start)) return "made";
  return cues.weighing.test(start) ? "weighed" : undefined;
}

function partsOf(start: string, cues: DecisionCues): Pick<Choice, "rationale" | "alternatives"> {
  const alternative = cues.isMarkedBehind
    ? before(start, cues.alternative)
    : after(start, cues.alternative, cues.rationale);
  const rationale = cues.isMarkedBehind ? before(start, cues.rationale) : reasonAfter(start, cues);
  return { alternatives: alternative === undefined ? [] : [alternative], ...(rationale && { rationale }) };
}

function after(start: string, marker: RegExp, stop: RegExp): string | undefined {
  const match = marker.exec(start);
  if (match === null) return undefined;
  const rest = start.slice(match.index + match[0].length);
  const end = Math.min(PART_END.exec(rest)?.index ?? rest.length, stop.exec(rest)?.index ?? rest.length);
  return part(rest.slice(0, end));
}

function before(start: string, marker: RegExp): string | undefined {
  const match = marker.exec(start);
  return match === null
    ? undefined
    : part(
        start
          .slice(0, match.index)
          .split(/[、。，]/u)
          .at(-1) ?? "",
      );
}

/** To the end of the sentence, but not into the part that names what was not chosen. */
function reasonAfter(start: string, cues: DecisionCues): string | undefined {
  const match = cues.rationale.exec(start);
  if (match === null) return undefined;
  const purpose = /^(?:to|para|um|pour|afin|so)\b/iu.exec(match[0]) === null ? "" : `${match[0].trim()} `;
  const rest = start.slice(match.index + match[0].length);
  const end = cues.alternative.exec(rest)?.index ?? rest.length;
  return part(purpose + rest.slice(0, end));
}

function part(text: string): string | undefined {
  const bare = text.trim().replace(/^[,;:\s]+|[.,;:!\s。、，]+$/gu, "");
  const least = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(bare) ? 1 : LEAST_PART;
  return bare.length < least ? undefined : shorten(bare);
}

export function shorten(text: string): string {
  return text.length <= LONGEST_PART ? text : `${cutAt(text, LONGEST_PART - 1)}…`;
}

/** The sentence in which the assistant recommends a way, the last one of its message. */
export function findRecommendation(text: string): Choice | undefined {
  const sentences = readSentences(text);
  for (let at = sentences.length - 1; at >= 0; at -= 1) {
    const start = (sentences[at]?.text ?? "").slice(0, LONGEST);
    const language: Language | undefined = languagesOf(start).find(({ decisions }) => decisions.proposal.test(start));
    if (language === undefined || QUESTION.test(start)) continue;
    return { text: start, ...partsOf(start, language.decisions), needsDoing: false };
  }
  return undefined;
}
