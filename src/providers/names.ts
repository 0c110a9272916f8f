// Names of tools and ids of calls that a provider takes: for conversion, repair and session files alike.
import { asText, isFilledText } from "../text/json-values.ts";

/** What a provider asks of the id of a call, or the name of a tool. */
export interface NameRule {
  readonly longest: number;
  /** Letters, digits, `_` and `-` are legal everywhere. */
  readonly hasOtherCharacters: boolean;
}

const OTHER_CHARACTERS = /[^a-zA-Z0-9_-]/g;

export function legalName(name: string, { longest, hasOtherCharacters }: NameRule): string {
  if (name.length <= longest && hasOtherCharacters) return name;
  return name.replace(OTHER_CHARACTERS, "_").slice(0, longest);
}

/** A tool's name with that of its server, as most providers have it; `functions` is where tools of no server stand. */
export function qualifiedName(namespace: unknown, name: unknown): string {
  const isServers = isFilledText(namespace) && namespace !== "functions";
  return isServers && isFilledText(name) ? `${namespace}__${name}` : asText(name);
}

/** Gives each name once: one that is taken gets a number behind it. */
export class FreeNames {
  readonly taken: Set<string>;
  /** How far each name was counted, so that thousands of one beginning take no longer each. */
  readonly #numbers = new Map<string, number>();

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  take(name: string, longest = Number.POSITIVE_INFINITY): string {
    let number = this.#numbers.get(name) ?? 2;
    let free = name;
    while (this.taken.has(free)) {
      const ending = `_${number}`;
      free = `${name.slice(0, longest - ending.length)}${ending}`;
      number += 1;
    }
    this.#numbers.set(name, number);
    this.taken.add(free);
    return free;
  }
}
