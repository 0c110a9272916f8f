// What of a session stands in the list that a way of keeping it small leaves: users' words and recurring identifiers,
// by the plain reading that the bench of facts uses.
import { readJsonValues } from "../../src/text/json.ts";
import { readRaw, readText } from "../../test/corpus/corpus.ts";
import { type Held, heldIn, USER_UNITS } from "../facts/held.ts";
import { countMentions, textOf } from "../facts/oracle.ts";

const MENTIONS = 2;

export interface Retention {
  readonly users: Held;
  readonly identifiers: Held;
}

export function retentionOf(files: readonly string[], all: readonly unknown[], left: readonly unknown[]): Retention {
  const text = textOf(left);
  const often = [...countMentions(all)].flatMap(([name, mentions]) => (mentions >= MENTIONS ? [name] : []));
  const words = files.flatMap(wordsOfUsers).map((one) => one.slice(0, USER_UNITS));
  return { users: heldIn(text, words), identifiers: heldIn(text, often) };
}

/** What a person wrote in a session file, message by message. */
export function wordsOfUsers(file: string): readonly string[] {
  return isPiSession(file) ? wordsInPiSession(readText(file)) : readRaw(file).users;
}

export function isPiSession(file: string): boolean {
  return /\/pi-[^/]*\.jsonl\.gz$/.test(file);
}

/* biome-ignore lint/suspicious/noExplicitAny: the oracle reads foreign JSON as it comes. */
type Foreign = any;

function wordsInPiSession(text: string): readonly string[] {
  return readJsonValues(text).values.flatMap(({ value }) => {
    const message = (value as Foreign).message;
    if (message?.role !== "user") return [];
    const { content } = message;
    const words = typeof content === "string" ? content : content.map((part: Foreign) => part.text ?? "").join("\n");
    return words.trim() === "" ? [] : [words];
  });
}
