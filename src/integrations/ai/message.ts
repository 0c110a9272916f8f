// What the messages of `ai` have in common: the model messages of `prepareStep` and the prompts that models take,
// in both versions of their interface. Shapes only, so that no version of the package is needed to compile.
import { isFilledText, isObject, type JsonObject } from "../../formats/json-shape.ts";

export interface AiMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Text, or parts: in prompts always parts, but for the system's. */
  readonly content: string | readonly object[];
  readonly providerOptions?: unknown;
}

/** Which of the two kinds of lists. In a prompt the requests that an approval answers are gone. */
export type AiListKind = "model-messages" | "prompt";

/** Which part of the host's message a call or a result was made from. Survives copies, is never serialised. */
export const PART = Symbol("part");

export function partIndexOf(native: unknown): number | undefined {
  return (native as { readonly [PART]?: number })[PART];
}

/** A message's parts; text is one part. */
export function partsOf({ content }: Pick<AiMessage, "content">): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Ids of calls that the provider itself runs: they are answered in the assistant's own message. */
export function providerCalls(parts: readonly JsonObject[]): ReadonlySet<unknown> {
  const isProviders = ({ type, providerExecuted }: JsonObject) =>
    type === "tool-result" || (type === "tool-call" && providerExecuted === true);
  return new Set(parts.filter(isProviders).map(({ toolCallId }) => toolCallId));
}

/** A call that a tool message answers. */
export function isCall({ type, toolCallId, toolName, approvalId }: JsonObject, inside: ReadonlySet<unknown>): boolean {
  if (type === "tool-approval-request") return isFilledText(approvalId);
  return type === "tool-call" && isFilledText(toolCallId) && isFilledText(toolName) && !inside.has(toolCallId);
}

/** A part that stands in the content of its chat message. */
export function isContent(part: JsonObject, inside: ReadonlySet<unknown>): boolean {
  return part.type !== "reasoning" && !isCall(part, inside);
}
