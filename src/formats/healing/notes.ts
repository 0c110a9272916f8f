// The texts that healing puts in: what could not stay in its own shape is kept as a labelled note, so that no
// content is lost and nobody takes it for a person's words.
import type { Repair } from "../format.ts";

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
