// A model that follows a script: what it is sent and writes is counted, so that the price of summaries can be told without
// running one, and is the same on every machine. It takes over what the record so far says and adds a line for each
// passage, newest first, up to what a model writes in one answer.
import { createTokenCounter } from "../../src/tokens.ts";
import { type Cost, NO_COST } from "./prices.ts";

/** Tokens of a long answer of a real model. */
const MOST_WRITTEN = 3_000;
const LINE_UNITS = 240;
const LABEL = /^\[(\d{1,6}\.\d{1,7})\] (\w+)/;

interface ModelPrompt {
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
}

export interface ScriptedModel {
  readonly model: (request: ModelPrompt) => Promise<string>;
  readonly cost: () => Cost;
}

export function createScriptedModel(): ScriptedModel {
  const { count } = createTokenCounter({ encoding: "o200k_base" });
  let cost = NO_COST;
  const model = async ({ system, prompt, maxTokens }: ModelPrompt): Promise<string> => {
    const text = writeRecord(prompt, Math.min(MOST_WRITTEN, maxTokens * 0.8), count);
    cost = {
      ...cost,
      calls: cost.calls + 1,
      input: cost.input + count(system) + count(prompt),
      output: cost.output + count(text),
    };
    return text;
  };
  return { model, cost: () => cost };
}

function writeRecord(prompt: string, room: number, count: (text: string) => number): string {
  const { users, others } = statementsIn(prompt);
  const kept: { text: string; isUsers: boolean }[] = [];
  let left = room;
  const candidates = [
    ...users.map((text) => ({ text, isUsers: true })),
    ...others.map((text) => ({ text, isUsers: false })),
  ];
  for (const line of candidates.reverse()) {
    left -= count(line.text) + 1;
    if (left < 0) break;
    kept.unshift(line);
  }
  const section = (title: string, isUsers: boolean) => [
    title,
    ...kept.filter((line) => line.isUsers === isUsers).map(({ text }) => text),
  ];
  return [...section("## Goals and requests", true), ...section("## Progress", false)].join("\n");
}

interface Statements {
  readonly users: readonly string[];
  readonly others: readonly string[];
}

/** One line a passage: its beginning and its id. Lines of the record so far are taken as they are. */
function statementsIn(prompt: string): Statements {
  const users: string[] = [];
  const others: string[] = [];
  let speaking: { readonly id: string; readonly who: string } | undefined;
  for (const line of prompt.split("\n")) {
    const label = LABEL.exec(line);
    if (label !== null) speaking = { id: label[1] ?? "", who: label[2] ?? "" };
    else if (line.startsWith("| - ") && speaking === undefined) others.push(line.slice(2));
    else if (line.startsWith("| ") && speaking !== undefined && line.trim().length > 2) {
      (speaking.who === "user" ? users : others).push(`- ${line.slice(2, LINE_UNITS).trim()} [${speaking.id}]`);
      speaking = undefined;
    } else if (line.startsWith("<transcript-")) speaking = undefined;
  }
  return { users, others };
}
