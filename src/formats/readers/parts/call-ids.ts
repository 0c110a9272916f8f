// Ids of calls that Anthropic takes, each given once: hosts leave them out, repeat them, or use other characters.
// For hosts that write a call and its result in one place, so that nobody has to find the pair by its id.
import { asText } from "../../json-shape.ts";

export class CallIds {
  readonly #given = new Set<string>();
  /** By wanted id: the last number that was put behind it. */
  readonly #numbers = new Map<string, number>();

  /** The id itself where it is free. */
  take(id: unknown): string {
    const wanted = plainCallId(id) || "call";
    let number = this.#numbers.get(wanted) ?? 1;
    let given = wanted;
    while (this.#given.has(given)) {
      number += 1;
      given = `${wanted}_${number}`;
    }
    this.#numbers.set(wanted, number);
    this.#given.add(given);
    return given;
  }
}

/** Without the characters that Anthropic refuses; "" for what is no id. */
export function plainCallId(id: unknown): string {
  return asText(id).replace(/[^\w-]/g, "_");
}
