// A session of a given number of turns with the forty facts in it: same seed, same session. A turn is a request,
// some steps with tools, and an answer.
import { createRandom, type Random } from "../../../scripts/example-sessions/random.ts";
import { CHINESE, CHINESE_FILLER } from "./chinese.ts";
import { ENGLISH, ENGLISH_FILLER } from "./english.ts";
import { fillTemplate, type PlantedFact } from "./fact-values.ts";
import { type Phrases, pathFrom, sayFrom, toolOutput } from "./filler.ts";
import { FOURTH } from "./fourth.ts";
import { GERMAN, GERMAN_FILLER } from "./german.ts";
import type { Template } from "./planted-fact.ts";
import { SECOND_ENGLISH } from "./second-english.ts";
import { SECOND_LANGUAGES } from "./second-languages.ts";
import { SPANISH, SPANISH_FILLER } from "./spanish.ts";
import { THIRD } from "./third.ts";

export const LANGUAGES = { English: ENGLISH, German: GERMAN, Spanish: SPANISH, Chinese: CHINESE } as const;
export type Language = keyof typeof LANGUAGES;
/** Sets that the extractors were not written with; what fills the session is mixed unless it says English. */
export const LATER_SETS = {
  "second, English": SECOND_ENGLISH,
  "second, five languages": SECOND_LANGUAGES,
  "third, mixed": THIRD,
  "fourth, mixed": FOURTH,
} as const;
export type FactSet = Language | "mixed" | keyof typeof LATER_SETS;
const NAMES = Object.keys(LANGUAGES) as Language[];
const FILLER: Readonly<Record<Language, Phrases>> = {
  English: ENGLISH_FILLER,
  German: GERMAN_FILLER,
  Spanish: SPANISH_FILLER,
  Chinese: CHINESE_FILLER,
};
/** Tools print more in a short session, so that there is something to leave out: lines are multiplied by this. */
const verbosityOf = (turnCount: number) => (turnCount <= 100 ? 4 : turnCount <= 400 ? 2 : 1);
/** Facts stand in the first part, so that the last round finds most of them in an older summary. */
const PLANTED_SHARE = 0.6;
const LATER_SHARE = 0.85;
const ROUNDS = 5;

export interface PlantedSession {
  readonly facts: readonly PlantedFact[];
  /** Messages by turn, in the shape of OpenAI chat. */
  readonly turns: readonly (readonly object[])[];
}

interface Saying {
  readonly by: Template["by"];
  readonly text: string;
}

export function plantSession(turnCount: number, set: FactSet, seed: number): PlantedSession {
  const random = createRandom(seed);
  const facts = templatesOf(set).map((template) => fillTemplate(template, random));
  const sayings = place(facts, turnCount, random);
  const turns = Array.from({ length: turnCount }, (_, at) =>
    writeTurn(at, sayings.get(at) ?? [], {
      phrases: FILLER[fillerLanguage(set, random.whole(0, 99))],
      random,
      verbosity: verbosityOf(turnCount),
    }),
  );
  return { facts, turns };
}

/** The session in as many rounds, each with the messages that come in it. */
export function roundsOf({ turns }: PlantedSession): readonly (readonly object[])[] {
  return Array.from({ length: ROUNDS }, (_, round) => {
    const from = Math.floor((turns.length * round) / ROUNDS);
    return turns.slice(from, Math.floor((turns.length * (round + 1)) / ROUNDS)).flat();
  });
}

function templatesOf(set: FactSet): readonly Template[] {
  if (set in LATER_SETS) return LATER_SETS[set as keyof typeof LATER_SETS];
  if (set !== "mixed") return LANGUAGES[set as Language];
  return LANGUAGES.English.map((_, at) => {
    const template = LANGUAGES[NAMES[at % NAMES.length] ?? "English"][at];
    if (template === undefined) throw new Error(`No fact ${at}`);
    return template;
  });
}

function fillerLanguage(set: FactSet, at: number): Language {
  if (set in LANGUAGES) return set as Language;
  return set.includes("English") ? "English" : (NAMES[at % NAMES.length] ?? "English");
}

/** Which turn says what: facts evenly over the first part, what replaces them behind it. */
function place(
  facts: readonly PlantedFact[],
  turnCount: number,
  random: Random,
): ReadonlyMap<number, readonly Saying[]> {
  const sayings = new Map<number, Saying[]>();
  const say = (turn: number, saying: Saying) => sayings.set(turn, [...(sayings.get(turn) ?? []), saying]);
  const shuffled = facts.map((fact) => ({ fact, order: random.whole(0, 1_000_000) })).sort((a, b) => a.order - b.order);
  shuffled.forEach(({ fact }, order) => {
    const turn = Math.floor((order / facts.length) * turnCount * PLANTED_SHARE);
    say(turn, { by: fact.by, text: fact.say });
    if (fact.later === undefined) return;
    const replacing = random.whole(Math.floor(turnCount * PLANTED_SHARE) + 1, Math.floor(turnCount * LATER_SHARE));
    say(Math.max(turn + 1, replacing), { by: fact.later.by, text: fact.later.say });
  });
  return sayings;
}

interface Manner {
  readonly phrases: Phrases;
  readonly random: Random;
  readonly verbosity: number;
}

function writeTurn(turn: number, sayings: readonly Saying[], manner: Manner): readonly object[] {
  const { phrases, random } = manner;
  const said = (by: Saying["by"]) => sayings.filter((saying) => saying.by === by).map(({ text }) => text);
  const messages: object[] = [
    { role: "user", content: join([sayFrom(phrases.asks, phrases.nouns, random), ...said("user")]) },
  ];
  const steps = random.whole(1, 3);
  for (let step = 0; step < steps; step += 1) messages.push(...writeStep(`call_${turn}_${step}`, manner));
  for (const [at, text] of said("tool").entries()) {
    const id = `call_${turn}_t${at}`;
    messages.push(call(id, null, "read_file", { path: "config/tenant.yaml" }));
    messages.push({ role: "tool", tool_call_id: id, content: text });
  }
  const answer = join([sayFrom(phrases.answers, phrases.nouns, random), ...said("assistant")]);
  return [...messages, { role: "assistant", content: answer }];
}

/** What is pasted stands on lines of its own. */
function join(texts: readonly string[]): string {
  return texts.reduce((all, text) => `${all}${`${all}${text}`.includes("\n") ? "\n" : " "}${text}`);
}

function writeStep(id: string, { phrases, random, verbosity }: Manner): readonly object[] {
  const path = pathFrom(random);
  const thought = sayFrom(phrases.thoughts, phrases.nouns, random);
  const isEdit = random.whole(0, 5) === 0;
  const input = isEdit ? { path, old_string: "return rows;", new_string: "return rows.filter(isOpen);" } : { path };
  const output = isEdit ? `Edited ${path}` : toolOutput(random, verbosity);
  const result = { role: "tool", tool_call_id: id, content: output };
  return [call(id, thought, isEdit ? "edit_file" : "read_file", input), result];
}

function call(id: string, content: string | null, name: string, input: object): object {
  const tool = { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
  return { role: "assistant", content, tool_calls: [tool] };
}
