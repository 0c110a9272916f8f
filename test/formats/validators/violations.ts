// What the validators of all providers share.
import { isWellFormedValue } from "../../../src/text/well-formed.ts";

export interface ValidateOptions {
  /** Accept a list that ends in calls still waiting for results: not sendable yet, but what a caller may hold. */
  readonly allowOpenTail?: boolean;
}

/** A fault for which the provider would refuse the list. `index` is the native message's. */
export interface Violation {
  readonly index: number;
  readonly rule: string;
  readonly message: string;
}

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
