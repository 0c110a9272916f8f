// The answers of the three APIs, in pieces: which of them are calls, how they are sent back, and where in an answer that a
// client had as one something stood that it never saw.
import { anthropicFormat } from "../providers/anthropic/anthropic-format.ts";
import { isThinking } from "../providers/anthropic/messages.ts";
import type { Format, ProviderFormat } from "../providers/format.ts";
import { openaiChatFormat } from "../providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../providers/openai-responses/openai-responses-format.ts";
import { asArray, asText, isObject, type JsonObject, toJson } from "../text/json-values.ts";

/** A block, an item; of a chat a message without its calls, and each call. */
export type Part = JsonObject;

export interface PartCall {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly input: string;
}

export interface CallResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** How much of an answer was said in a piece of it: thinking and all else, in parts, or for a chat in letters. */
export interface Extent {
  readonly thinking: number;
  readonly shown: number;
}

export interface AnswerShape {
  readonly format: Format;
  /** A tool as a request offers it. */
  offer(tool: { readonly name: string; readonly description: string; readonly schema: JsonObject }): JsonObject;
  nameOf(tool: JsonObject): unknown;
  /** Whether its answers can be added to: `field` reads the request. */
  mayOffer(field: (name: string) => unknown): boolean;
  call(part: Part): PartCall | undefined;
  /** The messages of a whole answer. */
  said(answer: JsonObject): readonly JsonObject[];
  /** The model came to its end, so that its calls are whole. */
  isComplete(answer: JsonObject): boolean;
  parts(messages: readonly JsonObject[]): readonly Part[];
  /** The inverse of `parts`. */
  messages(parts: readonly Part[]): readonly JsonObject[];
  /** Those that the provider takes back. */
  sendable(parts: readonly Part[]): readonly Part[];
  results(results: readonly CallResult[]): readonly JsonObject[];
  /** `next`: a message with results of the same answer's other calls. */
  withResults(results: readonly CallResult[], next: JsonObject): readonly JsonObject[];
  /** Parts of several answers as one. */
  join(answers: readonly (readonly Part[])[]): readonly Part[];
  extent(parts: readonly Part[]): Extent;
  /** The inverse of `join`: a piece for each extent, and the rest. Undefined where they are not all there. */
  split(parts: readonly Part[], extents: readonly Extent[]): readonly (readonly Part[])[] | undefined;
  /** A call as it stands beside what a client sent back of the same answer. */
  beside?(call: Part, parts: readonly Part[]): Part;
  /** An answer with other parts. `isDropped`: the calls that it ended with are not among them. */
  withParts(answer: JsonObject, parts: readonly Part[], isDropped: boolean): JsonObject;
}

/** A part that is a block of Anthropic or an item of Responses. */
function byUnits(isThought: (part: Part) => boolean, isBlank: (part: Part) => boolean) {
  const extent = (parts: readonly Part[]): Extent => {
    const thinking = parts.filter(isThought).length;
    return { thinking, shown: parts.filter((part) => !isBlank(part)).length - thinking };
  };
  return {
    sendable: (parts: readonly Part[]) => parts.filter((part) => !isBlank(part)),
    join: (answers: readonly (readonly Part[])[]) => answers.flat(),
    extent,
    split(parts: readonly Part[], extents: readonly Extent[]) {
      const pieces: Part[][] = [...extents, undefined].map(() => []);
      let at = 0;
      let [thinking, shown] = [0, 0];
      for (const part of parts.filter((each) => !isBlank(each))) {
        const isFull = () =>
          isThought(part) ? thinking >= (extents[at]?.thinking ?? 0) : shown >= (extents[at]?.shown ?? 0);
        while (at < extents.length && isFull()) {
          at++;
          [thinking, shown] = [0, 0];
        }
        pieces[at]?.push(part);
        if (isThought(part)) thinking++;
        else shown++;
      }
      const isThere = extents.every(({ shown: all }, index) => extent(pieces[index] ?? []).shown === all);
      return isThere ? pieces : undefined;
    },
  };
}

const messagesShape: AnswerShape = {
  format: anthropicFormat,
  offer: ({ name, description, schema }) => ({ name, description, input_schema: schema }),
  nameOf: ({ name }) => name,
  mayOffer: () => true,
  call: ({ type, id, name, input }) =>
    type === "tool_use" ? { id: asText(id), name: asText(name), input: toJson(input ?? {}) } : undefined,
  said: ({ content }) => [{ role: "assistant", content }],
  // Some servers of this format call the end of an answer with calls one like any other.
  isComplete: ({ stop_reason }) => stop_reason === "tool_use" || stop_reason === "end_turn",
  parts: ([message]) => {
    const content = message?.content;
    return typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).filter(isObject);
  },
  messages: (parts) => (parts.length === 0 ? [] : [{ role: "assistant", content: parts }]),
  results: (results) => [{ role: "user", content: results.map(resultBlock) }],
  withResults: (results, next) => [{ ...next, content: [...results.map(resultBlock), ...messagesShape.parts([next])] }],
  ...byUnits(isThinking, (part) => part.type === "text" && asText(part.text).trim() === ""),
  withParts: (answer, content, isDropped) => ({
    ...answer,
    content,
    ...(isDropped ? { stop_reason: "end_turn" } : {}),
  }),
};

function resultBlock({ id, text, isError }: CallResult): JsonObject {
  return { type: "tool_result", tool_use_id: id, content: text, ...(isError ? { is_error: true } : {}) };
}

const responsesShape: AnswerShape = {
  format: openaiResponsesFormat,
  offer: ({ name, description, schema }) => ({
    ...{ type: "function", name, description, parameters: schema, strict: false },
  }),
  nameOf: ({ name }) => name,
  // What the provider keeps of an answer can be named by a later request, and holds calls that nobody answers there.
  mayOffer: (field) => field("store") === false && field("background") !== true,
  call: ({ type, call_id, name, arguments: input }) =>
    type === "function_call" ? { id: asText(call_id), name: asText(name), input: asText(input) } : undefined,
  said: ({ output }) => asArray(output).filter(isObject),
  isComplete: ({ status }) => status === "completed",
  parts: (items) => items,
  messages: (items) => items,
  results: (results) => results.map(outputItem),
  withResults: (results, next) => [...results.map(outputItem), next],
  ...byUnits(
    ({ type }) => type === "reasoning",
    () => false,
  ),
  // Nobody holds what is not stored: reasoning is sent back sealed or not at all.
  sendable: (items) =>
    items.some(({ type, encrypted_content }) => type === "reasoning" && !encrypted_content)
      ? (openaiResponsesFormat.withoutReasoning(items) as readonly JsonObject[])
      : items,
  // Ids of a client's own making or none: the provider would look for the reasoning that a call's own id belongs to.
  beside: ({ id, ...call }, parts) => (parts.some((part) => "id" in part) ? { id, ...call } : call),
  withParts: (answer, output) => ({ ...answer, output }),
};

function outputItem({ id, text }: CallResult): JsonObject {
  return { type: "function_call_output", call_id: id, output: text };
}

const chatShape: AnswerShape = {
  format: openaiChatFormat,
  offer: ({ name, description, schema }) => ({
    ...{ type: "function", function: { name, description, parameters: schema } },
  }),
  nameOf: (tool) => (isObject(tool.function) ? tool.function.name : undefined),
  mayOffer: (field) => [undefined, null, 1].includes(field("n") as number),
  call: ({ id, function: target }) =>
    isObject(target) ? { id: asText(id), name: asText(target.name), input: asText(target.arguments) } : undefined,
  said: ({ choices }) =>
    asArray(choices)
      .slice(0, 1)
      .filter(isObject)
      .map(({ message }) => message)
      .filter(isObject),
  isComplete: ({ choices }) => {
    const [choice] = asArray(choices);
    return isObject(choice) && ["tool_calls", "stop"].includes(asText(choice.finish_reason));
  },
  parts: ([message]) => {
    if (message === undefined) return [];
    const { tool_calls, ...rest } = message;
    return [rest, ...asArray(tool_calls).filter(isObject)];
  },
  messages: ([rest, ...calls]) => {
    if (rest === undefined) return [];
    if (calls.length === 0) return rest.content ? [rest] : [];
    return [{ ...rest, content: rest.content === "" ? null : (rest.content ?? null), tool_calls: calls }];
  },
  sendable: (parts) => parts,
  results: (results) => results.map(toolMessage),
  withResults: (results, next) => [...results.map(toolMessage), next],
  join: (answers) => [
    joined(answers.flatMap((parts) => parts.slice(0, 1))),
    ...answers.flatMap((parts) => parts.slice(1)),
  ],
  extent: ([rest]) => ({
    thinking: Math.max(0, ...REASONING.map((field) => lettersIn(asText(rest?.[field])))),
    shown: lettersIn(asText(rest?.content)),
  }),
  split([rest, ...calls], extents) {
    if (rest === undefined || Array.isArray(rest.content)) return undefined;
    let left: JsonObject = rest;
    const pieces = extents.map(({ thinking, shown }) => {
      const piece: Record<string, unknown> = { role: "assistant" };
      for (const field of ["content", ...REASONING]) {
        if (typeof left[field] !== "string") continue;
        const [first, second] = cutBehind(left[field], field === "content" ? shown : thinking);
        if (first !== "") piece[field] = first;
        left = { ...left, [field]: second };
      }
      return [piece];
    });
    return [...pieces, [left, ...calls]];
  },
  withParts: (answer, parts, isDropped) => {
    const [message = { role: "assistant", content: "" }] = chatShape.messages(parts);
    const choices = asArray(answer.choices).map((choice) => ({
      ...(choice as JsonObject),
      message,
      ...(isDropped ? { finish_reason: "stop" } : {}),
    }));
    return { ...answer, choices };
  },
};

function toolMessage({ id, text }: CallResult): JsonObject {
  return { role: "tool", tool_call_id: id, content: text };
}

/** Fields of thinking, as servers call them. */
const REASONING = ["reasoning_content", "reasoning"];

function joined(messages: readonly JsonObject[]): JsonObject {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of messages.flatMap(Object.entries) as [string, unknown][]) {
    const before = whole[name];
    if (name !== "role" && typeof before === "string" && typeof value === "string") whole[name] = before + value;
    else if (Array.isArray(before) && Array.isArray(value)) whole[name] = [...before, ...value];
    else if (value !== null || before === undefined) whole[name] = value;
  }
  return whole;
}

// Clients trim what they send back: places in a text are told by its letters, white space left out.

export function lettersOf(text: string): string {
  return text.replace(/\s+/g, "");
}

function lettersIn(text: string): number {
  return lettersOf(text).length;
}

function cutBehind(text: string, letters: number): readonly [string, string] {
  let at = 0;
  for (let left = letters; left > 0 && at < text.length; at++) if (/\S/.test(text.charAt(at))) left--;
  // The space between belongs to what was said before it.
  while (letters > 0 && at < text.length && /\s/.test(text.charAt(at))) at++;
  return [text.slice(0, at), text.slice(at)];
}

export const ANSWER_SHAPES: Readonly<Record<ProviderFormat, AnswerShape>> = {
  anthropic: messagesShape,
  "openai-chat": chatShape,
  "openai-responses": responsesShape,
};
