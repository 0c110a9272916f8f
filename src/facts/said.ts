// What was said: by people, by hosts in their place, by the assistant; and what a person settled by answering. Only
// text of a user message becomes a user message; text from tools is never promoted.
import { figure } from "../text/figures.ts";
import { headTail } from "../text/quote.ts";
import { commandOf, readOutcome } from "./commands.ts";
import { type Execution, readExecutions } from "./executions.ts";
import type { FactMessage } from "./fact-message.ts";
import { fileOperations } from "./files.ts";
import {
  cite,
  type DecisionFact,
  type IdentifierFact,
  newestByKey,
  type StatementFact,
  type UserMessageFact,
} from "./ledger.ts";
import { isRefusal } from "./tool-call.ts";

/** Of one text so much is carried, its beginning and its end: longer ones were pasted. UTF-16 units. */
const LONGEST = { head: 6_000, tail: 3_000 };
/** Of all that the assistant said so much is carried, the newest: twice what the largest summary can hold. UTF-16 units. */
const MOST_STATED = 240_000;
/** Of what users said, and of what hosts did, the newest is carried whole up to this, older words by their beginning and end. */
const MOST_SAID = 300_000;
const OLD = { head: 300, tail: 200 };

export function extractUserMessages(messages: readonly FactMessage[]): readonly UserMessageFact[] {
  return messages.flatMap(({ spoken, source }) => {
    const facts: { author: "user" | "host"; blocks: string[] }[] = [];
    for (const { author, text } of spoken) {
      if (author !== "user" && author !== "host") continue;
      const last = facts.at(-1);
      if (last?.author === author) last.blocks.push(bounded(text));
      else facts.push({ author, blocks: [bounded(text)] });
    }
    return facts.map((fact) => ({ kind: "user_message", ...fact, source }) as const);
  });
}

export function extractStatements(messages: readonly FactMessage[]): readonly StatementFact[] {
  const marks = markStatements(messages);
  return messages.flatMap(({ spoken, thoughts, source }, at): readonly StatementFact[] => {
    const thought = thoughts.filter((text) => text.trim() !== "").map((text) => bounded(text));
    const words = spoken.filter(({ author }) => author === "assistant").map(({ text }) => text);
    return [
      ...thought.map((text) => ({ kind: "statement", text, isThought: true, ...marks[at], source }) as const),
      ...(words.length === 0
        ? []
        : [{ kind: "statement", text: bounded(words.join("\n")), ...marks[at], source } as const]),
    ];
  });
}

type Marks = Pick<StatementFact, "isBeforeCall" | "isAfterFailure" | "isBeforeChange">;

/** What stands around the words of each message, from the words before to the words after. */
function markStatements(messages: readonly FactMessage[]): readonly Marks[] {
  const executions = readExecutions(messages);
  const failed = new Set(executions.filter(hasFailed).map(({ resultSource }) => resultSource));
  const changed = new Set(executions.filter(changesFile).map(({ source }) => source));
  const isSaid = ({ spoken }: FactMessage) => spoken.some(({ author }) => author === "assistant");
  let isAfterFailure = false;
  const after = messages.map((message) => {
    const mark = isAfterFailure;
    isAfterFailure = failed.has(message.source) || (isAfterFailure && !isSaid(message));
    return mark;
  });
  let isBeforeChange = false;
  const marks = [...messages.entries()].reverse().map(([at, message]): Marks => {
    // Some formats make a message of the words and one of the call.
    const next = messages[at + 1];
    const isBeforeCall =
      message.calls.length > 0 || (next !== undefined && next.calls.length > 0 && next.spoken.length === 0);
    const isChange = changed.has(message.source) || isBeforeChange;
    isBeforeChange = isChange && !isSaid(message);
    return {
      ...(isBeforeCall ? { isBeforeCall } : {}),
      ...(after[at] === true ? { isAfterFailure: true } : {}),
      ...(isChange ? { isBeforeChange: true } : {}),
    };
  });
  return marks.reverse();
}

function hasFailed({ call, result }: Execution): boolean {
  if (result === undefined || isRefusal(result.text)) return false;
  const command = commandOf(call);
  return result.isError || (command !== undefined && readOutcome(command, result).outcome === "failed");
}

function changesFile({ call }: Execution): boolean {
  return fileOperations(call).some(({ operation }) => operation !== "read");
}

export function mergeStatements(
  earlier: readonly StatementFact[],
  later: readonly StatementFact[],
): readonly StatementFact[] {
  const all = [...earlier, ...later];
  let left = MOST_STATED;
  const oldest = all.findLastIndex(({ text }) => {
    left -= text.length;
    return left < 0;
  });
  return all.slice(oldest + 1);
}

export function mergeUserMessages(
  earlier: readonly UserMessageFact[],
  later: readonly UserMessageFact[],
): readonly UserMessageFact[] {
  const left = { user: MOST_SAID, host: MOST_SAID };
  const bound = (fact: UserMessageFact): UserMessageFact => {
    left[fact.author] -= fact.blocks.reduce((sum, { length }) => sum + length, 0);
    return left[fact.author] >= 0 ? fact : { ...fact, blocks: fact.blocks.map((block) => bounded(block, OLD)) };
  };
  return [...earlier, ...later].reverse().map(bound).reverse();
}

/** Longer than any mark of what was cut. */
const MARK = 60;

/** A text that was cut before stays: cut again, its mark would count what the mark itself takes. */
function bounded(text: string, most = LONGEST): string {
  if (text.length <= most.head + most.tail + MARK) return text;
  const { head, tail, omitted } = headTail(text, most.head, most.tail);
  return `${head}\n[… ${figure(omitted)} characters …]\n${tail}`;
}

/** Longer words are no answer but a request of their own. */
const LONGEST_ANSWER = 300;
const LONGEST_QUESTION = 400;
/** `The user is asked: "Overwrite?"` */
const QUOTES = /[\p{L}\p{N}:,]\s{0,3}["“„«「][^"“”„«»「」]{2,400}[?？]["”»」]\P{L}{0,9}$/u;
const QUESTION_END = /[?？]["'”’)*_\s]*$/u;
const OPTION =
  /^\s{0,8}(?:[-*+] )?(?:#{1,6} )?(?:\*\*)?(?:\p{L}{3,12} )?\(?(\d{1,2}|[A-H])[.):：*\s—–-]{1,4}(\S.{1,300})$/u;
/** `2`, `1+2`, `A and C`, `option 2`: the labels in a few words. A small letter among words, or an `A` before one, is no label. */
const LABELS = /(?<![\p{L}\p{N}.])(?:\d{1,2}|A(?! (?!and |und |or |oder )\p{Ll})|[B-H])(?![\p{L}\p{N}.'’])/gu;
const ONLY_LABELS = /^(?:\p{L}{3,12} )?[a-h](?:\P{L}{1,4}(?:(?:and|und|et) )?[a-h])*\P{L}*$/iu;
const MOST_LABELS = 8;

/** A short message of a user after one in which the assistant asked, proposed or offered ways to choose from. */
export function extractDecisions(messages: readonly FactMessage[]): readonly DecisionFact[] {
  const found: DecisionFact[] = [];
  let asked: string | undefined;
  for (const { spoken, source } of messages) {
    for (const { author, text } of spoken) {
      if (author === "assistant") asked = text;
      if (author !== "user") continue;
      const question = asked === undefined ? undefined : questionOf(asked);
      const words = text.trim();
      if (asked !== undefined && question !== undefined && words.length <= LONGEST_ANSWER && !QUESTION_END.test(words))
        found.push({ kind: "decision", text: words, ...chosenOf(words, asked), question, source });
      asked = undefined;
    }
  }
  return found;
}

/** The last sentence that asks, among the last ones of a text; what is quoted, or stands in a code block, asks nobody here. */
export function questionOf(text: string): string | undefined {
  const sentences = withoutCode(text.slice(-20_000))
    .slice(-2_000)
    .split(/(?<=[.!?])\s+|(?<=[？！。])|\n+/u);
  const question = sentences.slice(-12).findLast((sentence) => QUESTION_END.test(sentence) && !QUOTES.test(sentence));
  const plain = question?.replace(/^[\s>#*•-]{1,10}|\*{2}/gu, "").trim();
  return plain === undefined || plain.length < 4 ? undefined : plain.slice(0, LONGEST_QUESTION);
}

function withoutCode(text: string): string {
  const parts = text.split(/^ {0,3}(?:```|~~~).*$/mu);
  return parts.length % 2 === 0 ? text : parts.filter((_, at) => at % 2 === 0).join("\n");
}

/** "1+2" says nothing by itself: what the numbers stand for in the text that was answered. */
function chosenOf(words: string, asked: string): Pick<DecisionFact, "chosen"> {
  if (words.length > 60) return {};
  const options = new Map<string, string>();
  for (const line of asked.slice(-20_000).split("\n")) {
    const [, label, said] = OPTION.exec(line.slice(0, 400)) ?? [];
    if (label !== undefined && said !== undefined) options.set(label, said.replaceAll("**", "").trim());
  }
  const said = ONLY_LABELS.test(words) ? words.replace(/^\p{L}{3,12} /u, "").toUpperCase() : words;
  const labels = [...new Set(said.match(LABELS) ?? [])].slice(0, MOST_LABELS);
  const chosen = labels.flatMap((label) => (options.has(label) ? [`${label}: ${options.get(label)}`] : []));
  return options.size < 2 || chosen.length === 0 ? {} : { chosen: chosen.join("; ") };
}

/** Of equal sources the later reading wins: a message may be read again. */
export function mergeDecisions(
  earlier: readonly DecisionFact[],
  later: readonly DecisionFact[],
): readonly DecisionFact[] {
  return newestByKey([...earlier, ...later], ({ source }) => cite(source));
}

// Names that cannot be said in other words (paths, addresses, hashes, versions, tickets, variables), as people and the
// assistant say them. What stands in tools' outputs alone is one search away.

/** One alternative a form; each is bounded, and none can be entered twice at one place. */
const NAME = new RegExp(
  [
    /https?:\/\/[^\s"'<>`)\]}|,;]{3,300}/u,
    /(?:~|\.{1,2})?(?:\/?[\w@.+-]{1,80}\/){1,16}[\w@.+-]{0,80}\w(?::\d{1,6})?/u,
    /[\w-]{2,60}(?:\.[\w-]{1,40}){0,3}\.[a-z][a-z0-9]{0,4}(?![\w/])(?::\d{1,6})?/u,
    /[0-9a-f]{8}-[0-9a-f-]{27}/u,
    /(?=[a-f0-9]{0,39}[a-f])(?=[a-f0-9]{0,39}\d)[0-9a-f]{7,40}(?!\w)/u,
    /[A-Z][A-Z0-9]{1,9}-\d{1,7}(?!\w)/u,
    /v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-+.]\w{1,20}){0,2}/u,
    /[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,6}(?!\w)/u,
  ]
    .map(({ source }) => `(?:${source})`)
    .join("|"),
  "gu",
);
const BEFORE = /[\w/@.-]/u;
const LONGEST_TEXT = 100_000;
const MOST_NAMES = 4_000;

/** Distinct names of a text, in order. */
export function findIdentifiers(text: string): readonly string[] {
  const found = new Set<string>();
  const read = text.slice(0, LONGEST_TEXT);
  for (const { 0: name, index } of read.matchAll(NAME)) {
    if (index > 0 && BEFORE.test(read.charAt(index - 1))) continue;
    const bare = name.replace(/[.,;:!?*_]+$/u, "");
    // "and/or" and "1/2" are no paths.
    if (
      bare.length >= 4 &&
      !/^[\p{L}]{1,12}\/[\p{L}]{1,12}$/u.test(bare) &&
      !/^[\d./:-]+$/u.test(bare.replace(/^\d+\.\d+\.\d.*/u, "v"))
    )
      found.add(bare);
  }
  return [...found];
}

export function extractIdentifiers(messages: readonly FactMessage[]): readonly IdentifierFact[] {
  const found = messages.flatMap(({ spoken, source }) => {
    const words = spoken.filter(({ author }) => author === "user" || author === "assistant");
    const values = new Set(words.flatMap(({ text }) => findIdentifiers(text)));
    return [...values].map((value) => ({ kind: "identifier", value, mentions: 1, source }) as const);
  });
  return mergeIdentifiers([], found);
}

/** What was said last stands last. */
export function mergeIdentifiers(
  earlier: readonly IdentifierFact[],
  later: readonly IdentifierFact[],
): readonly IdentifierFact[] {
  const merged = newestByKey(
    [...earlier, ...later],
    ({ value }) => value,
    (known, fact) => ({ ...fact, mentions: known.mentions + fact.mentions }),
  );
  return merged.slice(-MOST_NAMES);
}
