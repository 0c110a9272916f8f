// LangChain agents: a middleware that compacts the agent's state before each model call, so that what is compacted stays so
// in the state and in its checkpoints. How messages are read, and which session they are of, is in langchain/.
import type { AgentMiddleware } from "langchain";
import * as z from "zod";
import type { CompactManager } from "../conversation.ts";
import type { SessionChoice } from "./adapter/host-preflight.ts";
import {
  createSessions,
  createStateCompaction,
  REMOVE_ALL_MESSAGES,
  SESSION_FIELD,
} from "./langchain/state-compaction.ts";

export type { SessionChoice } from "./adapter/host-preflight.ts";

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
  const { compact, read } = createStateCompaction(manager, sessions);
  return {
    // What `createMiddleware` makes, without a need to load LangChain before its user does.
    ...{ [Symbol.for("AgentMiddleware")]: true },
    name: "CompactMiddleware",
    stateSchema: z.object({ [SESSION_FIELD]: z.string().optional() }) as never,
    beforeAgent: (state, runtime) => ({ [SESSION_FIELD]: sessions.of(state, runtime) }) as object,
    async beforeModel(state, runtime) {
      const session = sessions.of(state, runtime);
      const sent = await compact(session, state.messages, sessions.requestOf(session), runtime.signal);
      if (sent === state.messages) return undefined;
      const { RemoveMessage } = await import("@langchain/core/messages");
      return { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...sent] };
    },
    async wrapModelCall(request, handler) {
      const session = sessions.of(request.state, request.runtime);
      const beside = await read(request);
      if (beside === sessions.requestOf(session)) return handler(request);
      sessions.note(session, beside);
      // What is compacted here is so for this request; the state follows before the next one.
      const sent = await compact(session, request.messages, beside, request.runtime.signal);
      return handler(sent === request.messages ? request : { ...request, messages: [...sent] });
    },
  };
}
