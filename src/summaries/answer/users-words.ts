// Does a statement put words into a user's mouth? What it quotes is compared with the messages that it cites; that a user
// approved, allowed or refused something rests on a user's own words. Compared by words, in whatever language.
import { says } from "../../language/words.ts";
import { isBigram, wordTokens } from "../../text/words.ts";
import { topicOf } from "./claims.ts";
import { normalOf, type SourceText } from "./source-texts.ts";

const QUOTE = /"([^"\n]{2,600})"|“([^”\n]{2,600})”|«([^»\n]{2,600})»|„([^“”\n]{2,600})[“”]|「([^」\n]{2,600})」/gu;
/** Shorter ones are terms. */
const LEAST_QUOTED = 3;
/** Share of a quote's words that the message has to hold: some are told a little shorter. */
const QUOTED_SHARE = 0.7;
const LONGEST_TOLD = 2_000;
const GAP = /\s*(?:…|\.{3}|\[[^\]\n]{0,20}\])\s*/u;

export interface Quote {
  readonly text: string;
  /** Behind its last mark. */
  readonly end: number;
}

/** The quotes of a statement that the cited texts do not hold, nearly, nor any of the others, letter by letter. */
export function unsaidQuotes(
  statement: string,
  cited: readonly Pick<SourceText, "text">[],
  others: readonly Pick<SourceText, "text">[],
): readonly Quote[] {
  const isAll = !/[\p{L}\p{N}]/u.test(statement.replace(QUOTE, ""));
  return [...statement.matchAll(QUOTE)].flatMap(({ 0: whole, index, ...groups }) => {
    const text = Object.values(groups).find((group) => typeof group === "string") ?? "";
    const isTerm = wordTokens(text).length < LEAST_QUOTED && !isAll;
    const isSaid = isTerm || cited.some((one) => tells(one.text, text)) || others.some((one) => holds(one.text, text));
    return isSaid ? [] : [{ text, end: index + whole.length }];
  });
}

function holds(text: string, quote: string): boolean {
  const said = normalOf(` ${text} `);
  return quote.split(GAP).every((part) => said.includes(normalOf(` ${part} `)));
}

/** Of a long text some message or other holds most words of any sentence. */
function tells(text: string, quote: string): boolean {
  if (holds(text, quote)) return true;
  const said = new Set(text.length > LONGEST_TOLD ? [] : wordTokens(text));
  const words = [...new Set(wordTokens(quote))];
  return words.filter((word) => said.has(word)).length >= words.length * QUOTED_SHARE;
}

/** In English, where a record says that somebody let or did not let something happen. */
const VERDICT =
  /\b(?:approv|accept|confirm|agree|allow|permit|permission|authori[sz]|consent|reject|refus|declin|veto|forbid|forbad)\p{L}*/iu;
/** Where a statement says who. */
const OPENING = 60;

export function speaksOfUser(statement: string): boolean {
  return says(statement.slice(0, OPENING), "user");
}

/** What is wrong with a statement about what a user wants, allows or refuses; `users`: the users' words it may rest on. */
export function unsaidVerdict(
  statement: string,
  users: readonly Pick<SourceText, "text">[],
  conversation: readonly Pick<SourceText, "text">[],
): string | undefined {
  const isUsers = speaksOfUser(statement);
  const isVerdict = VERDICT.test(statement);
  if (!isUsers && !isVerdict) return undefined;
  if (users.length === 0) {
    const decides = isVerdict || says(statement, "agrees") || says(statement, "refuses");
    return isUsers && decides ? "left out: no user's message says so" : undefined;
  }
  const topic = [...topicOf(statement)].filter((word) => !says(word, "user"));
  const spoken = topicOf(users.map(({ text }) => text).join("\n"));
  const isBorneOut = topic.length === 0 || topic.some((word) => spoken.has(word));
  return isBorneOut || !isOneLanguage(statement, conversation)
    ? undefined
    : "left out: the user's message speaks of nothing of it";
}

/** So many small words that stand nowhere in the conversation are of another language, which shares no words with it. */
const LEAST_SMALL = 2;

function isOneLanguage(statement: string, conversation: readonly Pick<SourceText, "text">[]): boolean {
  const small = wordTokens(statement).filter((word) => word.length <= 3 && /^\p{L}+$/u.test(word) && !isBigram(word));
  if (small.length < LEAST_SMALL) return true;
  return conversation.some(({ text }) => wordTokens(text).some((word) => small.includes(word)));
}
