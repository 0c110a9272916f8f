// The hook shape of hosts that hand a context around before each model call.
import { CompactError } from "../../errors.ts";
import { isObject, type JsonObject } from "../../formats/json-shape.ts";
import { isProtectedMessage, markProtected, withoutField } from "../../formats/protected.ts";
import type { CompactManager } from "../../from-config/conversation.ts";

/** What the host hands around: messages of OpenAI chat, OpenAI Responses or Anthropic, and what it sends beside them. */
export interface ModelCallContext {
  readonly session_id?: string;
  readonly sessionId?: string;
  messages: readonly unknown[];
  /** Where two formats read the messages alike: Anthropic's plain text could be OpenAI chat's. */
  readonly format?: "openai-chat" | "openai-responses" | "anthropic";
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly model?: string;
  readonly signal?: AbortSignal;
}

/**
 * A hook that puts the compacted list in the place of `ctx.messages` when compaction is due, and leaves the same array
 * when it is not. Throws what `CompactManager.preflight` throws, and `InvalidInput` for a context without a session id.
 *
 * @example
 * const runner = new Runner(agent, { hooks: { before_model_call: beforeModelCall(manager) } });
 */
export function beforeModelCall(manager: CompactManager): (ctx: ModelCallContext) => Promise<void> {
  const copies = new WeakMap<object, JsonObject>();
  return async (ctx) => {
    const { messages, session_id, sessionId = session_id, format, system, tools, model, signal } = ctx;
    if (sessionId === undefined) {
      throw new CompactError("InvalidInput", "The context of the model call names no session.", {
        hint: "Give it session_id or sessionId.",
      });
    }
    const beside = Object.entries({ format, system, tools, model, signal }).filter(([, value]) => value !== undefined);
    const sent = await manager.preflight(sessionId, messages, Object.fromEntries(beside));
    const bare = sent.map((message) => withoutMeta(message, copies));
    if (sent !== messages || bare.some((message, at) => message !== sent[at])) ctx.messages = bare;
  };
}

/** `meta` is ours: a provider would refuse it. */
function withoutMeta(message: unknown, copies: WeakMap<object, JsonObject>): unknown {
  if (!isObject(message) || message.meta === undefined) return message;
  const copy = copies.get(message) ?? withoutField(message, "meta");
  if (isProtectedMessage(message)) markProtected(copy);
  copies.set(message, copy);
  return copy;
}
