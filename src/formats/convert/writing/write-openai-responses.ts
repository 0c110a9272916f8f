// Writes a neutral conversation as OpenAI Responses items: what a message says, each call and each result are items
// of their own.
import type { JsonObject } from "../../json-shape.ts";
import { carryOver, isSummary } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import type {
  AttachedPart,
  CallPart,
  Content,
  ContentPart,
  NeutralTool,
  ResultMessage,
  SaidMessage,
  WriteFormat,
} from "../neutral/neutral.ts";
import { plainText, sayError, saySpeaker, textPart } from "./say.ts";
import { besideStep, gatherSteps, leaveOut, placeBeside, type Step } from "./steps.ts";
import { addressOf } from "./write-openai-chat.ts";

export const writeOpenaiResponses: WriteFormat = {
  callIds: { longest: 64, hasOtherCharacters: false, mayRepeat: true },
  toolNames: { longest: 64, hasOtherCharacters: false },
  write: ({ system, messages, tools }, losses) => ({
    messages: gatherSteps(messages).flatMap((step) => writeStep(step, losses)),
    ...writeInstructions(system),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: tools.map(writeTool) }),
  }),
};

/** One string, whatever the blocks were. */
function writeInstructions(system: Content | undefined): { readonly system?: string } {
  const texts = system?.parts.flatMap((part) => (part.kind === "attached" ? [] : [part.text])) ?? [];
  return texts.length === 0 ? {} : { system: texts.join("\n\n") };
}

function writeStep(step: Step, losses: Losses): readonly JsonObject[] {
  const beside = besideStep(step, false, losses);
  const written = [
    ...(step.message === undefined ? [] : writeSaid(step.message, losses)),
    ...step.results.map((result) => writeResult(result, losses)),
  ];
  return placeBeside(step, written, beside === undefined ? [] : writeSaid(beside, losses));
}

function writeSaid(given: SaidMessage, losses: Losses): readonly JsonObject[] {
  const message = saySpeaker(given, losses);
  const items: JsonObject[] = [];
  let said: ContentPart[] = [];
  const endText = () => {
    items.push(...writeText(message, said, losses));
    said = [];
  };
  for (const part of message.parts) {
    if (part.kind !== "call") {
      said.push(part);
      continue;
    }
    endText();
    items.push(carryOver(message, writeCall(part)));
  }
  endText();
  return items;
}

function writeText(message: SaidMessage, said: readonly ContentPart[], losses: Losses): readonly JsonObject[] {
  const { role } = message;
  const text = isSummary(message) ? undefined : plainText({ ...message, parts: said });
  if (said.length === 0) return [];
  const content = text ?? said.flatMap((part) => writePart(part, role, losses));
  return content.length === 0 && text === undefined ? [] : [carryOver(message, { type: "message", role, content })];
}

function writePart(part: ContentPart, role: SaidMessage["role"], losses: Losses): readonly JsonObject[] {
  if (part.kind === "attached") return role === "assistant" ? [] : [writeAttached(part, losses)];
  if (role !== "assistant") return [textPart("input_text", part)];
  return [part.kind === "refusal" ? { type: "refusal", refusal: part.text } : textPart("output_text", part)];
}

function writeAttached(part: AttachedPart, losses: Losses): JsonObject {
  const { type, mediaType, base64, url, file, name, detail } = part;
  const known = file?.owner === "openai" ? { file_id: file.id } : undefined;
  if (type === "image") {
    const address = addressOf(part);
    const image = address === undefined ? known : { image_url: address };
    if (image !== undefined) return { type: "input_image", ...image, ...(detail ? { detail } : {}) };
  } else if (type === "document") {
    if (base64 !== undefined) {
      return {
        type: "input_file",
        filename: name ?? "document",
        file_data: `data:${mediaType};base64,${base64}`,
      };
    }
    if (known !== undefined) return { type: "input_file", ...known };
    if (url !== undefined && url !== "") return { type: "input_file", file_url: url };
  }
  return { type: "input_text", text: leaveOut(part, losses) };
}

function writeCall({ callId, name, input, isCustom }: CallPart): JsonObject {
  return isCustom
    ? { type: "custom_tool_call", call_id: callId, name, input }
    : { type: "function_call", call_id: callId, name, arguments: input };
}

function writeResult(given: ResultMessage, losses: Losses): JsonObject {
  const result = sayError(given, losses);
  const output = plainText(result) ?? result.parts.flatMap((part) => writePart(part, "user", losses));
  return carryOver(given, {
    type: result.isCustom ? "custom_tool_call_output" : "function_call_output",
    call_id: result.callId,
    output,
    ...(result.isError ? { status: "incomplete" } : {}),
  });
}

/** Here a function is strict unless it says that it is not. */
function writeTool(tool: NeutralTool): JsonObject {
  const { name, description } = tool;
  const named = { name, ...(description === undefined ? {} : { description }) };
  if (tool.kind === "custom") {
    return { type: "custom", ...named, ...(tool.grammar === undefined ? {} : { format: tool.grammar }) };
  }
  const parameters = tool.schema ?? { type: "object", properties: {} };
  return { type: "function", ...named, parameters, strict: tool.strict === true };
}
