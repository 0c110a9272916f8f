// Goes through arranged messages step by step: a message with the results of its calls. Formats that take no
// attachment in some place put it into a user message beside the step, which is made here.
import type { JsonObject } from "../../text/json-values.ts";
import type { AttachedPart } from "../attachments.ts";
import { markHostWritten } from "../message-marks.ts";
import {
  attachmentNote,
  type ContentPart,
  callsOf,
  ERROR_LABEL,
  type Losses,
  MADE_ATTACHMENTS,
  type NeutralMessage,
  RESULT_ATTACHMENTS,
  type ResultMessage,
  speakerLabel,
  type TextPart,
  type Utterance,
} from "./neutral-conversation.ts";

interface Step {
  /** Undefined for results that follow nothing. */
  readonly message: Utterance | undefined;
  readonly results: readonly ResultMessage[];
}

function gatherSteps(messages: readonly NeutralMessage[]): readonly Step[] {
  const steps: { message: Utterance | undefined; results: ResultMessage[] }[] = [];
  for (const message of messages) {
    const step = steps.at(-1);
    if (message.kind === "said") steps.push({ message, results: [] });
    else if (step === undefined) steps.push({ message: undefined, results: [message] });
    else step.results.push(message);
  }
  return steps;
}

/** A user message with what the assistant's message and its results cannot hold; undefined when they hold all. */
function besideStep({ message, results }: Step, inResults: boolean, losses: Losses): Utterance | undefined {
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

interface StepWriter {
  /** Results hold text alone. */
  readonly hasTextResults: boolean;
  writeUtterance(message: Utterance, losses: Losses): readonly JsonObject[];
  writeResults(results: readonly ResultMessage[], losses: Losses): readonly JsonObject[];
}

/** Each message with its results; what they cannot hold after them, or before while results are still to come. */
export function writeSteps(
  messages: readonly NeutralMessage[],
  { hasTextResults, writeUtterance, writeResults }: StepWriter,
  losses: Losses,
): readonly JsonObject[] {
  return gatherSteps(messages).flatMap((step) => {
    const beside = besideStep(step, hasTextResults, losses);
    const said = step.message === undefined ? [] : writeUtterance(step.message, losses);
    const written = [...said, ...writeResults(step.results, losses)];
    const more = beside === undefined ? [] : writeUtterance(beside, losses);
    return isOpenStep(step) ? [...more, ...written] : [...written, ...more];
  });
}

/** What stands for an attachment that the target cannot take. */
export function leaveOut(part: AttachedPart, losses: Losses): string {
  losses.add("attachments");
  return attachmentNote(part);
}

// What all writers put into texts: who speaks, where only the text can say it, and that a tool failed.

/** The message with its speaker in a text of its own. An assistant would take up the habit: there it is left out. */
export function labelSpeaker(message: Utterance, losses: Losses): Utterance {
  const { name, ...rest } = message;
  if (name === undefined) return message;
  if (message.role === "assistant") {
    losses.add("speakers");
    return rest;
  }
  losses.add("speakers_said");
  const label: TextPart = { kind: "text", text: speakerLabel(name), isHostWritten: true };
  return { ...rest, isPlain: false, parts: [label, ...message.parts] };
}

const SAYS_SO = /error|fail|exception|denied|refused|not found|no such|exit code [1-9]/i;
const READ_AT_START = 200;

/** The result, saying of itself that the tool failed where its first words do not. */
export function labelError(result: ResultMessage, losses: Losses): ResultMessage {
  const [first, ...others] = result.parts;
  if (!result.isError || (first?.kind === "text" && SAYS_SO.test(first.text.slice(0, READ_AT_START)))) return result;
  losses.add("errors");
  if (first?.kind === "text" && result.isPlain) {
    return { ...result, parts: [{ ...first, text: `${ERROR_LABEL}\n${first.text}` }, ...others] };
  }
  return { ...result, parts: [{ kind: "text", text: ERROR_LABEL }, ...result.parts] };
}

/** The one text of a message that is written as a string, else undefined. */
export function plainText({ parts, isPlain }: Utterance | ResultMessage): string | undefined {
  const said = parts.filter((part) => part.kind !== "call");
  const [only] = said;
  if (!isPlain || said.length > 1) return undefined;
  if (only === undefined) return parts.length === 0 ? "" : undefined;
  return only.kind === "text" ? only.text : undefined;
}

/** A text part of the target, marked where no person said it. */
export function textPart(type: string, { text, ...part }: ContentPart & { readonly text: string }): JsonObject {
  const written = { type, text };
  return part.kind === "text" && part.isHostWritten === true ? markHostWritten(written) : written;
}
