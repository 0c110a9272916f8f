// Replays a session turn by turn as its host would send it: the whole list each time, as JSON, streaming, with the host's marks
// for the cache. What is answered is not looked at: the answers are those of the session.
import type { Format } from "../../src/providers/format.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import type { ReplayedSession } from "../cost/sessions.ts";

export interface Turn {
  /** Of the API's path. */
  readonly path: string;
  readonly body: string;
  /** Tokens of the session's own answer. */
  readonly answerTokens: number;
}

/** Tokens of the system prompt. */
export const SYSTEM_TOKENS = 4_000;
const SYSTEM = Array.from({ length: SYSTEM_TOKENS }, () => "word").join(" ");
const counter = createTokenCounter({ encoding: "o200k_base" });

/** Of the host that sends such requests. */
export function modelOf(format: string): string {
  return format === "anthropic" ? "claude-sonnet-4-5" : "gpt-5";
}

/** One for each answer of the session. */
export function* turnsOf({ format, messages }: ReplayedSession): Generator<Turn> {
  for (let at = 0; at < messages.length; at++) {
    if (!isAnswer(messages[at], format) || at === 0 || isAnswer(messages[at - 1], format)) continue;
    let end = at;
    while (end < messages.length && isAnswer(messages[end], format)) end++;
    const list = messages.slice(0, at);
    const answerTokens = counter.countMessages(messages.slice(at, end));
    yield { ...requestOf(format.name, list), answerTokens };
  }
}

function isAnswer(message: unknown, format: Format): boolean {
  return format.view(message).role === "assistant";
}

function requestOf(format: string, list: readonly unknown[]): Pick<Turn, "path" | "body"> {
  const model = modelOf(format);
  if (format === "openai-responses") {
    const body = { model, instructions: SYSTEM, input: list, tools: [], stream: true, store: false };
    return { path: "/v1/responses", body: JSON.stringify(body) };
  }
  if (format === "openai-chat") {
    const messages = [{ role: "system", content: SYSTEM }, ...list];
    const body = { model, messages, stream: true, stream_options: { include_usage: true } };
    return { path: "/v1/chat/completions", body: JSON.stringify(body) };
  }
  const mark = { cache_control: { type: "ephemeral" } };
  const body = {
    model,
    max_tokens: 2_000,
    messages: list.map((message, at) => (at >= list.length - 2 ? marked(message, mark) : message)),
    system: [{ type: "text", text: SYSTEM, ...mark }],
    tools: [],
    stream: true,
  };
  return { path: "/v1/messages?beta=true", body: JSON.stringify(body) };
}

/** As Claude Code does: on the last block. */
function marked(message: unknown, mark: object): unknown {
  const { content } = message as { readonly content?: unknown };
  if (typeof content === "string")
    return { ...(message as object), content: [{ type: "text", text: content, ...mark }] };
  if (!Array.isArray(content) || content.length === 0) return message;
  const last = content.at(-1) as { readonly type?: string };
  if (last.type === "thinking" || last.type === "redacted_thinking") return message;
  return { ...(message as object), content: [...content.slice(0, -1), { ...last, ...mark }] };
}

/** Sends them one after another. `check` sees the body of each after its answer. */
export async function sendTurns(
  base: string,
  turns: Iterable<Turn>,
  check: (turn: Turn, headers: Headers, status: number) => void = () => undefined,
): Promise<void> {
  for (const turn of turns) {
    const response = await fetch(`${base}${turn.path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-answer-tokens": String(turn.answerTokens) },
      body: turn.body,
    });
    await response.arrayBuffer();
    check(turn, response.headers, response.status);
  }
}
