// Writes a neutral conversation as Anthropic messages: what the host said first is `system`, the results of a step
// are one user message, arguments are objects, and no text is blank.
import { anthropicFiller, gapFiller } from "../../anthropic-filler.ts";
import { trimLastMessage } from "../../healing/clean-anthropic.ts";
import { isObject, type JsonObject } from "../../json-shape.ts";
import { carryOver, isSummary, SYSTEM_LABEL } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import {
  type CallPart,
  type Content,
  type ContentPart,
  callsOf,
  type NeutralMessage,
  type NeutralTool,
  type ResultMessage,
  type SaidMessage,
  type WriteFormat,
} from "../neutral/neutral.ts";
import { writeAnthropicAttached } from "./anthropic-attached.ts";
import { plainText, saySpeaker, textPart } from "./say.ts";
import { besideStep, gatherSteps, placeBeside, type Step } from "./steps.ts";

export const writeAnthropic: WriteFormat = {
  callIds: { longest: Number.POSITIVE_INFINITY, hasOtherCharacters: false, mayRepeat: false },
  toolNames: { longest: 128, hasOtherCharacters: false },
  write: ({ system, messages, tools }, losses) => {
    const opening = countOpening(messages);
    const written = gatherSteps(messages.slice(opening)).flatMap((step) => writeStep(step, losses));
    return {
      messages: openWithUser(trimLastMessage(written, 0, [])),
      ...writeSystem(system, messages.slice(0, opening), losses),
      ...(tools === undefined || tools.length === 0 ? {} : { tools: tools.map((tool) => writeTool(tool, losses)) }),
    };
  },
};

/** The host's messages before anybody else's; the last message of all stays, since a list may not be empty. */
function countOpening(messages: readonly NeutralMessage[]): number {
  const end = messages.findIndex((message) => !isHosts(message));
  return end < 0 ? Math.max(0, messages.length - 1) : end;
}

function isHosts(message: NeutralMessage): boolean {
  return message.kind === "said" && (message.role === "system" || message.role === "developer");
}

function writeSystem(
  system: Content | undefined,
  opening: readonly NeutralMessage[],
  losses: Losses,
): { readonly system?: unknown } {
  const said = opening.flatMap((message) => (message.kind === "said" ? [saySpeaker(message, losses)] : []));
  const contents = [...(system === undefined ? [] : [system]), ...said];
  const texts = contents.flatMap(({ parts }) => parts).flatMap((part) => writePart(part, losses));
  const blocks = texts.filter(({ type }) => type === "text");
  const [only] = blocks;
  if (only === undefined) return {};
  return { system: blocks.length === 1 && contents.every(({ isPlain }) => isPlain) ? only.text : blocks };
}

/** Nothing but a user's message may open the list. */
function openWithUser(messages: readonly JsonObject[]): readonly JsonObject[] {
  if (messages.length === 0) return [gapFiller("user")];
  return messages[0]?.role === "assistant" ? [anthropicFiller(), ...messages] : messages;
}

function writeStep(step: Step, losses: Losses): readonly JsonObject[] {
  const beside = besideStep(step, false, losses);
  const written = [
    ...(step.message === undefined ? [] : writeSaid(step.message, losses)),
    ...writeResults(step.results, losses),
  ];
  return placeBeside(step, written, beside === undefined ? [] : writeSaid(beside, losses));
}

function writeSaid(given: SaidMessage, losses: Losses): readonly JsonObject[] {
  const message = isHosts(given) ? asUserText(given, losses) : saySpeaker(given, losses);
  const role = message.role === "assistant" ? "assistant" : "user";
  const text = isSummary(message) || callsOf(message).length > 0 ? undefined : plainText(message);
  const blocks = message.parts
    .filter((part) => role === "user" || part.kind !== "attached")
    .flatMap((part) => writePart(part, losses));
  if (blocks.length === 0) return [];
  return [carryOver(message, { role, content: text ?? blocks })];
}

/** What the host said in the middle has no place of its own here. */
function asUserText(message: SaidMessage, losses: Losses): SaidMessage {
  losses.add("later_system");
  const said = saySpeaker(message, losses).parts;
  const texts = said.flatMap((part) => (part.kind === "text" || part.kind === "refusal" ? [part.text] : []));
  const text = [SYSTEM_LABEL, ...texts].join("\n");
  return { ...message, role: "user", isPlain: true, isHostWritten: true, parts: [{ kind: "text", text }] };
}

function writePart(part: ContentPart | CallPart, losses: Losses): readonly JsonObject[] {
  if (part.kind === "call") return [writeCall(part, losses)];
  if (part.kind === "attached") return [writeAnthropicAttached(part, losses)];
  return part.text.trim() === "" ? [] : [textPart("text", part)];
}

function writeCall({ callId: id, name, input, isCustom }: CallPart, losses: Losses): JsonObject {
  if (!isCustom) return { type: "tool_use", id, name, input: readArguments(input, losses) };
  losses.add("custom_calls");
  return { type: "tool_use", id, name, input: { input } };
}

function readArguments(json: string, losses: Losses): JsonObject {
  if (json.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return value;
  } catch {
    // Cut off, or never JSON: kept as the text it is.
  }
  losses.add("broken_arguments");
  return { arguments: json };
}

function writeResults(results: readonly ResultMessage[], losses: Losses): readonly JsonObject[] {
  if (results.length === 0) return [];
  const content = results.map((result) => writeResult(result, losses));
  return [results.reduce<JsonObject>((message, result) => carryOver(result, message), { role: "user", content })];
}

function writeResult(result: ResultMessage, losses: Losses): JsonObject {
  const blocks = result.parts.flatMap((part) => writePart(part, losses));
  const content = plainText(result) ?? (blocks.length === 0 ? "" : blocks);
  const error = result.isError ? { is_error: true } : {};
  return { type: "tool_result", tool_use_id: result.callId, content, ...error };
}

function writeTool(tool: NeutralTool, losses: Losses): JsonObject {
  const { name, description } = tool;
  const named = { name, ...(description === undefined ? {} : { description }) };
  if (tool.kind === "function") {
    const schema = isObject(tool.schema) ? tool.schema : { properties: {} };
    return { ...named, input_schema: schema.type === undefined ? { type: "object", ...schema } : schema };
  }
  losses.add("custom_tools", name);
  if (tool.grammar !== undefined) losses.add("grammars", name);
  const properties = { input: { type: "string" } };
  return { ...named, input_schema: { type: "object", properties, required: ["input"] } };
}
