// The other parts of an interface message as Anthropic blocks. Reasoning stays where Anthropic signed it.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";
import { hostTextBlocks, urlBlocks } from "../parts/anthropic-blocks.ts";

/** The parts of a message; earlier versions kept text, calls and attachments in fields of their own. */
export function partsOf(message: JsonObject): readonly JsonObject[] {
  const attached = asArray(message.experimental_attachments).filter(isObject).map(attachmentPart);
  if (Array.isArray(message.parts)) return [...asArray(message.parts).filter(isObject), ...attached];
  const calls = asArray(message.toolInvocations).filter(isObject);
  return [
    ...(isFilledText(message.reasoning) ? [{ type: "reasoning", reasoning: message.reasoning }] : []),
    ...[...calls].sort(byStep).flatMap(invocationParts),
    // What an answer says beside its calls is said after them.
    { type: "text", text: textOf(message.content) },
    ...attached,
  ];
}

function byStep(left: JsonObject, right: JsonObject): number {
  return stepOf(left) - stepOf(right);
}

function stepOf({ step }: JsonObject): number {
  return typeof step === "number" && Number.isFinite(step) ? step : 0;
}

function invocationParts(call: JsonObject, at: number, all: readonly JsonObject[]): readonly JsonObject[] {
  const before = all[at - 1];
  const isNextStep = before !== undefined && stepOf(before) !== stepOf(call);
  return [...(isNextStep ? [{ type: "step-start" }] : []), { type: "tool-invocation", toolInvocation: call }];
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content.map((part: unknown) => (isObject(part) ? asText(part.text) : "")).join("");
}

function attachmentPart({ url, contentType, name }: JsonObject): JsonObject {
  return { type: "file", url, mediaType: contentType, filename: name };
}

export function fileBlocks(part: JsonObject): readonly JsonObject[] {
  const { url, data, filename } = part;
  const mediaType = part.mediaType ?? part.mimeType;
  // Files that a model made carry their bytes without an address in earlier versions.
  const address = url ?? (isFilledText(data) ? `data:${asText(mediaType)};base64,${data}` : undefined);
  const text = textOfFile(asText(address));
  if (text !== undefined) return hostTextBlocks(`[Attached file: ${asText(filename) || "unnamed"}]\n${text}`);
  return urlBlocks(address, { mediaType, name: filename });
}

const TEXT_ADDRESS = /^data:(?:text\/[\w.+-]{1,80}|application\/(?:json|xml|yaml))(?:;charset=[\w-]{1,40})?(;base64)?,/;

/** The text of a file that is one and came with the message. */
function textOfFile(address: string): string | undefined {
  const [head = "", base64] = TEXT_ADDRESS.exec(address) ?? [];
  if (head === "") return undefined;
  const payload = address.slice(head.length);
  try {
    if (base64 === undefined) return decodeURIComponent(payload);
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

export interface ReasoningBlocks {
  readonly blocks: readonly JsonObject[];
  /** Passages that had to be left out. */
  readonly unsigned: number;
}

export function reasoningBlocks(part: JsonObject): ReasoningBlocks {
  const details = asArray(part.details).filter(isObject);
  const passages = details.length > 0 ? details.map(passageOfDetail) : [passageOf(part)];
  const blocks = passages.flatMap(({ text, signature, sealed }): readonly JsonObject[] => {
    if (sealed !== "") return [{ type: "redacted_thinking", data: sealed }];
    return signature === "" ? [] : [{ type: "thinking", thinking: text, signature }];
  });
  const isLeftOut = ({ text, signature, sealed }: Passage) => text.trim() !== "" && signature === "" && sealed === "";
  return { blocks, unsigned: passages.filter(isLeftOut).length };
}

interface Passage {
  readonly text: string;
  readonly signature: string;
  readonly sealed: string;
}

function passageOf(part: JsonObject): Passage {
  const metadata = isObject(part.providerMetadata) ? part.providerMetadata : {};
  const signed = [metadata.anthropic, metadata.bedrock].find(isObject) ?? {};
  return {
    text: asText(part.text) || asText(part.reasoning),
    signature: asText(signed.signature),
    sealed: asText(signed.redactedData),
  };
}

function passageOfDetail({ type, text, signature, data }: JsonObject): Passage {
  return { text: asText(text), signature: asText(signature), sealed: type === "redacted" ? asText(data) : "" };
}
