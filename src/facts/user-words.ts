// Whose words they are, whatever carries them. A call that asks the user is the assistant asking and its result the user's
// answer: known by what it holds (questions, options) and what comes back, whatever host named the tool. A block that a
// host put into a user's message is the host's.
import type { MessagePart, MessageView } from "../providers/format.ts";
import type { FactInput } from "./fact-message.ts";
import {
  type Arguments,
  isArguments,
  isRefusal,
  objectsOf,
  parseStructure,
  stringsOf,
  toolWords,
} from "./tool-call.ts";

type Call = Extract<MessagePart, { readonly kind: "call" }>;
type Result = Extract<MessagePart, { readonly kind: "result" }>;

interface Question {
  readonly text: string;
  readonly options: readonly string[];
}

/** The same inputs, with questions as the assistant's text, answers and words beside a refusal as the user's, and blocks that a host put between as the host's. */
export function withUserWords(inputs: readonly FactInput[]): readonly FactInput[] {
  const texts = answeredTexts(inputs);
  return inputs.map((input) => {
    const view = apartFromHosts(withTexts(input.view, texts));
    return view === input.view ? input : { ...input, view };
  });
}

/** What stands for a call that asked the user, and for its result. */
function answeredTexts(inputs: readonly FactInput[]): ReadonlyMap<MessagePart, string> {
  const asked = new Map<string, { readonly part: Call; readonly questions: readonly Question[] }>();
  const texts = new Map<MessagePart, string>();
  for (const part of inputs.flatMap(({ view }) => view.parts)) {
    if (part.kind === "call") {
      const questions = questionsOf(part);
      if (questions === undefined) asked.delete(part.callId);
      else asked.set(part.callId, { part, questions });
    }
    const question = part.kind === "result" ? asked.get(part.callId) : undefined;
    if (question === undefined || part.kind !== "result") continue;
    asked.delete(part.callId);
    const said = answerOf(part, question.questions);
    // Behind it the host tells the assistant how to go on, and shows the plan again.
    const answer = showsPlan(question.part.name) ? said?.split(/(?<=[.!])\s|\n/u, 1)[0] : said;
    if (answer === undefined) continue;
    texts.set(question.part, question.questions.map(questionText).join("\n"));
    texts.set(part, answer);
  }
  return texts;
}

function withTexts(view: MessageView, texts: ReadonlyMap<MessagePart, string>): MessageView {
  const parts = view.parts.flatMap((part): readonly MessagePart[] => {
    const text = texts.get(part);
    if (text !== undefined) return [{ kind: "text", text }];
    return part.kind === "result" ? apartFromRefusal(part) : [part];
  });
  if (parts.every((part, at) => part === view.parts[at])) return view;
  const { isHostWritten: _, ...rest } = view;
  return { ...rest, role: view.role === "assistant" ? "assistant" : "user", parts };
}

/** How a host opens what a user said instead of letting a call go through. */
const SAID_INSTEAD = /\b(?:said|feedback)\b[^:\n]{0,60}:\s*(?=\S)/iu;

/** What the host says stays the call's result, or the call would seem to have gone through. */
function apartFromRefusal(part: Result): readonly MessagePart[] {
  const said = isRefusal(part.text) ? SAID_INSTEAD.exec(part.text.slice(0, 1_000)) : null;
  if (said === null) return [part];
  const end = said.index + said[0].length;
  const { pieces: _, ...rest } = part;
  return [
    { ...rest, text: part.text.slice(0, end).trim() },
    { kind: "text", text: withoutTags(part.text.slice(end)) },
  ];
}

function questionText({ text, options }: Question): string {
  return [text, ...options.map((option, at) => `${at + 1}. ${option}`)].join("\n");
}

// What is asked. A program that searches or another model may be given a question, too: whoever is offered a choice, or is
// asked by a tool whose name says nothing but that it asks a person, is the user.

const LONGEST = 100_000;
const MOST_QUESTIONS = 20;
const QUESTION_KEYS = ["question", "prompt", "message", "query", "text"];
const OPTION_KEYS = ["options", "choices", "follow_up", "suggestions", "suggested_answers", "suggest", "answers"];
const LABEL_KEYS = ["label", "name", "title", "text", "value", "answer"];
/** Stand beside a question and say nothing of whom it is for. */
const BESIDE = /^(?:header|title|type|kind|id|description|context|details|reason|default|placeholder|format)$/i;
const ASKS = new Set(
  "ask question questions clarify clarification elicit elicitation confirm confirmation input feedback approval followup human prompt".split(
    " ",
  ),
);
const BESIDE_ASKS = new Set("user follow up for the a to request tool assistance response".split(" "));
/** Without a person in the name a program may be meant: `get_questions`. */
const OF_A_PERSON = new Set("get message".split(" "));

function questionsOf({ name, arguments: json }: Call): readonly Question[] | undefined {
  const input = json.length > LONGEST ? undefined : parseStructure(json);
  if (!isArguments(input)) return undefined;
  if (showsPlan(name) && typeof input.plan === "string") return [{ text: input.plan, options: [] }];
  const listed = Object.values(input)
    .map(objectsOf)
    .find((list) => list.length > 0 && list.every(hasQuestion));
  const questions = (listed ?? [input]).slice(0, MOST_QUESTIONS).flatMap(questionOf);
  if (questions.length === 0) return undefined;
  const offers = questions.some(({ options }) => options.length > 1);
  return (offers && (listed ?? [input]).every(({ question }) => question !== undefined)) || asksPerson(name, input)
    ? questions
    : undefined;
}

/** Leaving the mode in which only plans are made is asked of the user: what comes back opens with what they said. */
function showsPlan(name: string): boolean {
  const words = toolWords(name);
  return words.includes("plan") && words.includes("mode");
}

function hasQuestion(entry: Arguments): boolean {
  return typeof entry.question === "string";
}

function questionOf(entry: Arguments): readonly Question[] {
  const text = QUESTION_KEYS.map((key) => entry[key]).find((value) => typeof value === "string" && value.trim() !== "");
  if (typeof text !== "string") return [];
  const given = OPTION_KEYS.map((key) => entry[key]).find(Array.isArray);
  const options = [
    ...stringsOf(given),
    ...objectsOf(given).flatMap(
      (option) => LABEL_KEYS.map((key) => option[key]).find((label) => typeof label === "string") ?? [],
    ),
  ];
  return [{ text: text.trim(), options: options.filter((option): option is string => typeof option === "string") }];
}

/** Every word of its name is about asking somebody, and no argument says whom else: `ask_question {repo, question}` does. */
function asksPerson(name: string, input: Arguments): boolean {
  const words = toolWords(name);
  const namesPerson = words.includes("user") || words.includes("human");
  const isKnown = (word: string) => ASKS.has(word) || BESIDE_ASKS.has(word) || (namesPerson && OF_A_PERSON.has(word));
  if (!words.every(isKnown) || !words.some((word) => ASKS.has(word))) return false;
  return Object.entries(input).every(
    ([key, value]) => typeof value !== "string" || QUESTION_KEYS.includes(key) || BESIDE.test(key),
  );
}

// What came back: plain words, `"question"="answer"` for each question, an element around the words, or an object in which
// the answers have their place.

const ANSWER_KEY = /answer|response|reply|content|selected|selection|choice$|^value$|^input$|^text$|^note/i;
const MOST_LEAVES = 100;

/** Undefined where nobody answered. */
function answerOf({ text, isError, images }: Result, questions: readonly Question[]): string | undefined {
  if (isError || images > 0 || text.trim() === "") return undefined;
  const structure = parseStructure(text);
  if (structure !== undefined) {
    const asked = new Set(questions.map((question) => question.text));
    const leaves = leavesOf(structure).filter((leaf) => !asked.has(leaf));
    return leaves.length === 0 ? undefined : leaves.join("\n");
  }
  const pairs = questions.flatMap((question) => pairedWith(question.text, text));
  if (pairs.length > 0) return pairs.join("\n");
  return withoutTags(text) || undefined;
}

function withoutTags(text: string): string {
  return text.replace(/<\/?[a-z_]{2,20}>/gu, "").trim();
}

/** `"question"="answer"`: up to the quotation mark behind which another pair begins, a sentence ends, or nothing follows. */
function pairedWith(question: string, text: string): readonly string[] {
  const at = text.indexOf(`"${question}"`);
  if (at < 0) return [];
  const rest = text.slice(at + question.length + 2);
  const [lead = "", answer] = /^[^"\n]{1,5}"((?:[^"]|"(?!\s*(?:[,.\n]|$))){0,4000})"/u.exec(rest) ?? [];
  if (answer === undefined) return [];
  const notes = /^\s*(?:user )?notes:\s*([^\n]{1,2000})/iu.exec(rest.slice(lead.length))?.[1];
  return notes === undefined ? [answer] : [answer, notes];
}

/** Of each object what stands under names of answers, where it has any; its flags and numbers with their names. */
function leavesOf(structure: unknown): readonly string[] {
  const found: string[] = [];
  const open: (readonly [key: string, value: unknown])[] = [["", structure]];
  while (open.length > 0 && found.length < MOST_LEAVES) {
    const [key, value] = open.shift() ?? ["", undefined];
    if (typeof value === "string") found.push(value.trim());
    else if (typeof value === "number" || typeof value === "boolean")
      found.push(key === "" ? String(value) : `${key}: ${value}`);
    else if (Array.isArray(value)) open.unshift(...value.map((entry) => [key, entry] as const));
    else if (isArguments(value)) {
      const entries = Object.entries(value);
      const answers = entries.filter(([name]) => ANSWER_KEY.test(name));
      open.unshift(...(answers.length > 0 ? answers : entries));
    }
  }
  return found.filter((leaf) => leaf !== "");
}

// Blocks that a host puts among a user's words: elements whose tags have two words (`<system-reminder>`,
// `<environment_context>`), unless the tag says that a user wrote or typed what it holds.

const OPENING_TAG = /<([a-z]{1,30}(?:[-_][a-z]{1,30}){1,4})>/giu;
const USERS_TAG =
  /user|args|query|request|feedback|instruction|rule|guideline|constraint|polic|prompt|^(?:command|local-command|bash)-/iu;
const HOSTS_TAG = /hook|reminder|notification|context/iu;

function apartFromHosts(view: MessageView): MessageView {
  if (view.role !== "user" || view.isHostWritten === true) return view;
  const parts = view.parts.flatMap((part): readonly MessagePart[] =>
    part.kind === "text" ? splitAtBlocks(part) : [part],
  );
  return parts.length === view.parts.length && parts.every((part, at) => part === view.parts[at])
    ? view
    : { ...view, parts };
}

type Text = Extract<MessagePart, { readonly kind: "text" }>;

function splitAtBlocks(part: Text): readonly Text[] {
  const { text } = part;
  const parts: Text[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (const { 0: opening, 1: tag = "", index } of text.matchAll(OPENING_TAG)) {
    const isUsers = USERS_TAG.test(tag) && !HOSTS_TAG.test(tag);
    if (index < from || isUsers || unclosed.has(tag)) continue;
    const closing = `</${tag}>`;
    const end = text.indexOf(closing, index + opening.length);
    if (end < 0) unclosed.add(tag);
    else {
      parts.push({ kind: "text", text: text.slice(from, index) });
      from = end + closing.length;
      parts.push({ kind: "text", text: text.slice(index, from), isHostWritten: true });
    }
  }
  if (parts.length === 0) return [part];
  return [...parts, { kind: "text" as const, text: text.slice(from) }].filter(({ text }) => text.trim() !== "");
}
