// The preflight of an agent's messages, with what stands beside them in its requests. LangChain's classes are loaded when the
// first list comes: whoever has an agent has them.
import type { BaseMessage } from "@langchain/core/messages";
import type { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import type { CompactManager } from "../../conversation.ts";
import { asText, isFilledText, isObject, type JsonObject, toJson, withoutUndefined } from "../../text/json-values.ts";
import { resolveModel } from "../../tokens/models.ts";
import { createHostPreflight } from "../adapter/host-preflight.ts";
import { toHost, toNative } from "./messages.ts";

/** The id that empties a state's list of messages, as LangGraph's reducer has it. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

interface StateCompaction {
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

// What stands beside the messages in a request to the model: the system prompt, the tools as the provider is sent them, the
// model's name. Known only when the request is made.

interface Beside {
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly model?: string;
}

/** What is read of a model request. */
interface Request {
  readonly model: unknown;
  readonly systemMessage?: BaseMessage;
  readonly tools?: readonly unknown[];
}

function createRequestReader(convert: typeof convertToOpenAITool): (request: Request) => Beside {
  const schemas = new WeakMap<object, unknown>();
  const schemaOf = (tool: unknown) => {
    if (!isObject(tool)) return tool;
    const before = schemas.get(tool);
    if (before !== undefined) return before;
    const schema = convert(tool);
    schemas.set(tool, schema);
    return schema;
  };
  return ({ model, systemMessage, tools = [] }) => {
    const system = systemMessage?.content;
    return withoutUndefined({
      system: system?.length === 0 ? undefined : system,
      tools: tools.length === 0 ? undefined : tools.map(schemaOf),
      model: nameOf(model),
    });
  };
}

/**
 * What the provider reported for the last answer in the list, for models whose tokens it counts better than we do. The
 * session leaves aside what was reported before a compaction.
 */
function usageOf(messages: readonly BaseMessage[], { model }: Beside): { readonly usage?: unknown } {
  if (resolveModel(model).isExact) return {};
  const last = messages.findLast(({ type }) => type === "ai") as (BaseMessage & JsonObject) | undefined;
  return isObject(last?.usage_metadata) ? { usage: last.usage_metadata } : {};
}

/** Models of all providers have one of the two. */
function nameOf(model: unknown): string | undefined {
  if (!isObject(model)) return undefined;
  const name = asText(model.model) || asText(model.modelName);
  return isFilledText(name) ? name : undefined;
}

// Which session a run of an agent is, kept in the run's own state: the thread's id for the agent that was asked, a session
// of its own for one that runs inside another or without a thread.

/** Private to the middleware, by its first letter: in no input, in no output. */
export const SESSION_FIELD = "_compactSession";

/** Remembered at once; the one unused for longest leaves. */
const MOST_SESSIONS = 1_000;

interface Sessions {
  /** The one in the state, else the one that made a message of the list, else the thread's or a new one. */
  of(state: { readonly messages: readonly BaseMessage[] }, runtime: unknown): string;
  /** What the model's last request of the session had beside its messages, as JSON. */
  requestOf(sessionId: string): string | undefined;
  note(sessionId: string, request: string): void;
  /** Messages that a compaction made: a caller without checkpointer hands them to its next run. */
  mark(sessionId: string, messages: readonly BaseMessage[]): void;
}

export function createSessions(forget: (sessionId: string) => void, fixed: string | undefined): Sessions {
  const requests = new Map<string, string>();
  const makers = new WeakMap<BaseMessage, string>();
  return {
    of(state, runtime) {
      const { [SESSION_FIELD]: kept } = state as { readonly [SESSION_FIELD]?: unknown };
      if (fixed !== undefined) return fixed;
      if (typeof kept === "string") return kept;
      const made = state.messages.findLast((message) => makers.has(message));
      return (made && makers.get(made)) ?? threadOf(runtime) ?? crypto.randomUUID();
    },
    requestOf: (sessionId) => requests.get(sessionId),
    note(sessionId, request) {
      requests.delete(sessionId);
      requests.set(sessionId, request);
      const [oldest] = requests.keys();
      if (requests.size <= MOST_SESSIONS || oldest === undefined) return;
      requests.delete(oldest);
      forget(oldest);
    },
    mark(sessionId, messages) {
      for (const message of messages) makers.set(message, sessionId);
    },
  };
}

/** An agent that runs inside another is given the thread of the other. */
function threadOf(runtime: unknown): string | undefined {
  const configurable = isObject(runtime) && isObject(runtime.configurable) ? runtime.configurable : {};
  const { thread_id: thread, checkpoint_ns: place } = configurable;
  const isInside = typeof place === "string" && place.includes("|");
  return typeof thread === "string" && thread !== "" && !isInside ? thread : undefined;
}
