// The preflight of an agent's messages, with what stands beside them in its requests. LangChain's classes are loaded when the
// first list comes: whoever has an agent has them.
import type { BaseMessage } from "@langchain/core/messages";
import { toJson } from "../../formats/json-shape.ts";
import type { CompactManager } from "../../from-config/conversation.ts";
import { createHostPreflight } from "../seam/host-preflight.ts";
import { type Beside, createRequestReader, type Request, usageOf } from "./request.ts";
import type { Sessions } from "./sessions.ts";
import { toHost } from "./to-host.ts";
import { toNative } from "./to-native.ts";

/** The id that empties a state's list of messages, as LangGraph's reducer has it. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

export interface StateCompaction {
  /** `beside`: as `read` gives it, if a request was made already. The same array when nothing changed. */
  compact(
    sessionId: string,
    messages: readonly BaseMessage[],
    beside: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly BaseMessage[]>;
  /** What a request has beside its messages, as JSON. */
  read(request: Request): Promise<string>;
}

export function createStateCompaction(manager: CompactManager, sessions: Sessions): StateCompaction {
  let loaded: ReturnType<typeof load> | undefined;
  const loadOnce = () => {
    loaded ??= load(manager);
    return loaded;
  };
  return {
    async compact(sessionId, messages, beside = "{}", signal) {
      const { preflight } = await loadOnce();
      const request = JSON.parse(beside) as Beside;
      const given = { ...request, ...usageOf(messages, request), ...(signal && { signal }) };
      const sent = await preflight(messages, { ...given, sessionId });
      const before = new Set(messages);
      sessions.mark(
        sessionId,
        sent.filter((message) => !before.has(message)),
      );
      return sent;
    },
    read: async (request) => toJson((await loadOnce()).read(request)),
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
