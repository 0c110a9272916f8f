// Writes a neutral conversation as OpenAI chat messages. Tool messages and assistant messages hold text alone:
// what else came with a step stands in a user message beside it.
import type { JsonObject } from "../../json-shape.ts";
import { carryOver, isSummary } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import {
  type AttachedPart,
  type CallPart,
  type Content,
  type ContentPart,
  callsOf,
  type NeutralTool,
  type ResultMessage,
  type SaidMessage,
  type WriteFormat,
} from "../neutral/neutral.ts";
import { plainText, sayError, textPart } from "./say.ts";
import { besideStep, gatherSteps, leaveOut, placeBeside, type Step } from "./steps.ts";

export const writeOpenaiChat: WriteFormat = {
  callIds: { longest: 40, hasOtherCharacters: true, mayRepeat: true },
  toolNames: { longest: 64, hasOtherCharacters: false },
  write: ({ system, messages, tools }, losses) => ({
    messages: [...writeSystem(system, losses), ...gatherSteps(messages).flatMap((step) => writeStep(step, losses))],
    ...(tools === undefined || tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
  }),
};

/** Here the system prompt is the first message. */
function writeSystem(system: Content | undefined, losses: Losses): readonly JsonObject[] {
  if (system === undefined) return [];
  return writeSaid({ kind: "said", role: "system", ...system, sources: [] }, losses);
}

function writeStep(step: Step, losses: Losses): readonly JsonObject[] {
  const beside = besideStep(step, true, losses);
  const written = [
    ...(step.message === undefined ? [] : writeSaid(step.message, losses)),
    ...step.results.map((result) => writeResult(result, losses)),
  ];
  return placeBeside(step, written, beside === undefined ? [] : writeSaid(beside, losses));
}

function writeSaid(message: SaidMessage, losses: Losses): readonly JsonObject[] {
  const { role, name } = message;
  const calls = callsOf(message);
  const content = writeContent(message, losses);
  const refusal = message.parts.find(({ kind }) => kind === "refusal");
  if (content === undefined && calls.length === 0 && refusal === undefined) return [];
  const written = {
    role,
    ...(name === undefined ? {} : { name }),
    content: content ?? null,
    ...(refusal === undefined ? {} : { refusal: (refusal as { readonly text: string }).text }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeCall) }),
  };
  return [carryOver(message, written)];
}

/** Undefined where there is nothing to say; the provider takes no empty list. */
function writeContent(message: SaidMessage, losses: Losses): string | readonly JsonObject[] | undefined {
  const text = isSummary(message) ? textOf(message) : plainText(message);
  if (text !== undefined) return text;
  const parts = message.parts.flatMap((part) => writePart(part, message.role, losses));
  return parts.length === 0 ? undefined : parts;
}

function textOf({ parts: [only] }: SaidMessage): string | undefined {
  return only?.kind === "text" ? only.text : undefined;
}

function writePart(part: ContentPart | CallPart, role: SaidMessage["role"], losses: Losses): readonly JsonObject[] {
  if (part.kind === "text") return [textPart("text", part)];
  if (part.kind !== "attached" || role === "assistant") return [];
  const written = role === "user" ? writeAttached(part) : undefined;
  return [written ?? { type: "text", text: leaveOut(part, losses) }];
}

function writeAttached(part: AttachedPart): JsonObject | undefined {
  const { type, mediaType, base64, file, name, detail } = part;
  if (type === "image") {
    const url = addressOf(part);
    return url === undefined ? undefined : { type: "image_url", image_url: { url, ...(detail ? { detail } : {}) } };
  }
  if (type === "audio")
    return base64 === undefined ? undefined : { type: "input_audio", input_audio: { data: base64, format: mediaType } };
  if (base64 !== undefined) {
    return { type: "file", file: { filename: name ?? "document", file_data: `data:${mediaType};base64,${base64}` } };
  }
  return file?.owner === "openai" ? { type: "file", file: { file_id: file.id } } : undefined;
}

/** A data URL, or the address as it was. */
export function addressOf({ mediaType, base64, url }: AttachedPart): string | undefined {
  if (base64 !== undefined && base64 !== "") return `data:${mediaType || "image/png"};base64,${base64}`;
  return url === "" ? undefined : url;
}

function writeCall({ callId: id, name, input, isCustom }: CallPart): JsonObject {
  return isCustom
    ? { id, type: "custom", custom: { name, input } }
    : { id, type: "function", function: { name, arguments: input } };
}

function writeResult(given: ResultMessage, losses: Losses): JsonObject {
  const result = sayError(given, losses);
  const parts = result.parts.flatMap((part) => (part.kind === "attached" ? [] : [textPart("text", part)]));
  const content = plainText(result) ?? (parts.length === 0 ? "" : parts);
  return carryOver(result, { role: "tool", tool_call_id: result.callId, content });
}

function writeTool(tool: NeutralTool): JsonObject {
  const { name, description } = tool;
  const named = { name, ...(description === undefined ? {} : { description }) };
  if (tool.kind === "custom") {
    return { type: "custom", custom: { ...named, ...(tool.grammar === undefined ? {} : { format: tool.grammar }) } };
  }
  const { schema, strict } = tool;
  return {
    type: "function",
    function: {
      ...named,
      ...(schema === undefined ? {} : { parameters: schema }),
      ...(strict === true ? { strict } : {}),
    },
  };
}
