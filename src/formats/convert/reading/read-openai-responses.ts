// Reads OpenAI Responses items into neutral messages: the items of one assistant step become one message.
import { asText, isFilledText, isObject, type JsonObject, toJson } from "../../json-shape.ts";
import { isCallItem, isMessageItem, isOutputItem, outputCallId } from "../../views/openai-responses-view.ts";
import { ERROR_LABEL, SEALED_HISTORY } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import type {
  CallPart,
  Content,
  ContentPart,
  NeutralMessage,
  ReadFormat,
  ResultMessage,
  SaidMessage,
} from "../neutral/neutral.ts";
import { readContent } from "./read-content.ts";
import { readServerStep } from "./read-server-step.ts";
import { readSystem, unreadable } from "./read-system.ts";
import { readTools } from "./read-tools.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user"]);

export const readOpenaiResponses: ReadFormat = ({ messages, system, tools }, losses) => ({
  system: readSystem(system, losses),
  messages: new ItemReader(losses).read(messages),
  tools: readTools(tools, losses),
});

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
    else this.#push({ kind: "said", role: item.role as SaidMessage["role"], ...content, sources: [item] });
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
    step.parts.push(readCall(item));
  }

  #addServerStep(item: JsonObject): void {
    const parts = readServerItem(item, this.#losses);
    if (parts.length === 0) return;
    const step = this.#openStep(item);
    step.isPlain = false;
    step.parts.push(...parts);
  }

  /** The user's, by way of the host. */
  #readApproval(item: JsonObject): SaidMessage {
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

/** Tools like the local shell are called by their type, and take an action. */
function readCall(item: JsonObject): CallPart {
  const given = item.arguments ?? item.input ?? item.action ?? item.operation ?? "";
  return {
    kind: "call",
    callId: asText(item.call_id),
    name: asText(item.name) || asText(item.type),
    input: typeof given === "string" ? given : toJson(given),
    isCustom: item.type === "custom_tool_call",
  };
}

function readOutput(item: JsonObject, losses: Losses): ResultMessage {
  const isError = item.status === "incomplete" || item.status === "failed";
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
