// Keeps a stored session small: when a run has been stored, its history gives way to the compacted one if that is due.
// Everything else the store can do, it does as before.
import type {
  AgentInputItem,
  OpenAIResponsesCompactionAwareSession,
  Session,
  SessionHistoryTransactionAwareSession,
} from "@openai/agents";
import type { CompactManager } from "../../conversation.ts";
import { createSerialQueue } from "../../engine/serial-queue.ts";
import { CompactError } from "../../errors.ts";
import { isSameList } from "../adapter/host-preflight.ts";
import { createTranslator } from "../adapter/translation.ts";
import { agentItems } from "./items.ts";

export interface CompactSessionOptions {
  /** The model that the session's agents run on. Default: the manager's. */
  readonly model?: string;
}

export type CompactingSession<Store extends Session> = Store &
  Pick<OpenAIResponsesCompactionAwareSession, "runCompaction">;

/** Never while the history is being replaced. */
const SERIAL: ReadonlySet<unknown> = new Set([
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
  const serially = createSerialQueue();

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
    const read = await serially(() => readHistory(store));
    const compacted = await compact(read, force).catch((error: unknown) => {
      if (force) throw error;
      return read;
    });
    if (!isSameList(compacted, read)) await serially(() => replaceHistory(session, store, read, compacted));
    return null;
  };

  return new Proxy(session, {
    has: (target, name) => name === "runCompaction" || Reflect.has(target, name),
    get(target, name) {
      if (name === "runCompaction") return runCompaction;
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return SERIAL.has(name) ? (...args: unknown[]) => serially(() => value.apply(target, args)) : value.bind(target);
    },
  }) as CompactingSession<Store>;
}

// All that a session stores. A store may answer a plain `getItems()` with a window of its own choosing.

/** The session with what its methods are given last: a store may want the run's context. */
interface Store {
  getItems(limit?: number): Promise<AgentInputItem[]>;
  addItems(items: AgentInputItem[]): Promise<void>;
  popItem(): Promise<AgentInputItem | undefined>;
}

/** `runContext` goes only to stores that say that they take it. */
function storeOf(session: Session, runContext: unknown): Store {
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
async function readHistory(store: Store): Promise<readonly AgentInputItem[]> {
  let items = await store.getItems();
  for (let limit = items.length + 1; ; limit = items.length * 2) {
    const view = await store.getItems(limit);
    if (view.length > items.length) items = view;
    if (view.length < limit) return items;
  }
}

// Puts the compacted history where the read one stands. Only the items that were read are taken out, from the end, so
// what a store did not show stays; and all of them are put back when the store fails half-way.

/** False when `read` is no longer the head of what is stored; nothing is touched then. What was added behind it stays. */
async function replaceHistory(
  session: Session,
  store: Store,
  read: readonly AgentInputItem[],
  compacted: readonly AgentInputItem[],
): Promise<boolean> {
  const now = await readHistory(store);
  if (now.length < read.length || !read.every((item, at) => isSame(item, now[at]))) return false;
  const next = [...compacted, ...now.slice(read.length)];
  const stays = now.findIndex((item, at) => !isSame(item, next[at]));
  const gone = stays < 0 ? [] : now.slice(stays);
  const come = next.slice(stays < 0 ? now.length : stays);
  if (await replaceAtOnce(session, gone, come)) return true;
  return replaceByItems(store, gone, come);
}

/** In one step where the store can. It changes nothing when it cannot. */
async function replaceAtOnce(session: Session, gone: AgentInputItem[], come: AgentInputItem[]): Promise<boolean> {
  if (!("applyHistoryTransaction" in session)) return false;
  const transaction = { type: "replace_suffix", expectedSuffix: gone, replacement: come } as const;
  try {
    const { applyHistoryTransaction: apply } = session as SessionHistoryTransactionAwareSession;
    await apply.call(session, { operationId: `agent-compact-${crypto.randomUUID()}`, transaction });
    return true;
  } catch {
    return false;
  }
}

async function replaceByItems(store: Store, gone: AgentInputItem[], come: AgentInputItem[]): Promise<boolean> {
  const taken: AgentInputItem[] = [];
  try {
    for (const expected of gone.toReversed()) {
      const item = await store.popItem();
      if (item !== undefined) taken.push(item);
      if (!isSame(item, expected)) {
        // Another process wrote meanwhile.
        await store.addItems(taken.toReversed());
        return false;
      }
    }
    await store.addItems(come);
    return true;
  } catch (cause) {
    const isBack = await putBack(store, taken.toReversed(), come).then(
      () => true,
      () => false,
    );
    throw notReplaced(isBack, cause);
  }
}

/** `come` may have been stored in part. */
async function putBack(store: Store, taken: AgentInputItem[], come: readonly AgentInputItem[]): Promise<void> {
  const tail = await store.getItems(come.length);
  let stored = tail.length;
  while (stored > 0 && !tail.slice(-stored).every((item, at) => isSame(item, come[at]))) stored -= 1;
  for (let left = stored; left > 0; left -= 1) await store.popItem();
  await store.addItems(taken);
}

function notReplaced(isBack: boolean, cause: unknown): CompactError {
  const [code, hint] = isBack
    ? ["SESSION_NOT_REPLACED", "Its history is as it was, and is compacted when the next run ends."]
    : ["SESSION_NOT_RESTORED", "Its last items may be missing: agent-compact archive restore gives them back."];
  return new CompactError("StoreFailed", "The session could not store its compacted history.", { code, hint, cause });
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

// What a compaction kept is written back as it stood in the store, though the run that compacted it had copies with more
// ids or without `meta`.

function asStored(items: readonly AgentInputItem[], stored: readonly AgentInputItem[]): readonly AgentInputItem[] {
  const known = new Map(stored.map((item) => [keyOf(item), item]));
  return items.map((item) => known.get(keyOf(item)) ?? item);
}

/** The SDK stores calls and results without their ids. */
function keyOf(item: AgentInputItem): string {
  const { meta: _meta, id, ...rest } = item as unknown as Readonly<Record<string, unknown>>;
  return JSON.stringify("callId" in rest ? rest : { ...rest, id });
}
