// What the messages of `ai` have in common: the model messages of `prepareStep` and the prompts that models take,
// in both versions of their interface. Shapes only, so that no version of the package is needed to compile.
import { toBase64 } from "../../providers/attachments.ts";
import { markHostWritten } from "../../providers/message-marks.ts";
import { MISSING_RESULT } from "../../providers/repair.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { NativeSource } from "../adapter/translation.ts";

export interface AiMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Text, or parts: in prompts always parts, but for the system's. */
  readonly content: string | readonly object[];
  readonly providerOptions?: unknown;
}

/** Which of the two kinds of lists. In a prompt the requests that an approval answers are gone. */
export type AiListKind = "model-messages" | "prompt";

/** Which part of the host's message a call or a result was made from. Survives copies, is never serialised. */
const PART = Symbol("part");

function partIndexOf(native: unknown): number | undefined {
  return (native as { readonly [PART]?: number })[PART];
}

/** A message's parts; text is one part. */
export function partsOf({ content }: Pick<AiMessage, "content">): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Ids of calls that the provider itself runs: they are answered in the assistant's own message. */
function providerCalls(parts: readonly JsonObject[]): ReadonlySet<unknown> {
  const isProviders = ({ type, providerExecuted }: JsonObject) =>
    type === "tool-result" || (type === "tool-call" && providerExecuted === true);
  return new Set(parts.filter(isProviders).map(({ toolCallId }) => toolCallId));
}

/** A call that a tool message answers. */
function isCall({ type, toolCallId, toolName, approvalId }: JsonObject, inside: ReadonlySet<unknown>): boolean {
  if (type === "tool-approval-request") return isFilledText(approvalId);
  return type === "tool-call" && isFilledText(toolCallId) && isFilledText(toolName) && !inside.has(toolCallId);
}

/** A part that stands in the content of its chat message. */
function isContent(part: JsonObject, inside: ReadonlySet<unknown>): boolean {
  return part.type !== "reasoning" && !isCall(part, inside);
}

// A message of `ai` as OpenAI chat messages: a tool message is one for each result. An approval is a call of its own, so
// that its request and its answer stay together.

/** No tool can have this name. */
const APPROVAL = "(approval)";

export function toNative(message: AiMessage, kind: AiListKind): readonly JsonObject[] {
  const { role } = message;
  const parts = partsOf(message);
  if (role !== "tool") return [role === "assistant" ? fromAssistant(message, parts) : fromUtterance(message, parts)];
  const answers = parts.flatMap((part, at) => fromAnswer(part, at, kind));
  const [first, ...more] = answers;
  if (first === undefined) return [fromUtterance({ ...markHostWritten(message), role: "user" }, parts)];
  const answered = new Set(answers.map(partIndexOf));
  const others = parts.filter((_, at) => !answered.has(at));
  const beside = others.length === 0 ? {} : { beside: others };
  return [{ ...first, ...beside, ...nativeOptions([message, ...parts]) }, ...more];
}

function fromUtterance(message: AiMessage, parts: readonly JsonObject[]): JsonObject {
  const content = nativeContent(message.content, parts);
  return { role: message.role, content, ...nativeOptions([message, ...parts]) };
}

function fromAssistant(message: AiMessage, parts: readonly JsonObject[]): JsonObject {
  const inside = providerCalls(parts);
  const reasoning = parts.filter(({ type }) => type === "reasoning");
  const calls = parts.flatMap((part, at) => (isCall(part, inside) ? [nativeCall(part, at)] : []));
  const others = parts.filter((part) => isContent(part, inside));
  return {
    role: "assistant",
    content: others.length === 0 && calls.length > 0 ? null : nativeContent(message.content, others),
    ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.map(({ text }) => asText(text)).join("\n") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...nativeOptions([message, ...parts]),
  };
}

function nativeCall({ type, toolCallId, toolName, input, approvalId, ...rest }: JsonObject, at: number): JsonObject {
  const isApproval = type === "tool-approval-request";
  const given = isApproval ? { toolCallId, inputSchemaInput: rest.inputSchemaInput } : (input ?? {});
  const name = isApproval ? APPROVAL : toolName;
  const called = { name, arguments: typeof given === "string" ? given : toJson(given) };
  return { id: isApproval ? approvalId : toolCallId, type: "function", function: called, [PART]: at };
}

function fromAnswer(part: JsonObject, at: number, kind: AiListKind): readonly JsonObject[] {
  const { type, toolCallId, output, approvalId, approved, reason } = part;
  if (type === "tool-result" && isFilledText(toolCallId)) {
    const content = nativeOutput(output);
    return [{ role: "tool", tool_call_id: toolCallId, content, ...nativeFailure(output), [PART]: at }];
  }
  if (type !== "tool-approval-response" || kind === "prompt" || !isFilledText(approvalId)) return [];
  return [{ role: "tool", tool_call_id: approvalId, content: toJson({ approved, reason }), [PART]: at }];
}

/** A single text is a string, as the summary is. */
function nativeContent(content: AiMessage["content"], parts: readonly JsonObject[]): string | readonly JsonObject[] {
  if (typeof content === "string") return content;
  const natives = parts.map(nativePart);
  const [first] = natives;
  if (first === undefined) return "";
  return natives.length === 1 && first.type === "text" ? asText(first.text) : natives;
}

// What compaction made of a message, as a message of `ai` again: the host's own parts where they stayed, each option for
// a provider at its place. Without an origin it is the summary, or what healing put in.

export function toHost(native: JsonObject, source: NativeSource<AiMessage>, kind: AiListKind): AiMessage {
  const { origin } = source;
  if (native.role === "tool") {
    const beside = asArray(native.beside).filter(isObject);
    return { ...without(origin), role: "tool", content: [answerOf(native, source), ...beside] };
  }
  if (origin === undefined) return madeMessage(native, kind);
  // Nothing of these is ever changed.
  if (origin.role === "tool") return origin;
  if (typeof origin.content === "string") return { ...without(origin), content: asText(native.content) } as AiMessage;
  return { ...without(origin), content: partsAfter(native, origin) } as AiMessage;
}

/** `meta` is ours; content is about to be written anew. */
function without(origin: AiMessage | undefined): JsonObject {
  const { meta: _meta, content: _content, ...rest } = (origin ?? {}) as JsonObject;
  return rest;
}

function madeMessage(native: JsonObject, kind: AiListKind): AiMessage {
  const role = native.role as AiMessage["role"];
  const { content, tool_calls: calls, reasoning_content: reasoning } = native;
  const isPlain = typeof content === "string" && calls === undefined && reasoning === undefined;
  if (isPlain && (kind === "model-messages" || role === "system")) return { role, content };
  const texts = typeof content === "string" ? (content === "" ? [] : [{ type: "text", text: content }]) : content;
  const thoughts = reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning }];
  return { role, content: [...thoughts, ...asArray(texts), ...asArray(calls)].filter(isObject).map(partFromNative) };
}

/** The origin's parts in their order, less what left. */
function partsAfter(native: JsonObject, origin: AiMessage): readonly JsonObject[] {
  const parts = partsOf(origin);
  const inside = providerCalls(parts);
  const calls = new Map(asArray(native.tool_calls).map((call) => [partIndexOf(call), call]));
  const contents = parts.filter((part) => isContent(part, inside));
  const natives =
    typeof native.content === "string" ? [{ type: "text", text: native.content }] : asArray(native.content);
  const said = hostParts(natives, contents).filter(isObject)[Symbol.iterator]();
  const isStripped = !("reasoning_content" in native) && parts.some(({ type }) => type === "reasoning");
  const kept = parts.flatMap((part, at): readonly JsonObject[] => {
    if (isCall(part, inside)) return hostCall(part, calls.get(at));
    if (!isContent(part, inside)) return isStripped ? [] : [part];
    const next = said.next();
    return next.done === true ? [] : [next.value];
  });
  return isStripped ? kept.map(withoutItemId) : kept;
}

/** Healing gives a call another id, or leaves it out. */
function hostCall(part: JsonObject, call: unknown): readonly JsonObject[] {
  if (!isObject(call)) return [];
  if (part.type === "tool-approval-request")
    return call.id === part.approvalId ? [part] : [{ ...part, approvalId: call.id }];
  return call.id === part.toolCallId ? [part] : [{ ...part, toolCallId: call.id }];
}

function answerOf(native: JsonObject, { origin, toolName }: NativeSource<AiMessage>): JsonObject {
  const callId = asText(native.tool_call_id);
  const at = partIndexOf(native);
  const part = origin === undefined || at === undefined ? undefined : partsOf(origin)[at];
  if (part?.type === "tool-approval-response") return { ...part, approvalId: callId };
  const name = toolName(callId) ?? "";
  if (part === undefined && name === APPROVAL)
    return { type: "tool-approval-response", approvalId: callId, approved: false, reason: asText(native.content) };
  const output = hostOutput(native.content, part?.output);
  if (part?.output === output && part.toolCallId === callId) return part;
  return { toolName: name, ...part, type: "tool-result", toolCallId: callId, output };
}

// Parts of `ai` from parts and calls of the chat format, for a message whose origin nobody knows.

function partFromNative(native: JsonObject): JsonObject {
  if (isObject(native.function)) return callFrom(native, native.function);
  if (native.type !== "image_url" || !isObject(native.image_url)) return native;
  const url = asText(native.image_url.url);
  const [, mediaType = "image/*"] = /^data:([^;,]{1,100})/.exec(url) ?? [];
  const isInline = url.startsWith("data:");
  return { type: "file", mediaType, data: isInline ? url.slice(url.indexOf(",") + 1) : new URL(url) };
}

function callFrom({ id }: JsonObject, { name, arguments: given }: JsonObject): JsonObject {
  const input = parse(asText(given));
  return name === APPROVAL
    ? { type: "tool-approval-request", approvalId: id, ...(isObject(input) ? { toolCallId: input.toolCallId } : {}) }
    : { type: "tool-call", toolCallId: id, toolName: name, input };
}

function parse(json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    return json;
  }
}

// Images, files and sound of `ai` as OpenAI's parts, so that they are sized and can give way as attachments do.

/** A part of what was said, or of a tool's output. Kinds that nobody knows stay as they are, and are counted. */
function nativePart(part: JsonObject): JsonObject {
  const { type, mediaType, filename, text } = part;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "image" || type === "image-data" || type === "image-url")
    return fromFile(part.image ?? part.data ?? part.url, typeof mediaType === "string" ? mediaType : "image/*");
  if (type === "file" || type === "file-data" || type === "file-url" || type === "media")
    return fromFile(part.data ?? part.url, typeof mediaType === "string" ? mediaType : "", filename);
  const { providerOptions: _, ...rest } = part;
  return { ...rest, type: typeof type === "string" && type !== "" && type !== "text" ? type : "unreadable" };
}

function fromFile(content: unknown, mediaType: string, filename?: unknown): JsonObject {
  const address = addressOf(content, mediaType);
  if (mediaType.startsWith("image/")) return { type: "image_url", image_url: { url: address } };
  if (mediaType.startsWith("audio/") && address.startsWith("data:"))
    return {
      type: "input_audio",
      input_audio: { data: address.slice(address.indexOf(",") + 1), format: mediaType.slice("audio/".length) },
    };
  const name = typeof filename === "string" ? { filename } : {};
  return { type: "file", file: { ...name, [address.startsWith("data:") ? "file_data" : "file_url"]: address } };
}

/** A web address as it is, all else as a data URL. */
function addressOf(content: unknown, mediaType: string): string {
  if (content instanceof URL) return content.href;
  if (typeof content === "string")
    return /^(?:https?|data|gs|s3):/i.test(content) ? content : `data:${mediaType};base64,${content}`;
  const bytes = bytesOf(content);
  return `data:${mediaType};base64,${bytes === undefined ? "" : toBase64(bytes)}`;
}

function bytesOf(content: unknown): Uint8Array | undefined {
  if (content instanceof Uint8Array) return content;
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  // Newer versions tag what they hold: `{type: "data", data}`, `{type: "url", url}`.
  return isObject(content) && content.data instanceof Uint8Array ? content.data : undefined;
}

// The outputs of tools: each kind as the content of a chat result, and what compaction made of that content as an output
// of the same kind, or of the nearest kind that can hold it.

function nativeOutput(output: unknown): string | readonly JsonObject[] {
  if (!isObject(output)) return typeof output === "string" ? output : toJson(output);
  const { type, value, reason } = output;
  if (type === "text" || type === "error-text") return typeof value === "string" ? value : toJson(value);
  if (type === "execution-denied") return typeof reason === "string" ? reason : "";
  if (type !== "content" || !Array.isArray(value)) return toJson(value);
  // An empty list of parts is no content for the chat format.
  return value.length === 0 ? "" : value.map((part) => nativePart(isObject(part) ? part : { value: part }));
}

/** The chat format has no place for it: said in a field of its own. */
function nativeFailure(output: unknown): JsonObject {
  const type = isObject(output) ? asText(output.type) : "";
  return type.startsWith("error") || type === "execution-denied" ? { is_error: true } : {};
}

/** `before`: the host's own output; undefined for a result that healing added, which says that there is none. */
function hostOutput(content: unknown, before: unknown): JsonObject {
  const output: JsonObject = isObject(before) ? before : { type: content === MISSING_RESULT ? "error-text" : "text" };
  if (toJson(content) === toJson(nativeOutput(output)) && isObject(before)) return before;
  if (Array.isArray(content)) return { ...output, type: "content", value: hostParts(content, asArray(output.value)) };
  const text = typeof content === "string" ? content : toJson(content);
  if (output.type === "execution-denied") return { ...output, reason: text };
  // Shortened JSON is JSON no more.
  return { ...output, type: asText(output.type).startsWith("error") ? "error-text" : "text", value: text };
}

/** Parts that stay are the host's own; an attachment that gave way is a text. */
function hostParts(natives: readonly unknown[], before: readonly unknown[]): readonly unknown[] {
  return natives.map((native, at) => {
    const part = before[at];
    if (!isObject(native) || native.type !== "text") return part ?? native;
    if (!isObject(part)) return native;
    if (part.type === "text") return part.text === native.text ? part : { ...part, text: native.text };
    return {
      type: "text",
      text: native.text,
      ...(part.providerOptions ? { providerOptions: part.providerOptions } : {}),
    };
  });
}

// Options for providers, on messages and on their parts: signatures, encrypted reasoning, cache marks. They are sent, so
// they are counted; nothing in them is ever changed but the ids that belong to reasoning which went.

const SEALED = /signature|encrypted|redacted/i;
/** Our own key among the providers': the one mark that reaches a model's prompt. */
const OWN = "agent-compact";
/** Read by no provider, and with each new copy of a message another: a framework's own notes. */
const NEVER_SENT: ReadonlySet<string> = new Set([OWN, "mastra"]);

/** Fields of a native message that stand for the options of `carriers`. No field when there are none. */
function nativeOptions(carriers: readonly object[]): JsonObject {
  const all = carriers.flatMap((carrier) => {
    const sent = Object.entries(optionsOf(carrier)).filter(([provider]) => !NEVER_SENT.has(provider));
    return sent.length === 0 ? [] : [seal(Object.fromEntries(sent))];
  });
  const isProtected = carriers.some((carrier) => {
    const own = optionsOf(carrier)[OWN];
    return isObject(own) && own.protected === true;
  });
  return {
    ...(all.length === 0 ? {} : { provider_options: all }),
    // `providerOptions: {"agent-compact": {protected: true}}` says it where a mark on the object cannot.
    ...(isProtected ? { meta: { protected: true } } : {}),
  };
}

function optionsOf({ providerOptions: options }: { readonly providerOptions?: unknown }): JsonObject {
  return isObject(options) ? options : {};
}

/** What only a provider can read is sized, not counted as text: it stands under a name that says so. */
function seal(options: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => {
      if (isObject(value)) return [key, seal(value)];
      return typeof value === "string" && SEALED.test(key) ? [key, { encrypted_content: value }] : [key, value];
    }),
  );
}

/** A part whose reasoning went, without the id by which its provider would ask for it. */
function withoutItemId<Part extends JsonObject>(part: Part): Part {
  const { providerOptions: options } = part;
  if (!isObject(options)) return part;
  const kept = Object.entries(options).map(([provider, own]) => {
    if (!isObject(own) || !("itemId" in own)) return [provider, own];
    const { itemId: _, ...rest } = own;
    return [provider, rest];
  });
  return { ...part, providerOptions: Object.fromEntries(kept) };
}
