// What of a stretch of conversation a text still says, by kind. Compared are words, not meaning: a sentence counts when
// its words stand there in their order, a name when it stands there as it was written.
import { isProbe } from "../facts/commands.ts";
import type { FactMessage } from "../facts/fact-message.ts";
import type { FileFact, Ledger, Source } from "../facts/ledger.ts";
import { findIdentifiers } from "../facts/said.ts";
import { heldTexts, piecesOf, wordTokens } from "../text/words.ts";
import type { Stepwise } from "../tokens/stepwise.ts";

/** In the order in which they are shown; the first is what the session needed next, the others what it was made of. */
export const KINDS = [
  "names_used_again",
  "user_messages",
  "user_messages_half",
  "conclusions",
  "conclusions_half",
  "answers",
  "rules",
  "changed_files",
  "errors",
  "commands",
  "plan_items",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Share {
  readonly kept: number;
  readonly all: number;
}

export type Coverage = Readonly<Record<Kind, Share>>;

export interface Material {
  /** Of the messages before the cut, as if all of them had left. */
  readonly ledger: Ledger;
  /** Names that the messages behind the cut use, and that only older messages before it say. */
  readonly names: readonly string[];
  readonly users: readonly Quoted[];
  readonly conclusions: readonly Quoted[];
}

/** A text as the words of its sentences. */
export interface Quoted {
  readonly sentences: readonly { readonly words: string; readonly number: number }[];
  /** Number of words in all of them. */
  readonly number: number;
}

/** Texts that are told by their sentences: what users said, and what the assistant concluded. Others are short. */
export function textsToQuote(ledger: Ledger): Readonly<Record<"users" | "conclusions", readonly string[]>> {
  const people = ledger.userMessages.filter(({ author }) => author === "user");
  return { users: people.map(({ blocks }) => blocks.join("\n")), conclusions: conclusionsOf(ledger) };
}

export function quote(text: string): Quoted {
  const sentences = piecesOf(text).flatMap(({ start, end }) => {
    const tokens = wordTokens(text.slice(start, end));
    return tokens.length === 0 ? [] : [{ words: ` ${tokens.join(" ")} `, number: tokens.length }];
  });
  return { sentences, number: sentences.reduce((sum, { number }) => sum + number, 0) };
}

/** `text`: what is left of the messages; `isKept`: whether the message of this number, 1-based, stands there as it was. */
export function measureCoverage(
  { ledger, names, ...quoted }: Material,
  text: string,
  isKept: (message: number) => boolean,
): { readonly coverage: Coverage; readonly lost_names: readonly string[] } {
  const words = wordsOf(text);
  const plans = ledger.plans.flatMap(({ items }) => items);
  const commands = ledger.commands.filter(({ command }) => !isProbe(command));
  const short = [...ledger.rules, ...plans].map((fact) => fact.text);
  const lines = [...ledger.errors.map((error) => error.text), ...commands.map(({ command }) => command)];
  const said = heldTexts(words, [
    ...[...quoted.users, ...quoted.conclusions].flatMap(({ sentences }) => sentences.map((sentence) => sentence.words)),
    ...[...short, ...lines.map(beginningOf)].map(wordsOf),
  ]);
  const says = (line: string) => said.has(wordsOf(line));
  const stands = (source: Source, line: string) => isKept(source.message) || says(beginningOf(line));
  const shareSaid = ({ sentences, number }: Quoted) =>
    sentences.reduce((sum, sentence) => sum + (said.has(sentence.words) ? sentence.number : 0), 0) / number;
  const users = quoted.users.filter(isTelling).map(shareSaid);
  const conclusions = quoted.conclusions.filter(isTelling).map(shareSaid);
  const held = new Set(names.filter((name) => standsIn(text, name)));
  const coverage: Coverage = {
    names_used_again: { kept: held.size, all: names.length },
    user_messages: shareOf(users, (share) => share === 1),
    user_messages_half: shareOf(users, (share) => share >= 0.5),
    conclusions: shareOf(conclusions, (share) => share === 1),
    conclusions_half: shareOf(conclusions, (share) => share >= 0.5),
    answers: shareOf(ledger.decisions, ({ question, text: answer }) => isAnswered(words, question, answer)),
    rules: shareOf(ledger.rules, (rule) => says(rule.text)),
    changed_files: shareOf(
      changedFiles(ledger),
      ({ path }) => standsIn(text, path) || standsIn(text, fileInFolder(path)),
    ),
    errors: shareOf(ledger.errors, (error) => stands(error.source, error.text)),
    commands: shareOf(commands, ({ source, command }) => stands(source, command)),
    plan_items: shareOf(plans, (item) => says(item.text)),
  };
  return { coverage, lost_names: names.filter((name) => !held.has(name)) };
}

export function addCoverage(one: Coverage, other: Coverage): Coverage {
  const sums = KINDS.map((kind) => {
    const [a, b] = [one[kind], other[kind]];
    return [kind, { kept: a.kept + b.kept, all: a.all + b.all }];
  });
  return Object.fromEntries(sums) as Coverage;
}

function shareOf<Item>(items: readonly Item[], isKept: (item: Item) => boolean): Share {
  return { kept: items.filter(isKept).length, all: items.length };
}

/** The words of a text between blanks, so that a quote is found whatever stands between its words. */
function wordsOf(text: string): string {
  return ` ${wordTokens(text).join(" ")} `;
}

/** Shorter messages ("yes", "go on") stand in any text by chance. */
const LEAST_WORDS = 4;

function isTelling({ number }: Quoted): boolean {
  return number >= LEAST_WORDS;
}

/** The assistant's last words before the user spoke again. */
function conclusionsOf({ statements, userMessages }: Ledger): readonly string[] {
  const spoken = statements.filter(({ isThought }) => isThought !== true);
  const turns = userMessages.filter(({ author }) => author === "user").map(({ source }) => source.message);
  return spoken
    .filter(({ source }, index) => {
      const next = spoken[index + 1]?.source.message ?? Number.POSITIVE_INFINITY;
      return next === Number.POSITIVE_INFINITY || turns.some((turn) => turn > source.message && turn < next);
    })
    .map(({ text }) => text);
}

/** Between a question and its answer stands at most the rest of a message. */
const NEAR = 3_000;

function isAnswered(words: string, question: string, answer: string): boolean {
  const asked = wordsOf(question);
  // What a number stood for was put behind it when it was read.
  const answered = wordsOf(answer.split(" (= ")[0] ?? "");
  for (let at = words.indexOf(asked); at >= 0; at = words.indexOf(asked, at + 1)) {
    if (words.slice(Math.max(0, at - NEAR), at + asked.length + NEAR).includes(answered)) return true;
  }
  return false;
}

function changedFiles({ files }: Ledger): readonly FileFact[] {
  return files.filter(({ operation }) => operation !== "read");
}

/** A file and the folder that it is in: a path may be said from elsewhere. */
function fileInFolder(path: string): string {
  return path.split(/[/\\]/u).slice(-2).join("/");
}

const LONGEST_QUOTE = 160;

/** Of a line or a command so much tells it from others; where a fact was shortened, what stands before that. */
function beginningOf(text: string): string {
  const whole = (text.split("…")[0] ?? "").trim();
  return (whole === "" ? text : whole)
    .slice(0, LONGEST_QUOTE)
    .replace(/\S*$/u, (last) => (text.length > LONGEST_QUOTE ? "" : last));
}

const WORD = /[\p{L}\p{N}_]/u;

/** As it is written, not as a part of another word. */
function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isOpen = at === 0 || !WORD.test(name.charAt(0)) || !WORD.test(text.charAt(at - 1));
    const end = at + name.length;
    const isClosed = end === text.length || !WORD.test(name.charAt(name.length - 1)) || !WORD.test(text.charAt(end));
    if (isOpen && isClosed) return true;
  }
  return false;
}

/** These stay in any way of making a list smaller. */
const NEWEST = 4;
/** A name that more messages say is a word of the session. */
const RARE = { share: 0.05, least: 3 } as const;
/** Words that name: with a capital inside of a sentence, of several parts, figures. */
const NAMING =
  /(?<=[\p{Ll},] )\p{Lu}\p{L}{2,30}(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(?:\p{Ll}{1,30}\p{Lu}[\p{L}\p{N}]{1,40}|(?:\p{Lu}\p{Ll}{1,30}){2,6}|\p{L}[\p{L}\p{N}]{0,30}(?:_[\p{L}\p{N}]{1,30}){1,6}|\d{3,9}(?:[.,]\d{1,6})?)(?![\p{L}\p{N}_])/gu;
const LONGEST_TEXT = 20_000;

/** Names that the rest of a session uses and that people or the assistant said only in older messages before the cut. */
export function* namesUsedAgain(
  before: readonly FactMessage[],
  rest: readonly FactMessage[],
): Stepwise<readonly string[]> {
  const older = before.slice(0, -NEWEST);
  const newest = before.slice(-NEWEST).map(textOf).join("\n");
  const said = new Map<string, number>();
  for (const message of older) {
    for (const name of namesOf(spokenOf(message))) said.set(name, (said.get(name) ?? 0) + 1);
    yield;
  }
  const most = Math.max(RARE.least, older.length * RARE.share);
  const used = new Set<string>();
  for (const message of rest) {
    for (const name of namesOf([...spokenOf(message), ...message.calls.flatMap(({ texts }) => texts)])) used.add(name);
    yield;
  }
  const needed = [...used].filter((name) => {
    const times = said.get(name) ?? 0;
    return times > 0 && times <= most && !standsIn(newest, name);
  });
  // A part of a longer one is no name of its own.
  return needed.filter((name) => !needed.some((longer) => longer !== name && standsIn(longer, name)));
}

function spokenOf({ spoken }: FactMessage): readonly string[] {
  return spoken.filter(({ author }) => author === "user" || author === "assistant").map(({ text }) => text);
}

function namesOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((text) => [
      ...findIdentifiers(text),
      ...Array.from(text.slice(0, LONGEST_TEXT).matchAll(NAMING), ([name]) => name),
    ]),
  );
}

/** All that a reader of the message is given. */
export function textOf({ spoken, thoughts, calls, results }: FactMessage): string {
  return [
    ...thoughts,
    ...spoken.map(({ text, author }) => `${author}: ${text}`),
    ...calls.map(({ name, texts }) => `calls ${name}: ${texts.join("\n")}`),
    ...results.map(({ text }) => `result: ${text}`),
  ].join("\n");
}
