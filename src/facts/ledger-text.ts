// How facts read in a line of text: quotes cut at whole characters, one line each. The essential facts (what
// users said, what was changed, what recurs) are what no compaction may leave out while the window has room.
import { coverAt, cutAt } from "../text/cut.ts";
import { heldTexts } from "../text/held-texts.ts";
import { REDACTION_MARK } from "../text/redaction-mark.ts";
import { findIdentifiers } from "./kinds/identifiers.ts";
import { cite, type IdentifierFact, type Ledger, type UserMessageFact } from "./ledger.ts";

/** Length up to which a user message is quoted whole, UTF-16 units. */
export const QUOTED_UNITS = 500;
/** A message of many blocks is quoted up to this many times the limit. */
const QUOTED_BLOCKS = 12;
/** Lines of a long message that are searched for facts, and how many of them are shown. */
const SEARCHED_LINES = 400;
const SHOWN_LINES = 6;

/** The text on one line, at most `limit` units of it, an ellipsis where something was cut. */
export function oneLine(text: string, limit: number): string {
  const flat = cutAt(text, limit * 2)
    .replace(/\s+/g, " ")
    .trim();
  const short = cutAt(flat, limit);
  return short.length < flat.length || flat.length < text.trim().length - limit ? `${short.trimEnd()}…` : short;
}

/** Each block cut behind `limit` units, and how much is left out. Where the rest is, the frame of the text says. */
export function quoteBlocks(blocks: readonly string[], limit: number): string {
  const quoted: string[] = [];
  let left = 0;
  let room = limit * QUOTED_BLOCKS;
  for (const block of blocks) {
    const quote = coverAt(block, Math.max(0, Math.min(limit, room)));
    if (quote !== "") quoted.push(quote);
    left += block.length - quote.length;
    room -= quote.length;
  }
  const rest = left === 0 ? "" : `… (${left.toLocaleString("en-US")} more characters)`;
  return quoted.join("\n") + rest;
}

/** Lines behind the quoted part that name something, and the last line. */
export function highlightLines(blocks: readonly string[], limit: number): readonly string[] {
  const rest = blocks.map((block) => block.slice(coverAt(block, limit).length)).join("\n");
  const lines = rest
    .split("\n", SEARCHED_LINES)
    .map((line) => line.trim())
    .filter(Boolean);
  const telling = lines.filter((line) => findIdentifiers(line.slice(0, 400)).length > 0).slice(0, SHOWN_LINES);
  const last = lines.at(-1);
  if (last !== undefined && !telling.includes(last)) telling.push(last);
  return telling.map((line) => oneLine(line, 160));
}

const CONTEXT_UNITS = 90;
/** Of a path of more folders, only the longest ends. */
const MOST_ENDINGS = 24;
/** Of what was named once the newest. */
const MOST_SAID_ONCE = 40;
/** Of the values in force the newest, in a session that sets hundreds. */
const MOST_VALUES = 60;
/** Forms that are facts by themselves when somebody said them, if only once. */
const HARD_FORMS: ReadonlySet<IdentifierFact["form"]> = new Set([
  "ticket",
  "version",
  "host",
  "variable",
  "cloud",
  "date",
  "person",
  "uuid",
  "handle",
]);

/** A long text that a host put in the user's place (instructions, its own summary): nobody's words, and mostly boilerplate. */
const LONG_HOST_TEXT = 150;

/** A person's words, or a short note of the host's on what a person did. */
export function isSaid({ author, blocks }: UserMessageFact): boolean {
  return author === "user" || blocks.reduce((sum, block) => sum + block.length, 0) <= LONG_HOST_TEXT;
}

/** A name that means the same wherever it stands. */
export function isPlainName({ form }: IdentifierFact): boolean {
  return form === "url" || form === "path" || form === "hash" || form === "uuid";
}

/** Names of code, flags and amounts recur with the talk of them: no size is missed for one. */
export function isLooseName({ form }: IdentifierFact): boolean {
  return form === "code" || form === "flag" || form === "quantity";
}

/** Said by a person or the assistant, and of a form that cannot be guessed. */
export function isHardFact({ form, context }: IdentifierFact): boolean {
  return context !== undefined && HARD_FORMS.has(form);
}

export interface EssentialFact {
  /** How it reads in a line of its own. */
  readonly line: string;
  /** What a text must contain to hold it whole. */
  readonly needle: string;
}

/**
 * What stays through any number of rounds: the users' words, rules, changed files, identifiers that three messages
 * name (`leastMentions` 2: URLs, paths and hashes that two name, too). A size that somebody asked for is missed rather than one of these.
 */
export function essentialFacts(ledger: Ledger, leastMentions: 2 | 3 = 3): readonly EssentialFact[] {
  const changed = ledger.files.filter(({ operation }) => operation !== "read");
  const rules = ledger.rules.filter(({ supersededBy }) => supersededBy === undefined);
  const said = ledger.userMessages.filter(isSaid);
  const recurring = ledger.identifiers.filter((fact) => isRecurring(fact, leastMentions));
  const quotes = said.map(({ blocks }) => quoteBlocks(blocks, QUOTED_UNITS));
  const written = [...changed.map(({ path }) => path), ...rules.map(({ text }) => text), ...quotes].join("\n");
  const held = heldTexts(
    written,
    recurring.map(({ value }) => value),
  );
  const named = recurring.filter(({ value }) => !held.has(value));
  return [
    ...withoutEndings(named, () => 0).map(identifierFact),
    ...changed.map((fact) => ({ needle: fact.path, line: `- ${fact.path} [${cite(fact.source)}]` })),
    ...rules.map((fact) => ({ needle: fact.text, line: `- ${fact.text} [${cite(fact.source)}]` })),
    ...said.map((fact, at) => ({ needle: quotes[at] ?? "", line: `- [${cite(fact.source)}] "${quotes[at]}"` })),
  ];
}

/** Without names that are the end of a longer one worth as much: "b.ts" stands in "src/a/b.ts". */
export function withoutEndings(
  facts: readonly IdentifierFact[],
  rankOf: (fact: IdentifierFact) => number,
): readonly IdentifierFact[] {
  const ranks = new Map<string, number>();
  for (const fact of facts) {
    for (const ending of endingsOf(fact.value)) {
      const rank = Math.min(rankOf(fact), ranks.get(ending) ?? Number.POSITIVE_INFINITY);
      ranks.set(ending, rank);
    }
  }
  return facts.filter((fact) => (ranks.get(fact.value) ?? Number.POSITIVE_INFINITY) > rankOf(fact));
}

/** Of "src/a/b.ts:12": "src/a/b.ts", "a/b.ts", "b.ts" and the same with the line. */
function endingsOf(value: string): readonly string[] {
  const endings: string[] = [];
  const whole = value.replace(/:\d{1,6}$/, "");
  if (whole !== value) endings.push(whole);
  let slash = value.indexOf("/");
  for (let found = 0; slash >= 0 && found < MOST_ENDINGS; found += 1) {
    const ending = value.slice(slash + 1);
    endings.push(ending, ...(whole === value ? [] : [whole.slice(slash + 1)]));
    slash = value.indexOf("/", slash + 1);
  }
  return endings;
}

function isRecurring(fact: IdentifierFact, leastMentions: number): boolean {
  return (fact.mentions >= 3 && !isLooseName(fact)) || (fact.mentions >= leastMentions && isPlainName(fact));
}

/**
 * What a text should hold besides, while there is room, the least valuable first: what somebody named once, what two
 * messages name or nobody can guess, values in force.
 */
export function valuableFacts(ledger: Ledger): readonly EssentialFact[] {
  const inForce = ledger.values.filter(({ supersededBy }) => supersededBy === undefined).slice(-MOST_VALUES);
  const isNamed = (fact: IdentifierFact) => (fact.mentions < 2 ? isHardFact(fact) : !isRecurring(fact, 3));
  const isSaidOnce = (fact: IdentifierFact) => fact.mentions < 2 && fact.context !== undefined && !isHardFact(fact);
  return [
    ...ledger.identifiers.filter(isSaidOnce).slice(-MOST_SAID_ONCE).map(explainedFact),
    ...ledger.identifiers.filter(isNamed).map(explainedFact),
    // The mark of a redaction says nothing by itself: what is carried is the key, and that its value was taken out.
    ...inForce.map((fact) => ({
      needle: fact.value === REDACTION_MARK ? fact.key : fact.value,
      line: `- ${fact.key} = ${fact.value} [${cite(fact.source)}]`,
    })),
  ];
}

/** A name that says nothing by itself stands in the words around it. */
function explainedFact(fact: IdentifierFact): EssentialFact {
  const plain = identifierFact(fact);
  if (fact.context === undefined || isPlainName(fact)) return plain;
  return {
    needle: fact.value,
    line: `- ${fact.value} (${oneLine(fact.context, CONTEXT_UNITS)}) [${cite(fact.source)}]`,
  };
}

function identifierFact({ value, source }: IdentifierFact): EssentialFact {
  return { needle: value, line: `- ${value} [${cite(source)}]` };
}
