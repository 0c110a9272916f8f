// LangChain agents: a middleware that compacts the agent's state before each model call, so that what is compacted stays so
// in the state and in its checkpoints. How messages are read is in langchain/.
import type { BaseMessage } from "@langchain/core/messages";
import type { AgentMiddleware } from "langchain";
import * as z from "zod";
import { toJson } from "../formats/json-shape.ts";
import type { CompactManager } from "../from-config/conversation.ts";
import { withAdvice } from "./clients/client-preflight.ts";
import { type Beside, createRequestReader, lastUsage } from "./langchain/request.ts";
import { createSessions, SESSION_FIELD } from "./langchain/sessions.ts";
import { toHost } from "./langchain/to-host.ts";
import { toNative } from "./langchain/to-native.ts";
import { createHostPreflight, type SessionChoice } from "./seam/host-preflight.ts";

export type { SessionChoice } from "./seam/host-preflight.ts";

/** The id that empties a state's list of messages, as LangGraph's reducer has it. */
const REMOVE_ALL_MESSAGES = "__remove_all__";

/**
 * For `createAgent`. Replaces the messages of the agent's state when they are due for compaction; those that stay are the
 * same objects, with their ids. System prompt, tools and model are counted as the last request had them, and once more
 * where a request has others.
 *
 * ```ts
 * const agent = createAgent({ model, tools, middleware: [compactMiddleware(new CompactManager())] });
 * ```
 *
 * A session is a thread (`thread_id`); an agent that runs inside another, or without a thread, has one of its own. Agents
 * that share a thread's id but not its state need a manager each. What `CompactManager.preflight` throws
 * (`InsufficientBudget`, `ArchiveFailed`, `InvalidConfig` with the code `UNKNOWN_MODEL`) rejects `invoke`; the model is not
 * asked, and the state stays as it was.
 */
export function compactMiddleware(
  manager: CompactManager,
  { sessionId }: SessionChoice = {},
): AgentMiddleware<undefined, undefined, unknown, readonly []> {
  const sessions = createSessions((forgotten) => void manager.forget(forgotten), sessionId);
  let loaded: ReturnType<typeof load> | undefined;
  const compact = async (session: string, messages: readonly BaseMessage[], beside: Beside, signal?: AbortSignal) => {
    loaded ??= load(manager);
    const { preflight } = await loaded;
    const given = { ...beside, ...lastUsage(messages), ...(signal === undefined ? {} : { signal }) };
    try {
      const sent = await preflight(messages, { ...given, sessionId: session });
      if (sent !== messages) sessions.mark(session, sent.filter((message) => !messages.includes(message)));
      return sent;
    } catch (error) {
      throw withAdvice(error);
    }
  };
  return {
    // What `createMiddleware` makes, without a need to load LangChain before its user does.
    ...{ [Symbol.for("AgentMiddleware")]: true },
    name: "CompactMiddleware",
    stateSchema: z.object({ [SESSION_FIELD]: z.string().optional() }) as never,
    beforeAgent: (state, runtime) => ({ [SESSION_FIELD]: sessions.of(state, runtime) }),
    async beforeModel(state, runtime) {
      const session = sessions.of(state, runtime);
      const beside = JSON.parse(sessions.requestOf(session) ?? "{}") as Beside;
      const sent = await compact(session, state.messages, beside, runtime.signal);
      if (sent === state.messages) return undefined;
      const { RemoveMessage } = await import("@langchain/core/messages");
      return { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...sent] };
    },
    async wrapModelCall(request, handler) {
      const session = sessions.of(request.state, request.runtime);
      loaded ??= load(manager);
      const beside = (await loaded).read(request);
      if (toJson(beside) === sessions.requestOf(session)) return handler(request);
      sessions.note(session, toJson(beside));
      const sent = await compact(session, request.messages, beside, request.runtime.signal);
      return handler(sent === request.messages ? request : { ...request, messages: [...sent] });
    },
  };
}

async function load(manager: CompactManager) {
  const messages = await import("@langchain/core/messages");
  const { convertToOpenAITool } = await import("@langchain/core/utils/function_calling");
  const preflight = createHostPreflight<BaseMessage>(manager, {
    format: "openai-chat",
    toNative,
    toHost: (native, source) => toHost(native, source, messages),
  });
  return { preflight, read: createRequestReader(convertToOpenAITool) };
}
