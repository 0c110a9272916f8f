// Where a summary stands: a user's message behind the pinned layer, in every format. The messages that make room for it
// where roles have to alternate, and how both are known again.
import { isObject, type JsonObject } from "../text/json-values.ts";
import { isTextPart } from "./content-parts.ts";
import type { Layers, Placed } from "./format.ts";
import { markHostWritten } from "./message-marks.ts";

type Side = "user" | "assistant";

export const OPENER = "The record of the earlier conversation follows.";
const AFTER_SUMMARY = "I have read the record and go on from it.";
export const GAP_TEXTS: Readonly<Record<Side, string>> = {
  user: "The message that stood here was left out.",
  assistant: "The answer that stood here was left out.",
};

const KNOWN: Readonly<Record<Side, readonly string[]>> = {
  user: [OPENER, GAP_TEXTS.user],
  assistant: [AFTER_SUMMARY, GAP_TEXTS.assistant],
};

interface Alternation {
  /** A message of this format that says one text. */
  readonly say: (role: Side, text: string) => JsonObject;
  /** Whether an assistant's message may be the first behind the system's. */
  readonly mayOpen: (message: unknown) => boolean;
}

/**
 * The layers in order, with a filler where two neighbours are of one side because something left between them: at a
 * layer's border, or at a gap. Neighbours of one side that the caller sent so stay so.
 */
export function placeAlternating(
  { pinned, pinnedGaps, summary, recent, gaps }: Layers,
  { say, mayOpen }: Alternation,
): Placed {
  const made = summary === undefined ? [] : [say("user", summary)];
  const messages: unknown[] = [];
  const fill = (role: Side, text: string) => messages.push(markHostWritten(say(role, text)));
  const close = (message: unknown) => {
    const side = sideOf(message);
    const before = messages.at(-1);
    if (sideOf(before) === undefined) {
      if (side === "assistant" && !mayOpen(message)) fill("user", OPENER);
    } else if (side === sideOf(before)) {
      if (side === "assistant") fill("user", GAP_TEXTS.user);
      else fill("assistant", before === made[0] ? AFTER_SUMMARY : GAP_TEXTS.assistant);
    }
  };
  for (const [layer, breaks] of [[pinned, pinnedGaps] as const, [made] as const, [recent, gaps] as const]) {
    for (const [position, message] of layer.entries()) {
      if (position === 0 || breaks?.has(position)) close(message);
      messages.push(message);
    }
  }
  return { messages, summaryIndex: made.length === 0 ? -1 : messages.indexOf(made[0]) };
}

/** Results come from the user's side. Undefined for the system's messages, which take no turn. */
function sideOf(message: unknown): Side | undefined {
  const role = isObject(message) ? message.role : undefined;
  if (role === "assistant") return role;
  return role === "user" || role === "tool" || role === "function" ? "user" : undefined;
}

/** True for exactly the messages that are put in here, read back from a file or not. */
export function isFiller(message: unknown): boolean {
  const text = onlyText(message);
  return text !== undefined && KNOWN[(message as { readonly role: Side }).role].includes(text);
}

const FRAME_START = /^<COMPACT-(?:SUMMARY v\d{1,9}|NOTICE)>/;
const FRAME_END = /<\/COMPACT-(?:SUMMARY v\d{1,9}|NOTICE)>$/;
const LONGEST_DELIMITER = 40;

/** True for a whole text in the frame of a summary, whoever wrote it: no reason to trust it, but nobody's own words. */
export function isFramed(text: string): boolean {
  return FRAME_START.test(text) && FRAME_END.test(text.slice(-LONGEST_DELIMITER).trimEnd());
}

/** The text of a message of either role that holds one text and nothing else, as this package makes them, or as a host writes it. */
export function onlyText(message: unknown): string | undefined {
  if (!isObject(message) || (message.role !== "user" && message.role !== "assistant")) return undefined;
  const { content } = message;
  if (Object.keys(message).length !== (message.type === "message" ? 3 : 2)) return undefined;
  if (typeof content === "string") return content;
  const [only, ...others] = Array.isArray(content) ? content : [];
  return others.length === 0 && isTextPart(only) && Object.keys(only).length === 2 ? only.text : undefined;
}
