// Puts the compacted history where the read one stands. Only the items that were read are taken out, from the end, so
// what a store did not show stays; and all of them are put back when the store fails half-way.
import type { AgentInputItem, Session, SessionHistoryTransactionAwareSession } from "@openai/agents";
import { CompactError } from "../../../errors.ts";
import { readHistory, type Store } from "./read-history.ts";

/** False when `read` is no longer the head of what is stored; nothing is touched then. What was added behind it stays. */
export async function replaceHistory(
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
