// The plain Anthropic client and its tool runner. Decides which requests carry a conversation; the wrapping is in adapter/.
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import type { BetaToolRunner, BetaToolRunnerParams } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import type {
  BetaMemoryTool20250818Command,
  BetaMessage,
  BetaMessageParam,
} from "@anthropic-ai/sdk/resources/beta/messages/messages";
import { CompactManager } from "../conversation.ts";
import { MESSAGES_REQUEST } from "../providers/list-requests.ts";
import type { JsonObject } from "../text/json-values.ts";
import type { SessionChoice } from "./adapter/host-preflight.ts";
import { composeWith, createClientPreflight, wrapClient } from "./adapter/provider-client.ts";

export type { SessionChoice } from "./adapter/host-preflight.ts";

/**
 * The client, of the same type, with compaction before each request that carries a conversation: `messages.create`,
 * `stream`, `parse`, the same of `beta.messages`, and its `toolRunner`. All else passes through (`countTokens` counts what it
 * is given), the client given and the caller's lists are untouched, and `withOptions` keeps the compaction. Marks for the
 * cache go out where the caller has them, thinking blocks as they came.
 *
 * ```ts
 * const client = withCompaction(new Anthropic());
 * await client.messages.create({ model: "claude-sonnet-4-5", max_tokens: 4096, system, tools, messages });
 * ```
 *
 * Without a manager: one with all defaults. Without `sessionId` each conversation is told by its messages, so that one
 * client serves many. What goes on from a thread that the provider holds goes out as it is: it is only what is new.
 * `toolRunner` sends its whole history instead of using such a thread.
 *
 * What `CompactManager.preflight` throws (`InsufficientBudget`, `ArchiveFailed`, `InvalidConfig` with the code
 * `UNKNOWN_MODEL`) rejects the call before the provider is asked; a stream has it as the `cause` of its error.
 * The manager's window less `reservedOutputTokens` is for the prompt: set that to the `max_tokens` you ask for.
 */
export function withCompaction<Client extends object>(
  client: Client,
  manager: CompactManager = new CompactManager(),
  choice: SessionChoice = {},
): Client {
  const messages = composeWith(createClientPreflight(manager, "anthropic", choice), MESSAGES_REQUEST);
  return wrapClient(client, {
    resources: ["messages", "beta"],
    bodies: new Map([
      ["/v1/messages", messages],
      ["/v1/messages?beta=true", messages],
    ]),
    finish: sendWholeHistory,
  });
}

// The tool runner keeps its conversation at the provider where it can. There it only grows: a runner of a wrapped client
// sends its whole history instead, which is then compacted like any other list.

interface RunsTools {
  toolRunner(body: BetaToolRunnerParams, options?: unknown): unknown;
}

/** `wrapped`: a client whose resources are copies. */
function sendWholeHistory(wrapped: object): void {
  const { beta } = wrapped as { readonly beta?: { readonly messages?: Partial<RunsTools> } };
  const messages = beta?.messages;
  const toolRunner = messages?.toolRunner;
  if (messages === undefined || toolRunner === undefined) return;
  messages.toolRunner = (body, options) => toolRunner.call(messages, { ...body, thread: false }, options);
}

// A tool runner that someone made already: its history is compacted between its turns, through the runner's own way of
// setting it, so that what is compacted stays so. A runner that keeps its conversation at the provider starts a new one then.

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

// The history of a tool runner between two turns: what the last one brought, and the whole of it compacted.

/** What a runner yields: a message, or the stream of one. */
type Item = BetaMessage | { finalMessage(): Promise<BetaMessage> };

/** Adds to the runner's history what its last turn brought, if that is due for compaction. */
function createHistoryCompaction<Stream extends boolean>(
  runner: BetaToolRunner<Stream>,
  manager: CompactManager,
  sessionId: string,
): (added: readonly BetaMessageParam[] | undefined) => Promise<void> {
  const preflight = createClientPreflight(manager, "anthropic", { sessionId });
  return async (added) => {
    if (added === undefined) return;
    const { messages, system, tools, model } = runner.params;
    const list = [...messages, ...added] as unknown as readonly JsonObject[];
    const sent = await preflight(list, { model, tools, ...(system === undefined ? {} : { system }) });
    if (sent === list) return;
    runner.setMessagesParams((params) => ({ ...params, messages: [...sent] as unknown as BetaMessageParam[] }));
  };
}

/**
 * The answer and the results of its calls, which the runner keeps for itself, so that no call runs twice. Nothing where the
 * caller took over the history in its loop; undefined when there is no next turn, or it resumes this one.
 */
async function findAdded<Stream extends boolean>(
  runner: BetaToolRunner<Stream>,
  before: readonly BetaMessageParam[],
  item: Item,
): Promise<readonly BetaMessageParam[] | undefined> {
  const { messages } = runner.params;
  if (messages.length !== before.length || messages.some((message, at) => message !== before[at])) return [];
  const { content, stop_reason: reason } = "finalMessage" in item ? await item.finalMessage() : item;
  if (reason !== "tool_use") return undefined;
  const results = await runner.generateToolResponse();
  return results === null ? undefined : [{ role: "assistant", content }, results];
}

// Anthropic's memory tool over a workspace: the SDK's own file handling, which lets no path out of the folder.

/**
 * The tool `memory_20250818` for a tool runner: what the model views, creates, edits, renames and deletes below `/memories`
 * are the files in `memories/` of the workspace, made where it is not there. That folder is a memory that `memory-files`
 * knows: what the model writes is analysed, tidied and restored like any other. Node only.
 *
 * ```ts
 * const tools = [await memoryTool("workspace")];
 * await client.beta.messages.toolRunner({ model, max_tokens, tools, messages });
 * ```
 *
 * Throws what loading the SDK's tool and making the folder throw.
 */
export async function memoryTool(workspace: string): Promise<BetaRunnableTool<BetaMemoryTool20250818Command>> {
  const { BetaLocalFilesystemMemoryTool, betaMemoryTool } = await import("@anthropic-ai/sdk/tools/memory/node");
  return betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(workspace));
}
