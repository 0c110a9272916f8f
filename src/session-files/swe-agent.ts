// Reads what SWE-agent leaves of a run, a trajectory or the log of its model calls, into OpenAI chat messages, which
// is what it speaks with every provider.
import { markHostWritten } from "../providers/message-marks.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { type ChatConversation, chatCall, readConversations } from "./chat-conversations.ts";
import type { SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { parseDocument, readSessionValues, type SessionValue } from "./session-values.ts";

// A SWE-agent trajectory file: the history that the model was sent, or, where a file has none, the steps. Also the
// files of mini-swe-agent, which call it messages, and of runs with several attempts.

function isTrajectory(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const isMini = asText(value.trajectory_format).startsWith("mini-swe-agent") && Array.isArray(value.messages);
  return isMini || Array.isArray(value.trajectory) || asArray(value.attempts).some(isTrajectory);
}

/** One conversation, or one for each attempt where no attempt was chosen. */
function readTrajectory(value: JsonObject): readonly ChatConversation[] {
  const own = historyOf(value);
  const attempts = own.length > 0 ? [] : asArray(value.attempts).filter(isObject).map(historyOf);
  return [own, ...attempts].map((history) => {
    const messages = toChatMessages(history).flat();
    return { messages, lines: messages.map(() => 0) };
  });
}

function historyOf({ history, messages, trajectory }: JsonObject): readonly unknown[] {
  const sent = [history, messages].map(asArray).find((list) => list.length > 0);
  return sent ?? asArray(trajectory).filter(isObject).flatMap(entriesOfStep);
}

function entriesOfStep(step: JsonObject): readonly JsonObject[] {
  const { response, observation } = step;
  const answer = isFilledText(response) ? response : thoughtAndAction(step, false);
  return [
    ...(answer === "" ? [] : [{ role: "assistant", content: answer }]),
    ...(isFilledText(observation) ? [{ role: "user", content: observation }] : []),
  ];
}

/** As the run's configuration names it: an object, or its JSON. */
function modelOf({ replay_config: config, info }: JsonObject): string {
  const replayed = typeof config === "string" ? parseDocument(config)?.value : config;
  const places = [field(field(field(replayed, "agent"), "model"), "name"), minisModel(info)];
  return places.map(asText).find((name) => name !== "") ?? "";
}

function minisModel(info: unknown): unknown {
  return field(field(field(info, "config"), "model"), "model_name");
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

// The log of a SWE-agent run's model calls, a request and a response a line. Each request sends the grown history
// again, so of each conversation only the longest request counts, with the answer to it.

interface LoggedRun {
  /** In the order in which they began. */
  readonly conversations: readonly ChatConversation[];
  /** Of the last conversation. */
  readonly tools: readonly unknown[] | undefined;
  readonly model: string;
}

function isLoggedRequest(value: unknown): value is JsonObject {
  return isObject(value) && isObject(value.request_params) && Array.isArray(value.request_params.messages);
}

function readRequestLog(values: readonly SessionValue[]): LoggedRun {
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
  const history = [...messagesOf(exchange), ...(isAnswer(answer) ? [answer] : [])];
  const sent = messagesOf(exchange).length;
  const read = toChatMessages(history);
  return {
    messages: read.flat(),
    lines: read.flatMap((messages, at) => messages.map(() => (at < sent ? exchange.line : exchange.answerLine))),
  };
}

function isAnswer(answer: unknown): answer is JsonObject {
  if (!isObject(answer)) return false;
  return isFilledText(answer.content) || asArray(answer.content).length > 0 || asArray(answer.tool_calls).length > 0;
}

// One entry of a SWE-agent history as the OpenAI chat message that was sent: the bookkeeping beside it (agent, thought,
// action, cache marks) goes, what is told in the host's own fields (call ids, thinking) moves to the provider's.

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"]);

/**
 * The messages of a history; for each entry a list, since results of parallel calls share one and some say nothing. Nobody
 * types while the agent works: after its first answer, what stands in the user's place is the host's.
 */
function toChatMessages(history: readonly unknown[]): readonly (readonly JsonObject[])[] {
  let hasAnswered = false;
  return history.map((given) => {
    if (!isObject(given)) return [];
    const entry = asChatEntry(given);
    if (entry.role === "assistant") hasAnswered = true;
    return toMessages(entry, hasAnswered);
  });
}

function toMessages(entry: JsonObject, hasAnswered: boolean): readonly JsonObject[] {
  switch (entry.role) {
    case "assistant":
      return [answerOf(entry)];
    case "tool":
      return resultsOf(entry);
    case "user": {
      const message = { role: "user", content: contentOf(entry.content) };
      return [hasAnswered || entry.is_demo === true ? markHostWritten(message) : message];
    }
    default: {
      const isKnown = ROLES.has(entry.role);
      if (!isKnown && !isFilledText(entry.content)) return [];
      const message = { role: isKnown ? entry.role : "user", content: contentOf(entry.content) };
      return [isKnown ? message : markHostWritten(message)];
    }
  }
}

function answerOf(entry: JsonObject): JsonObject {
  const calls = asArray(entry.tool_calls).filter(isObject).map(callOf);
  const thinking = thinkingOf(entry);
  const said = contentOf(entry.content);
  const content = said === "" || said === null ? thoughtAndAction(entry, calls.length > 0) : said;
  return {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    ...(thinking === "" ? {} : { reasoning_content: thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Kept beside the answer by every version; a call says itself what was done. */
function thoughtAndAction({ thought, action }: JsonObject, isCalled: boolean): string {
  return [thought, isCalled ? "" : action].filter(isFilledText).join("\n");
}

function callOf(call: JsonObject): JsonObject {
  const target = isObject(call.function) ? call.function : {};
  return chatCall(call.id, target.name, target.arguments);
}

function thinkingOf({ thinking_blocks: blocks, reasoning_content: reasoning }: JsonObject): string {
  if (isFilledText(reasoning)) return reasoning;
  const texts = asArray(blocks).flatMap((block) => (isObject(block) ? asText(block.thinking) : []));
  return texts.filter((text) => text !== "").join("\n\n");
}

/** An observation answers all calls of its step at once: its text stands with the first. */
function resultsOf(entry: JsonObject): readonly JsonObject[] {
  const ids = asArray(entry.tool_call_ids).filter(isFilledText);
  const [first = asText(entry.tool_call_id), ...others] = ids;
  return [
    { role: "tool", tool_call_id: first, content: contentOf(entry.content) ?? "" },
    ...others.map((id) => ({ role: "tool", tool_call_id: id, content: "[See the result before.]" })),
  ];
}

function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null;
  return content.map((part: unknown) => {
    if (!isObject(part) || !("cache_control" in part)) return part;
    const { cache_control: _mark, ...rest } = part;
    return rest;
  });
}

export const sweAgentReader: SessionReader = {
  name: "swe-agent",
  title: "SWE-agent run",
  matches: (values) => isTrajectory(values[0]) || values.some(isLoggedRequest),
  read: readSweAgentRun,
};

/** Reads the text of a trajectory or a request log. Never throws: a file without a message gives an empty list. */
export function readSweAgentRun(from: SessionText): SessionRead {
  const { values, faults } = readSessionValues(from);
  const trajectories = values.map(({ value }) => value).filter(isTrajectory);
  const { conversations, tools, model } =
    trajectories.length > 0 ? readTrajectories(trajectories) : readRequestLog(values);
  return readConversations(conversations, faults, { sessionId: sessionIdOf(values), tools, model });
}

function readTrajectories(trajectories: readonly JsonObject[]): LoggedRun {
  const models = trajectories.map(modelOf).filter((name) => name !== "");
  return { conversations: trajectories.flatMap(readTrajectory), tools: undefined, model: models.at(-1) ?? "" };
}

/** mini-swe-agent names the task; the others leave that to the file's name. */
function sessionIdOf(values: readonly SessionValue[]): string | undefined {
  const ids = values.map(({ value }) => (isObject(value) ? asText(value.instance_id) : ""));
  return ids.find((id) => id !== "");
}

// Entries of a run that spoke with the Responses endpoint: mini-swe-agent keeps each response whole, and the outputs of
// its calls as items. As entries of the chat kind, which every other run has.

/** The same entry where it is none of these. */
function asChatEntry(entry: JsonObject): JsonObject {
  if (entry.role === undefined && Array.isArray(entry.output)) return chatAnswer(entry.output.filter(isObject));
  if (entry.type === "function_call_output") {
    return { role: "tool", tool_call_id: asText(entry.call_id), content: entry.output };
  }
  return entry;
}

function chatAnswer(items: readonly JsonObject[]): JsonObject {
  const calls = items.filter(({ type }) => type === "function_call");
  return {
    role: "assistant",
    content: textsIn(items.filter(({ type }) => type === "message").map(({ content }) => content)),
    reasoning_content: textsIn(items.filter(({ type }) => type === "reasoning").map(({ summary }) => summary)),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map(({ call_id: id, name, arguments: given }) => chatCall(id, name, given)) }),
  };
}

function textsIn(contents: readonly unknown[]): string {
  const texts = contents
    .flatMap(asArray)
    .map((part) => (isObject(part) ? asText(part.text) || asText(part.refusal) : ""));
  return texts.filter(isFilledText).join("\n\n");
}
