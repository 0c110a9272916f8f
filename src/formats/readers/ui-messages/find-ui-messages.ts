// Where the interface messages of Vercel's `ai` stand in a file: a list of them, or an object that holds one. Tells
// them from the messages of every provider by their typed `parts`, or the tool calls of earlier versions beside a text.
import type { JsonObject } from "../../json-shape.ts";
import { asText, isFilledText, isObject } from "../../json-shape.ts";
import { isModelList, toInterfaceMessages } from "./model-messages.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "data"]);
/** Names under which applications keep a chat's messages. */
const PLACES = ["messages", "uiMessages", "initialMessages"] as const;
const WRAPPERS = ["chat", "thread", "conversation", "data"] as const;

export interface FoundList {
  readonly id: string | undefined;
  readonly messages: readonly unknown[];
  /** They stand inside the one value, and are not the values themselves. */
  readonly isInside: boolean;
}

/** `values`: as `SessionReader.matches` is given them. Undefined when they are none. */
export function findUiMessages(values: readonly unknown[]): FoundList | undefined {
  const only = values.length === 1 ? values[0] : undefined;
  const inside = isObject(only) ? findInside(only, WRAPPERS) : undefined;
  const list = inside === undefined ? listFrom(values) : undefined;
  return inside ?? (list === undefined ? undefined : { id: undefined, messages: list, isInside: false });
}

function findInside(value: JsonObject, wrappers: readonly string[]): FoundList | undefined {
  const list = [...PLACES, ...wrappers].map((name) => listFrom(value[name])).find((found) => found !== undefined);
  if (list !== undefined) return { id: idOf(value), messages: list, isInside: true };
  for (const name of wrappers) {
    const inner = value[name];
    const found = isObject(inner) ? findInside(inner, []) : undefined;
    if (found !== undefined) return { ...found, id: found.id ?? idOf(value) };
  }
  return undefined;
}

function idOf(value: JsonObject): string | undefined {
  return [value.id, value.chatId].find(isFilledText);
}

function listFrom(value: unknown): readonly unknown[] | undefined {
  if (isUiList(value)) return value;
  return isModelList(value) ? toInterfaceMessages(value) : undefined;
}

function isUiList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isMessageLike) && value.some(isUiMessage);
}

function isMessageLike(value: unknown): boolean {
  return isObject(value) && ROLES.has(value.role) && (value.parts === undefined || hasTypedParts(value));
}

/** A Gemini request's `parts` have no type. */
function hasTypedParts({ parts }: JsonObject): boolean {
  return Array.isArray(parts) && parts.every((part) => isObject(part) && asText(part.type) !== "");
}

function isUiMessage(value: unknown): boolean {
  return isObject(value) && (Array.isArray(value.parts) || Array.isArray(value.toolInvocations));
}
