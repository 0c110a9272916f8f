// Reads the interface messages of Vercel's `ai` package, as an application saves them, into Anthropic messages. One
// interface message holds several steps of the model, with the results of their calls in it.
import type { JsonObject } from "../../json-shape.ts";
import { asText, isObject } from "../../json-shape.ts";
import { textBlocks } from "../parts/anthropic-blocks.ts";
import { SessionDraft } from "../parts/session-draft.ts";
import { readSessionValues } from "../parts/session-values.ts";
import { noteFaults, noteLeftOut, noteUnsigned } from "../read-notes.ts";
import type { SessionRead, SessionReader } from "../reader.ts";
import { findUiMessages } from "./find-ui-messages.ts";
import { fileBlocks, partsOf, reasoningBlocks } from "./ui-parts.ts";
import { isToolPart, readToolPart, toolBlocks } from "./ui-tool-part.ts";

export const uiMessagesReader: SessionReader = {
  name: "ui-messages",
  title: "list of interface messages (UIMessage)",
  matches: (values) => findUiMessages(values) !== undefined,
  read: readUiMessages,
};

/** Reads the text of a saved chat. Never throws: a file without a message gives an empty list. */
export function readUiMessages(text: string): SessionRead {
  const { values, faults } = readSessionValues(text);
  const found = findUiMessages(values.map(({ value }) => value));
  const reading: Reading = { draft: new SessionDraft(), system: [], leftOut: 0 };
  for (const [at, message] of (found?.messages ?? []).entries()) {
    if (isObject(message)) readMessage(reading, message, found?.isInside === true ? 0 : (values[at]?.line ?? 0));
  }
  const notes = [
    ...noteFaults(faults),
    ...noteUnsigned(reading.draft.unsigned),
    ...noteLeftOut(reading.leftOut, "part", "for the interface only (data, sources)"),
  ];
  const system = reading.system.join("\n\n");
  return { ...reading.draft.finish(found?.id, notes), ...(system === "" ? {} : { system }) };
}

interface Reading {
  readonly draft: SessionDraft;
  readonly system: string[];
  /** Parts that are for the eyes of a person. */
  leftOut: number;
}

function readMessage(reading: Reading, message: JsonObject, line: number): void {
  const parts = partsOf(message);
  if (message.role === "assistant") readAnswer(reading, parts, line);
  else if (message.role === "user") reading.draft.addUser(shownBlocks(reading, parts), line);
  else if (message.role === "system") {
    const text = parts.map((part) => (part.type === "text" ? asText(part.text) : "")).join("");
    if (text.trim() !== "") reading.system.push(text);
  }
}

/** Texts and files. */
function shownBlocks(reading: Reading, parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return textBlocks(part.text);
    if (part.type === "file") return fileBlocks(part);
    if (isOnlyShown(part)) reading.leftOut += 1;
    return [];
  });
}

function isOnlyShown({ type }: JsonObject): boolean {
  return type === "source" || /^(?:data|source)-/.test(asText(type));
}

interface Step {
  readonly blocks: JsonObject[];
  readonly results: JsonObject[];
}

/** What is said after a result was made with it in sight, also where no mark parts the steps. */
function readAnswer(reading: Reading, parts: readonly JsonObject[], line: number): void {
  let step: Step = { blocks: [], results: [] };
  for (const part of parts) {
    const blocks = answerBlocks(reading, part);
    const tool = isToolPart(part) ? readToolPart(part) : undefined;
    if (part.type === "step-start" || (blocks.length > 0 && step.results.length > 0)) {
      addStep(reading, step, line);
      step = { blocks: [], results: [] };
    }
    step.blocks.push(...blocks);
    if (tool === undefined) continue;
    const { call, result } = toolBlocks(tool, reading.draft.callIds.take(tool.toolCallId));
    step.blocks.push(call);
    if (result !== undefined) step.results.push(result);
  }
  addStep(reading, step, line);
}

function answerBlocks(reading: Reading, part: JsonObject): readonly JsonObject[] {
  if (part.type !== "reasoning") return answeredBlocks(reading, part);
  const { blocks, unsigned } = reasoningBlocks(part);
  reading.draft.unsigned += unsigned;
  return blocks;
}

/** An answer of Anthropic's has no place for a picture: it is told of in words. */
function answeredBlocks(reading: Reading, part: JsonObject): readonly JsonObject[] {
  if (part.type !== "file") return shownBlocks(reading, [part]);
  return textBlocks(`[A file the model made: ${asText(part.filename) || asText(part.mediaType) || "unnamed"}]`);
}

function addStep({ draft }: Reading, { blocks, results }: Step, line: number): void {
  draft.addAnswer(blocks, line);
  for (const result of results) draft.addUser([result], line);
}
