// The log of a SWE-agent run's model calls, a request and a response a line. Each request sends the grown history
// again, so of each conversation only the longest request counts, with the answer to it.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject, toJson } from "../../json-shape.ts";
import type { ChatConversation } from "../parts/join-conversations.ts";
import type { SessionValue } from "../parts/session-values.ts";
import { toChatMessages } from "./chat-message.ts";

export interface LoggedRun {
  /** In the order in which they began. */
  readonly conversations: readonly ChatConversation[];
  /** Of the last conversation. */
  readonly tools: readonly unknown[] | undefined;
  readonly model: string;
}

export function isLoggedRequest(value: unknown): value is JsonObject {
  return isObject(value) && isObject(value.request_params) && Array.isArray(value.request_params.messages);
}

export function readRequestLog(values: readonly SessionValue[]): LoggedRun {
  const longest = longestOfEach(pairExchanges(values));
  const last = longest.at(-1);
  return {
    conversations: longest.map(conversationOf),
    tools: last !== undefined && Array.isArray(last.request.tools) ? last.request.tools : undefined,
    model: asText(last?.response?.model) || asText(last?.request.model),
  };
}

interface Exchange {
  readonly request: JsonObject;
  /** 1-based; 0 in a file that is one JSON document. */
  readonly line: number;
  response?: JsonObject;
  answerLine: number;
}

function pairExchanges(values: readonly SessionValue[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  for (const { value, line } of values) {
    if (!isObject(value)) continue;
    if (isLoggedRequest(value)) exchanges.push({ request: value.request_params as JsonObject, line, answerLine: 0 });
    const last = exchanges.at(-1);
    if (!isObject(value.response) || last === undefined || last.response !== undefined) continue;
    last.response = value.response;
    last.answerLine = line;
  }
  return exchanges;
}

/** A request that was tried again counts as it was sent last. */
function longestOfEach(exchanges: readonly Exchange[]): readonly Exchange[] {
  const longest = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const opening = openingOf(messagesOf(exchange));
    const known = longest.get(opening);
    if (known === undefined || messagesOf(exchange).length >= messagesOf(known).length) longest.set(opening, exchange);
  }
  return [...longest.values()];
}

function messagesOf({ request }: Exchange): readonly unknown[] {
  return asArray(request.messages);
}

/** What a conversation begins with, up to its task, as text: marks of the host's cache move from request to request. */
function openingOf(messages: readonly unknown[]): string {
  const task = messages.findIndex((message) => isObject(message) && message.role === "user");
  return messages
    .slice(0, task + 1)
    .map((message) => (isObject(message) ? textOf(message.content) : ""))
    .join("\n");
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return toJson(content);
  return content.map((part: unknown) => (isObject(part) ? toJson(part.text) : "")).join("");
}

function conversationOf(exchange: Exchange): ChatConversation {
  const answer = asArray(exchange.response?.choices).find(isObject)?.message;
  const history = [...messagesOf(exchange), ...(isSaid(answer) ? [answer] : [])];
  const sent = messagesOf(exchange).length;
  const read = toChatMessages(history);
  return {
    messages: read.flat(),
    lines: read.flatMap((messages, at) => messages.map(() => (at < sent ? exchange.line : exchange.answerLine))),
  };
}

function isSaid(answer: unknown): answer is JsonObject {
  if (!isObject(answer)) return false;
  return isFilledText(answer.content) || asArray(answer.content).length > 0 || asArray(answer.tool_calls).length > 0;
}
