// Reads OpenAI Responses items into neutral messages: the items of one assistant step become one message.
import { asText, isFilledText, isObject, type JsonObject } from "../../text/json-values.ts";
import type { AttachedPart } from "../attachments.ts";
import {
  type CallPart,
  type Content,
  type ContentPart,
  type ConversionFormat,
  carryOver,
  ERROR_LABEL,
  isSummary,
  type Losses,
  type NeutralMessage,
  type NeutralTool,
  type ResultMessage,
  SEALED_HISTORY,
  type Utterance,
} from "../conversion/neutral-conversation.ts";
import { readContent, readServerStep, unreadable } from "../conversion/read-content.ts";
import { labelError, labelSpeaker, leaveOut, plainText, textPart, writeSteps } from "../conversion/write-steps.ts";
import { addressOf } from "../openai-chat/conversion.ts";
import { isCallItem, isFailed, isMessageItem, isOutputItem, outputCallId, readCall, toolsIn } from "./items.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user"]);

/** The assistant step that is being put together. */
interface OpenStep {
  readonly parts: (ContentPart | CallPart)[];
  readonly sources: unknown[];
  isPlain: boolean;
  hasText: boolean;
  hasCalls: boolean;
}

class ItemReader {
  readonly #losses: Losses;
  readonly #messages: NeutralMessage[] = [];
  #step: OpenStep | undefined;

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  read(items: readonly unknown[]): readonly NeutralMessage[] {
    for (const item of items) this.#readItem(item);
    this.#endStep();
    return this.#messages;
  }

  #readItem(item: unknown): void {
    if (!isObject(item)) this.#push(unreadable(item, this.#losses));
    else if (isMessageItem(item)) this.#readMessage(item);
    else if (isCallItem(item)) this.#addCall(item);
    else if (isOutputItem(item) && outputCallId(item) !== "") this.#push(readOutput(item, this.#losses));
    else if (item.type === "mcp_approval_response") this.#push(this.#readApproval(item));
    else this.#addServerStep(item);
  }

  #readMessage(item: JsonObject): void {
    const content = readContent(item.content, this.#losses);
    if (item.role === "assistant") this.#addAnswer(item, content);
    else if (!ROLES.has(item.role)) this.#push(unreadable(item, this.#losses));
    else this.#push({ kind: "said", role: item.role as Utterance["role"], ...content, sources: [item] });
  }

  /** Two answers, one after the other, are two messages; what is said between calls belongs to their step. */
  #addAnswer(item: JsonObject, content: Content): void {
    if (this.#step?.hasText === true && !this.#step.hasCalls) this.#endStep();
    const step = this.#openStep(item);
    step.isPlain = content.isPlain && step.parts.length === 0;
    step.hasText = true;
    step.parts.push(...content.parts);
  }

  #addCall(item: JsonObject): void {
    const step = this.#openStep(item);
    step.hasCalls = true;
    step.parts.push({ ...readCall(item), isCustom: item.type === "custom_tool_call" });
  }

  #addServerStep(item: JsonObject): void {
    const parts = readServerItem(item, this.#losses);
    if (parts.length === 0) return;
    const step = this.#openStep(item);
    step.isPlain = false;
    step.parts.push(...parts);
  }

  /** The user's, by way of the host. */
  #readApproval(item: JsonObject): Utterance {
    const parts = readServerStep(item, this.#losses);
    return { kind: "said", role: "user", parts, isPlain: true, isHostWritten: true, sources: [item] };
  }

  #openStep(item: JsonObject): OpenStep {
    this.#step ??= { parts: [], sources: [], isPlain: true, hasText: false, hasCalls: false };
    this.#step.sources.push(item);
    return this.#step;
  }

  #endStep(): void {
    if (this.#step === undefined) return;
    const { parts, sources, isPlain } = this.#step;
    this.#messages.push({ kind: "said", role: "assistant", parts, isPlain, sources });
    this.#step = undefined;
  }

  #push(message: NeutralMessage): void {
    this.#endStep();
    this.#messages.push(message);
  }
}

function readOutput(item: JsonObject, losses: Losses): ResultMessage {
  const isError = isFailed(item);
  const content = readContent(item.output ?? item.tools, losses);
  return {
    kind: "result",
    callId: outputCallId(item),
    ...(isError ? withoutErrorLabel(content) : content),
    isError,
    isCustom: false,
    sources: [item],
  };
}

/** The status says it, so that the label is one of ours. */
function withoutErrorLabel({ parts: [first, ...others], isPlain }: Content): Content {
  if (first === undefined) return { parts: [], isPlain };
  if (first.kind !== "text" || !first.text.startsWith(ERROR_LABEL)) return { parts: [first, ...others], isPlain };
  const text = first.text.slice(ERROR_LABEL.length).replace(/^\n/, "");
  return { parts: text === "" && others.length > 0 ? others : [{ ...first, text }, ...others], isPlain };
}

function readServerItem(item: JsonObject, losses: Losses): readonly ContentPart[] {
  switch (item.type) {
    case "reasoning":
      losses.add("reasoning");
      return [];
    case "compaction":
      losses.add("sealed_history");
      return [{ kind: "text", text: SEALED_HISTORY, isHostWritten: true }];
    case "item_reference":
      losses.add("references");
      return [];
    // Read with the tools that are sent beside the list.
    case "additional_tools":
      return [];
    case "mcp_list_tools":
      losses.add("tool_lists");
      return [];
    case "image_generation_call":
      return [...readServerStep({ ...item, result: null }, losses), ...readPicture(item)];
    default:
      return readServerStep(item, losses);
  }
}

function readPicture({ result, output_format: format }: JsonObject): readonly ContentPart[] {
  if (!isFilledText(result)) return [];
  return [{ kind: "attached", type: "image", mediaType: `image/${asText(format) || "png"}`, base64: result }];
}

// Writes a neutral conversation as OpenAI Responses items: what a message says, each call and each result are items
// of their own.

export const responsesConversion: ConversionFormat = {
  callIds: { longest: 64, hasOtherCharacters: false, mayRepeat: true },
  toolNames: { longest: 64, hasOtherCharacters: false },
  read: (items, losses) => new ItemReader(losses).read(items),
  toolsIn: (items) => items.flatMap((item) => toolsIn(item) ?? []),
  write: ({ system, messages }, losses) => ({
    messages: writeSteps(messages, STEPS, losses),
    ...writeInstructions(system),
  }),
  writeTool,
};

const STEPS = {
  hasTextResults: false,
  writeUtterance,
  writeResults: (results: readonly ResultMessage[], losses: Losses) =>
    results.map((result) => writeResult(result, losses)),
};

/** One string, whatever the blocks were. */
function writeInstructions(system: Content | undefined): { readonly system?: string } {
  const texts = system?.parts.flatMap((part) => (part.kind === "attached" ? [] : [part.text])) ?? [];
  return texts.length === 0 ? {} : { system: texts.join("\n\n") };
}

function writeUtterance(given: Utterance, losses: Losses): readonly JsonObject[] {
  const message = labelSpeaker(given, losses);
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

function writeText(message: Utterance, said: readonly ContentPart[], losses: Losses): readonly JsonObject[] {
  const { role } = message;
  const text = isSummary(message) ? undefined : plainText({ ...message, parts: said });
  if (said.length === 0) return [];
  const content = text ?? said.flatMap((part) => writePart(part, role, losses));
  return content.length === 0 && text === undefined ? [] : [carryOver(message, { type: "message", role, content })];
}

function writePart(part: ContentPart, role: Utterance["role"], losses: Losses): readonly JsonObject[] {
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

function writeCall({ callId, name, arguments: input, isCustom }: CallPart): JsonObject {
  return isCustom
    ? { type: "custom_tool_call", call_id: callId, name, input }
    : { type: "function_call", call_id: callId, name, arguments: input };
}

function writeResult(given: ResultMessage, losses: Losses): JsonObject {
  const result = labelError(given, losses);
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
