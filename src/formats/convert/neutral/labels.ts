// The texts that a conversion puts in, each labelled so that nobody takes it for a person's words, and the marks
// that a message made from another takes over.
import { isObject, type JsonObject } from "../../json-shape.ts";
import { carryMarks, markHostWritten, markProtected } from "../../protected.ts";
import type { AttachedPart, NeutralMessage, SaidMessage } from "./neutral.ts";

export const SYSTEM_LABEL = "[Note: a system message of the host, not the user's words]";
export const ERROR_LABEL = "[Note: the tool reported an error]";
export const RESULT_ATTACHMENTS = "[Note: what came with the tool results of this step]";
export const MADE_ATTACHMENTS = "[Note: what the assistant made in this step]";
export const SEALED_HISTORY =
  "[Note: the earlier part of this conversation was compacted by its provider into a form that only it can read]";
export const READABLE_HISTORY = "[Note: what stood before, as the provider summarized it]";

export function serverStepLabel(type: string): string {
  return `[Note: ${type || "a part of unknown kind"}, made by the provider]`;
}

export function speakerLabel(name: string): string {
  return `[Note: from ${name}]`;
}

export function documentLabel(name: string | undefined): string {
  return `[Note: a document${name === undefined ? "" : `, ${name}`}]`;
}

/** Stands where an attachment stood, and keeps what is known of it. */
export function attachmentNote({ type, name, url, file }: AttachedPart): string {
  const noun = type === "image" ? "an image" : type === "audio" ? "a recording" : "a document";
  const address = url?.startsWith("http") === true ? url : undefined;
  const known = [name, address, file?.id].filter((word) => word !== undefined && word !== "");
  return `[Note: ${noun}${known.length === 0 ? "" : ` (${known.join(", ")})`} stood here]`;
}

const FRAME_START = /^<COMPACT-(?:SUMMARY v\d{1,9}|NOTICE)>/;
const FRAME_END = /<\/COMPACT-(?:SUMMARY v\d{1,9}|NOTICE)>$/;
const LONGEST_DELIMITER = 40;

/** A summary of ours is known again by the shape of its message: each writer gives it the one of its format. */
export function isSummary({ parts, name }: SaidMessage): boolean {
  const [only] = parts;
  if (parts.length !== 1 || only?.kind !== "text" || name !== undefined) return false;
  return FRAME_START.test(only.text) && FRAME_END.test(only.text.slice(-LONGEST_DELIMITER));
}

/** `message`, with the marks and the `meta` of what it was made from. */
export function carryOver(made: NeutralMessage, message: JsonObject): JsonObject {
  const sources = made.sources.filter(isObject);
  const meta = sources.find((source) => source.meta !== undefined)?.meta;
  const whole = meta === undefined ? message : { ...message, meta };
  for (const source of sources) carryMarks(source, whole);
  if (made.kind === "said" && made.isHostWritten === true) markHostWritten(whole);
  if (made.kind === "said" && made.mustStay === true) markProtected(whole);
  return whole;
}
