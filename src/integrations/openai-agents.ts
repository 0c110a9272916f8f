// For `@openai/agents`: compaction before each model call, stored sessions that stay small, and the hook shape of hosts
// that have one. Its spans: `createOpenAIAgentsSink` of the root entry.
import type { CompactManager } from "../conversation.ts";
import { CompactError } from "../errors.ts";
import { isProtectedMessage, markProtected, withoutField } from "../providers/message-marks.ts";
import { isObject, type JsonObject, withoutUndefined } from "../text/json-values.ts";

export type { SessionChoice } from "./adapter/host-preflight.ts";
export {
  type CompactingSession,
  type CompactSessionOptions,
  compactSession,
} from "./openai-agents/compact-session.ts";
export { compactInputFilter } from "./openai-agents/input-filter.ts";

// The hook shape of hosts that hand a context around before each model call.

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
    const beside = withoutUndefined({ format, system, tools, model, signal });
    const sent = await manager.preflight(sessionId, messages, beside);
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
