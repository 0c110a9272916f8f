// Which session a run of an agent is, kept in the run's own state: the thread's id for the agent that was asked, a session
// of its own for one that runs inside another or without a thread.
import type { BaseMessage } from "@langchain/core/messages";
import { isObject } from "../../formats/json-shape.ts";

/** Private to the middleware, by its first letter: in no input, in no output. */
export const SESSION_FIELD = "_compactSession";

/** Remembered at once; the one unused for longest leaves. */
const MOST_SESSIONS = 1_000;

export interface Sessions {
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
