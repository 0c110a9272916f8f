// What was looked at just before a decision and what was written right after it, in a few words each.
import { cutAt } from "../../text/cut.ts";
import type { FactCall, FactMessage } from "../fact-message.ts";
import { fileOperations } from "../kinds/file-operations.ts";

/** How many messages before and after are looked at, and how many things are named. */
const REACH = 12;
const MOST_NAMED = 3;
const LONGEST_NAME = 80;

export class Surroundings {
  readonly #messages: readonly FactMessage[];
  readonly #looked = new Map<number, readonly string[]>();
  readonly #written = new Map<number, readonly string[]>();

  constructor(messages: readonly FactMessage[]) {
    this.#messages = messages;
  }

  /** Files and commands of the messages before `at`, oldest first. */
  before(at: number): readonly string[] {
    const names: string[] = [];
    for (let index = at - 1; index >= Math.max(0, at - REACH); index -= 1) {
      for (const name of [...this.#lookedAt(index)].reverse()) if (!names.includes(name)) names.push(name);
      if (names.length >= MOST_NAMED) break;
    }
    return names.slice(0, MOST_NAMED).reverse();
  }

  /** Files written from message `at` on, until a person speaks. */
  after(at: number): readonly string[] {
    const names: string[] = [];
    for (let index = at; index < Math.min(this.#messages.length, at + REACH); index += 1) {
      if (index > at && this.#isTurn(index)) break;
      for (const name of this.#writtenIn(index)) if (!names.includes(name)) names.push(name);
      if (names.length >= MOST_NAMED) break;
    }
    return names.slice(0, MOST_NAMED);
  }

  /** Does the assistant act in message `at` or after it, before a person speaks? */
  isFollowedByDoing(at: number): boolean {
    for (let index = at; index < Math.min(this.#messages.length, at + REACH); index += 1) {
      if (index > at && this.#isTurn(index)) return false;
      if ((this.#messages[index]?.calls.length ?? 0) > 0) return true;
    }
    return false;
  }

  #isTurn(index: number): boolean {
    return this.#messages[index]?.spoken.some(({ author }) => author === "user") === true;
  }

  #lookedAt(index: number): readonly string[] {
    const known = this.#looked.get(index) ?? (this.#messages[index]?.calls ?? []).flatMap(namesOf);
    this.#looked.set(index, known);
    return known;
  }

  #writtenIn(index: number): readonly string[] {
    const known = this.#written.get(index) ?? (this.#messages[index]?.calls ?? []).flatMap(writtenBy);
    this.#written.set(index, known);
    return known;
  }
}

function namesOf(call: FactCall): readonly string[] {
  const paths = fileOperations(call).map(({ path }) => path);
  if (paths.length > 0) return paths.slice(0, MOST_NAMED).map(shortName);
  const { input } = call;
  const command = input?.command ?? input?.cmd ?? input?.pattern ?? input?.query;
  const words = Array.isArray(command) ? command.filter((word) => typeof word === "string").join(" ") : command;
  if (typeof words !== "string" || words.trim() === "") return [];
  return [shortName(words.trim().split("\n", 1)[0] ?? "")];
}

function writtenBy(call: FactCall): readonly string[] {
  const written = fileOperations(call).filter(({ operation }) => operation !== "read");
  return written.map(({ path }) => shortName(path));
}

function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${cutAt(name, LONGEST_NAME - 1)}…`;
}
