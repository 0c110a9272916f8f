// Keeps a stored session small: when a run has been stored, its history gives way to the compacted one if that is due.
// Everything else the store can do, it does as before.
import type { AgentInputItem, OpenAIResponsesCompactionAwareSession, Session } from "@openai/agents";
import type { CompactManager } from "../../../from-config/conversation.ts";
import { createTranslator } from "../../seam/translation.ts";
import { agentItems } from "../items/agent-items.ts";
import { readHistory, storeOf } from "./read-history.ts";
import { replaceHistory } from "./replace-history.ts";
import { asStored } from "./stored-items.ts";
import { createTurns } from "./turns.ts";

export interface CompactSessionOptions {
  /** The model that the session's agents run on. Default: the manager's. */
  readonly model?: string;
}

export type CompactingSession<Store extends Session> = Store &
  Pick<OpenAIResponsesCompactionAwareSession, "runCompaction">;

/** Never while the history is being replaced. */
const IN_TURN: ReadonlySet<unknown> = new Set([
  ...["getItems", "addItems", "popItem", "clearSession", "replaceHistoryWithCompaction"],
  ...["applyHistoryMutations", "applyHistoryTransaction"],
  ...["getItemsWithCompactionOwnership", "addItemsWithCompactionOwnership"],
]);

/**
 * The same session, whose `runCompaction` (the SDK calls it when a run is stored) replaces the stored history by the
 * compacted one. All of it is read for that, whatever a caller looks at; what is added meanwhile stays behind it. The
 * manager's session is the store's id, so a later process goes on from it: give that id to `compactInputFilter` too.
 * A compaction that fails leaves the history as it is and is told in the trace (`force: true` throws it).
 * `StoreFailed` when the store does not take the compacted history.
 *
 * @example
 * const session = compactSession(new MemorySession({ sessionId: "berths" }), manager);
 * await run(agent, "Go on.", { session, callModelInputFilter: compactInputFilter(manager, { sessionId: "berths" }) });
 */
export function compactSession<Store extends Session>(
  session: Store,
  manager: CompactManager,
  { model }: CompactSessionOptions = {},
): CompactingSession<Store> {
  const translator = createTranslator(agentItems);
  const named = { format: translator.format, ...(model === undefined ? {} : { model }) };
  const inTurn = createTurns();

  const compact = async (read: readonly AgentInputItem[], isForced: boolean): Promise<readonly AgentInputItem[]> => {
    const natives = translator.toNative(read);
    const sessionId = await session.getSessionId();
    const { messages } = await manager.compact(sessionId, natives, { ...named, ifNeeded: !isForced });
    return asStored(translator.toHost(messages), read);
  };

  const runCompaction: OpenAIResponsesCompactionAwareSession["runCompaction"] = async (
    { force = false } = {},
    runContext,
  ) => {
    const store = storeOf(session, runContext);
    const read = await inTurn(() => readHistory(store));
    const compacted = await compact(read, force).catch((error: unknown) => {
      if (force) throw error;
      return read;
    });
    const isSame = compacted.length === read.length && compacted.every((item, at) => item === read[at]);
    if (!isSame) await inTurn(() => replaceHistory(session, store, read, compacted));
    return null;
  };

  return new Proxy(session, {
    has: (target, name) => name === "runCompaction" || Reflect.has(target, name),
    get(target, name) {
      if (name === "runCompaction") return runCompaction;
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return IN_TURN.has(name) ? (...args: unknown[]) => inTurn(() => value.apply(target, args)) : value.bind(target);
    },
  }) as CompactingSession<Store>;
}
