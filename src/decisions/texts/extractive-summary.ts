// What the level of summaries says of a decision besides its text, outcome, pattern and confidence, which stand in fields
// of their own: why it was taken, what came of it, what was learned. Quotes whole sentences of the record and words none.
import type { Decision } from "../decision.ts";
import { cutAtWord, fieldSentences, firstSentence, plainKey } from "./field-sentences.ts";

/** Characters of a summary, where its sentences allow it. */
export const SUMMARY_LENGTH = 400;
/** A sentence that says most alone may be this long: cut, it could lose its "not". */
const MOST_OF_ONE = 600;
const MOST_REASONS = 3;
const LONGEST_TYPE = 40;
/** What trackers put where nobody wrote a word. */
const EMPTY_WORDS = /^(?:closed?|done|completed?|resolved|finished|ok|none|n\/a|tbd|\?)[.!]?$/i;

interface Part {
  readonly label: string;
  /** Of a reason: stands behind its last sentence. */
  readonly type: string;
  readonly sentences: readonly string[];
  /** The first so many of them are quoted. */
  quoted: number;
}

/** Empty where the record says nothing of the kind. The same for the same record, always. */
export function extractiveSummary(decision: Decision): string {
  const parts = partsOf(decision);
  if (parts.length === 0) return contextOf(decision);
  for (const part of inTurn(parts)) {
    part.quoted += 1;
    if (rendered(parts).length > SUMMARY_LENGTH) part.quoted -= 1;
  }
  const text = rendered(parts);
  return text === "" ? shortest(parts) : text;
}

/** In the order of reading: reasons, result, lessons. What stands in another field or part already is left out. */
function partsOf(decision: Decision): readonly Part[] {
  const known = new Set([decision.text, decision.pattern ?? "", decision.outcome ?? ""].map(plainKey));
  const parts: Part[] = [];
  const add = (label: string, text: string | undefined, type = "") => {
    if (text === undefined || EMPTY_WORDS.test(text) || known.has(plainKey(text))) return;
    known.add(plainKey(text));
    const sentences = fieldSentences(text).filter((sentence) => !isKnown(known, sentence, text));
    if (sentences.length > 0) parts.push({ label, type, sentences, quoted: 0 });
  };
  for (const { text, type } of strongest(decision)) add("Why", text, oneWord(type));
  add("Result", decision.actualResult);
  add("Learned", decision.lessons);
  return parts;
}

function isKnown(known: ReadonlySet<string>, sentence: string, whole: string): boolean {
  const key = plainKey(sentence);
  return key !== plainKey(whole) && known.has(key);
}

/** Those without a strength count as middling; of equals the one that the record names first. */
function strongest({ reasons }: Decision): Decision["reasons"] {
  const worth = (reason: Decision["reasons"][number]) => reason.strength ?? 0.5;
  return reasons.toSorted((a, b) => worth(b) - worth(a)).slice(0, MOST_REASONS);
}

/** What came of it and what was learned before the reasons; a sentence of each before the second of any. */
function* inTurn(parts: readonly Part[]): Generator<Part> {
  const [reasons, others] = [
    parts.filter(({ label }) => label === "Why"),
    parts.filter(({ label }) => label !== "Why"),
  ];
  const order = [...others, ...reasons];
  for (const part of order) yield part;
  for (const part of order) {
    for (let next = 1; next < part.sentences.length && part.quoted === next; next += 1) yield part;
  }
}

function rendered(parts: readonly Part[]): string {
  let label = "";
  const texts: string[] = [];
  for (const part of parts) {
    if (part.quoted === 0) continue;
    const said = closed(part.sentences.slice(0, part.quoted), part.type);
    texts.push(part.label === label ? said : `${part.label}: ${said}`);
    label = part.label;
  }
  return texts.join(" ");
}

/** No sentence has room: the shortest one, whole as long as that is bearable. */
function shortest(parts: readonly Part[]): string {
  const [part] = parts.toSorted((a, b) => (a.sentences[0]?.length ?? 0) - (b.sentences[0]?.length ?? 0));
  const text = part === undefined ? "" : rendered([{ ...part, quoted: 1 }]);
  return text.length <= MOST_OF_ONE ? text : cutAtWord(text, SUMMARY_LENGTH);
}

function contextOf({ context, text }: Decision): string {
  const sentence = context === undefined ? undefined : firstSentence(context);
  if (sentence === undefined || plainKey(sentence) === plainKey(text)) return "";
  const said = `Context: ${closed([sentence], "")}`;
  return said.length <= MOST_OF_ONE ? said : cutAtWord(said, SUMMARY_LENGTH);
}

function closed(sentences: readonly string[], type: string): string {
  const text = sentences.map((sentence, at) => (at < sentences.length - 1 ? stopped(sentence) : sentence)).join(" ");
  if (type === "") return stopped(text);
  return `${text.replace(/[.,;。，；]$/u, "")} (${type}).`;
}

/** Ends in a mark, also where its author left it out. */
function stopped(sentence: string): string {
  return /[.!?…。！？:：][)\]"'”’»」』*_`]{0,3}$/u.test(sentence) ? sentence : `${sentence.replace(/[,;]$/, "")}.`;
}

function oneWord(type: string): string {
  return cutAtWord(type.replace(/\s+/g, " ").trim(), LONGEST_TYPE);
}
