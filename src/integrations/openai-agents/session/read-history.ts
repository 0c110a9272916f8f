// All that a session stores. A store may answer a plain `getItems()` with a window of its own choosing.
import type { AgentInputItem, Session } from "@openai/agents";

/** The session with what its methods are given last: a store may want the run's context. */
export interface Store {
  getItems(limit?: number): Promise<AgentInputItem[]>;
  addItems(items: AgentInputItem[]): Promise<void>;
  popItem(): Promise<AgentInputItem | undefined>;
}

/** `runContext` goes only to stores that say that they take it. */
export function storeOf(session: Session, runContext: unknown): Store {
  const context = "acceptsRunContext" in session && session.acceptsRunContext === true ? [runContext] : [];
  const call = (name: keyof Store, args: readonly unknown[]) =>
    (session[name] as (...all: unknown[]) => Promise<never>).call(session, ...args, ...context);
  return {
    getItems: (limit) => call("getItems", limit === undefined && context.length === 0 ? [] : [limit]),
    addItems: (items) => call("addItems", [items]),
    popItem: () => call("popItem", []),
  };
}

/** Asks for one more than was given, and doubles, until the store gives less than it was asked for. */
export async function readHistory(store: Store): Promise<readonly AgentInputItem[]> {
  let items = await store.getItems();
  for (let limit = items.length + 1; ; limit = items.length * 2) {
    const view = await store.getItems(limit);
    if (view.length > items.length) items = view;
    if (view.length < limit) return items;
  }
}
