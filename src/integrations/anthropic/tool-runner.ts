// A tool runner that someone made already: its history is compacted between its turns, through the runner's own way of
// setting it, so that what is compacted stays so. A runner that keeps its conversation at the provider starts a new one then.
import type { BetaToolRunner } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import type { BetaMessage } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type { CompactManager } from "../../from-config/conversation.ts";
import type { SessionChoice } from "../seam/host-preflight.ts";
import { createHistoryCompaction, findAdded, type Item } from "./runner-history.ts";

/**
 * The runner, of the same type. Iterate or await it in the place of the one given.
 *
 * ```ts
 * const runner = compactToolRunner(client.beta.messages.toolRunner({ model, max_tokens, tools, messages }), manager);
 * const answer = await runner;
 * ```
 *
 * Without `sessionId` each runner is a session of its own. What `CompactManager.preflight` throws (`InsufficientBudget`,
 * `ArchiveFailed`, `InvalidConfig`) ends the loop before the provider is asked, and rejects `done()` too.
 */
export function compactToolRunner<Stream extends boolean>(
  runner: BetaToolRunner<Stream>,
  manager: CompactManager,
  { sessionId = crypto.randomUUID() }: SessionChoice = {},
): BetaToolRunner<Stream> {
  const compact = createHistoryCompaction(runner, manager, sessionId);
  let isConsumed = false;
  async function* iterate() {
    await compact([]);
    isConsumed = true;
    const turns = runner[Symbol.asyncIterator]();
    try {
      for (let turn = await turns.next(); turn.done !== true; turn = await turns.next()) {
        const before = runner.params.messages;
        yield turn.value;
        try {
          await compact(await findAdded(runner, before, turn.value as Item));
        } catch (error) {
          // The runner has to know, for the sake of those who wait for it.
          await turns.throw?.(error);
        }
      }
    } finally {
      await turns.return?.();
    }
  }
  const runUntilDone = async () => {
    if (!isConsumed) for await (const _ of iterate());
    return runner.done();
  };
  const ours: Readonly<Record<string | symbol, unknown>> = {
    [Symbol.asyncIterator]: iterate,
    runUntilDone,
    // biome-ignore lint/suspicious/noThenProperty: runners are awaited
    then: (...handlers: Parameters<Promise<BetaMessage>["then"]>) => runUntilDone().then(...handlers),
  };
  return new Proxy(runner, {
    get(target, name) {
      if (Object.hasOwn(ours, name)) return ours[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
