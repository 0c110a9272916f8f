// Collects violations, and holds the rules that do not depend on a provider.
import { isWellFormedValue } from "../../text/well-formed.ts";
import type { Violation } from "../format.ts";

/** A list of violations that is written as it is found. */
export class Violations {
  readonly list: Violation[] = [];

  add(index: number, rule: string, message: string): void {
    this.list.push({ index, rule, message });
  }
}

/** An empty list is refused everywhere, and so is text that is not well-formed. */
export function checkEveryMessage(messages: readonly unknown[], found: Violations): void {
  if (messages.length === 0) found.add(0, "empty-list", "the list holds no message");
  for (const [index, message] of messages.entries()) {
    if (!isWellFormedValue(message)) found.add(index, "invalid-text", "a string holds half a surrogate pair");
  }
}
