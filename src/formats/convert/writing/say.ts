// What all writers put into texts: who speaks, where only the text can say it, and that a tool failed.

import type { JsonObject } from "../../json-shape.ts";
import { markHostWritten } from "../../protected.ts";
import { ERROR_LABEL, speakerLabel } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import type { ContentPart, ResultMessage, SaidMessage, TextPart } from "../neutral/neutral.ts";

/** The message with its speaker in a text of its own. An assistant would take up the habit: there it is left out. */
export function saySpeaker(message: SaidMessage, losses: Losses): SaidMessage {
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
export function sayError(result: ResultMessage, losses: Losses): ResultMessage {
  const [first, ...others] = result.parts;
  if (!result.isError || (first?.kind === "text" && SAYS_SO.test(first.text.slice(0, READ_AT_START)))) return result;
  losses.add("errors");
  if (first?.kind === "text" && result.isPlain) {
    return { ...result, parts: [{ ...first, text: `${ERROR_LABEL}\n${first.text}` }, ...others] };
  }
  return { ...result, parts: [{ kind: "text", text: ERROR_LABEL }, ...result.parts] };
}

/** The one text of a message that is written as a string, else undefined. */
export function plainText({ parts, isPlain }: SaidMessage | ResultMessage): string | undefined {
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
