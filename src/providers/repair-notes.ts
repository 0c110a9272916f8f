// The texts that healing puts in: what could not stay in its own shape is kept as a labelled note, so that no
// content is lost and nobody takes it for a person's words.

import { isWellFormedValue } from "../text/well-formed.ts";
import type { Repair, Violation } from "./format.ts";
import type { PairedCall, Pairing } from "./units.ts";

export const MISSING_RESULT = "No result was recorded for this call.";

/** Every repair made so far, in the order they were found. */
export type Repairs = Repair[];

export function orphanNote(text: string): string {
  return `[Note: a tool result whose call is not in this conversation]\n${text}`;
}

export function duplicateNote(text: string): string {
  return `[Note: another, later result of a tool call that already had one]\n${text}`;
}

export function unreadableNote(json: string): string {
  return `[Note: a message the provider would refuse in its own form]\n${json}`;
}

/** A list without the messages that `heal` dropped, each with its index in the input. */
export interface Kept {
  readonly index: number;
  readonly message: unknown;
}

// Gives a call whose id clashes with that of an earlier call an id of its own. Providers differ in when equal
// ids clash, so each healer says it.

/** The new id of each call that clashes. `clashes` is asked with the last call before it that kept the same id. */
export function renameClashes(
  pairing: Pairing,
  clashes: (call: PairedCall, earlier: PairedCall) => boolean,
): ReadonlyMap<PairedCall, string> {
  const renamed = new Map<PairedCall, string>();
  const holders = new Map<string, PairedCall>();
  const numbers = new Map<string, number>();
  const taken = new Set(pairing.calls.map((call) => call.callId));
  for (const call of pairing.calls) {
    const earlier = holders.get(call.callId);
    if (earlier === undefined) {
      holders.set(call.callId, call);
    } else if (clashes(call, earlier)) {
      let number = numbers.get(call.callId) ?? 2;
      while (taken.has(`${call.callId}_${number}`)) number += 1;
      numbers.set(call.callId, number + 1);
      renamed.set(call, `${call.callId}_${number}`);
    } else {
      holders.set(call.callId, call);
    }
  }
  return renamed;
}

export const RENAMED = "gave the second call under this id an id of its own";

// Collects violations, and holds the rules that do not depend on a provider.

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
