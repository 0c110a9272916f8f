// Goes through arranged messages step by step: a message with the results of its calls. Formats that take no
// attachment in some place put it into a user message beside the step, which is made here.
import { attachmentNote, MADE_ATTACHMENTS, RESULT_ATTACHMENTS } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import {
  type AttachedPart,
  callsOf,
  type NeutralMessage,
  type ResultMessage,
  type SaidMessage,
  type TextPart,
} from "../neutral/neutral.ts";

export interface Step {
  /** Undefined for results that follow nothing. */
  readonly message: SaidMessage | undefined;
  readonly results: readonly ResultMessage[];
}

export function gatherSteps(messages: readonly NeutralMessage[]): readonly Step[] {
  const steps: { message: SaidMessage | undefined; results: ResultMessage[] }[] = [];
  for (const message of messages) {
    const step = steps.at(-1);
    if (message.kind === "said") steps.push({ message, results: [] });
    else if (step === undefined) steps.push({ message: undefined, results: [message] });
    else step.results.push(message);
  }
  return steps;
}

/** A user message with what the assistant's message and its results cannot hold; undefined when they hold all. */
export function besideStep({ message, results }: Step, inResults: boolean, losses: Losses): SaidMessage | undefined {
  const made = message?.role === "assistant" ? message.parts.filter(isAttached) : [];
  const given = inResults ? results.flatMap(({ parts }) => parts.filter(isAttached)) : [];
  if (made.length + given.length === 0) return undefined;
  for (const _ of [...made, ...given]) losses.add("moved");
  const parts = [...labelled(MADE_ATTACHMENTS, made), ...labelled(RESULT_ATTACHMENTS, given)];
  return { kind: "said", role: "user", parts, isPlain: false, isHostWritten: true, sources: [] };
}

function labelled(label: string, parts: readonly AttachedPart[]): readonly (TextPart | AttachedPart)[] {
  return parts.length === 0 ? [] : [{ kind: "text", text: label, isHostWritten: true }, ...parts];
}

function isAttached(part: { readonly kind: string }): part is AttachedPart {
  return part.kind === "attached";
}

/** Calls that still wait for results: what comes after their step would part them from it. */
function isOpenStep({ message, results }: Step): boolean {
  return message !== undefined && callsOf(message).length > results.length;
}

/** `beside` after the step, or before it while results are still to come. */
export function placeBeside<T>(step: Step, written: readonly T[], beside: readonly T[]): readonly T[] {
  return isOpenStep(step) ? [...beside, ...written] : [...written, ...beside];
}

/** What stands for an attachment that the target cannot take. */
export function leaveOut(part: AttachedPart, losses: Losses): string {
  losses.add("attachments");
  return attachmentNote(part);
}
