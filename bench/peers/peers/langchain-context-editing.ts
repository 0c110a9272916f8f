// `contextEditingMiddleware` of langchain: results of older tool calls are cleared before each model call.
// Its hook is called as the agent does; what it hands on is the list that the model would get.
import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { ClearToolUsesEdit, contextEditingMiddleware } from "langchain";
import type { Peer, PeerInput, PeerSession } from "../peer.ts";
import { countAll, splitSystem } from "./shared/chat.ts";
import { installedVersion } from "./shared/installed.ts";
import { LangChainMessages } from "./shared/langchain-messages.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

export function langchainContextEditing(): Peer {
  return {
    name: "langchain contextEditingMiddleware",
    version: installedVersion("langchain"),
    settings:
      "ClearToolUsesEdit, triggered over the budget; keep = the most tool results that fit the budget, reckoned from their sizes; calls' arguments are cleared too only where clearing every result is not enough.",
    usesModel: false,
    habit: "each call",
    open,
  };
}

function open(): PeerSession {
  const watch = new Stopwatch();
  /** A history that grows needs no less than it did. */
  let clearToolInputs = false;
  return {
    async compact({ messages, budget, count }: PeerInput) {
      const { system, rest } = splitSystem(messages);
      const room = budget - countAll(system, count);
      if (countAll(rest, count) <= room) return messages;
      const list = new LangChainMessages();
      const state = list.fromChat(rest);
      const counter = list.counter(count);
      // All kept: without the results whose call is missing, which it removes first.
      const whole = await clear(state, rest.length, false);
      let emptied = await watch.time(() => clear(state, 0, clearToolInputs));
      if (!clearToolInputs && counter(emptied) > room) {
        clearToolInputs = true;
        emptied = await watch.time(() => clear(state, 0, clearToolInputs));
      }
      const keep = mostResults(whole, emptied, (message) => counter([message]), room);
      const edited = keep === 0 ? emptied : await watch.time(() => clear(state, keep, clearToolInputs));
      return [...system, ...list.toChat(edited)];
    },
    libraryTime: () => watch.milliseconds,
  };
}

/**
 * The most results that fit, from the sizes with all and with none: the newest stand as in `whole`, older ones as in
 * `emptied`. An answer of which any call is kept counts as whole.
 */
function mostResults(
  whole: readonly BaseMessage[],
  emptied: readonly BaseMessage[],
  size: (message: BaseMessage) => number,
  room: number,
): number {
  let total = emptied.reduce((sum, message) => sum + size(message), 0);
  let kept = 0;
  let reached = whole.length;
  for (let index = whole.length - 1; index >= 0; index--) {
    const message = whole[index];
    if (message === undefined || !ToolMessage.isInstance(message)) continue;
    let from = index;
    while (from > 0 && ToolMessage.isInstance(whole[from])) from--;
    const grown = [index, ...(from < reached ? [from] : [])];
    for (const at of grown) total += sizeAt(whole, at, size) - sizeAt(emptied, at, size);
    if (total > room) break;
    reached = from;
    kept++;
  }
  return kept;
}

function sizeAt(list: readonly BaseMessage[], index: number, size: (message: BaseMessage) => number): number {
  const message = list[index];
  return message === undefined ? 0 : size(message);
}

async function clear(state: readonly BaseMessage[], keep: number, clearToolInputs: boolean): Promise<BaseMessage[]> {
  const middleware = contextEditingMiddleware({
    edits: [new ClearToolUsesEdit({ trigger: { tokens: 1 }, keep: { messages: keep }, clearToolInputs })],
  });
  const hook = middleware.wrapModelCall;
  if (hook === undefined) throw new Error("contextEditingMiddleware has no wrapModelCall hook");
  let sent: BaseMessage[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the hook's request and answer are the agent's; it reads only the messages.
  const call = hook as (request: any, handler: (request: any) => any) => unknown;
  await call({ messages: [...state] }, (request: { messages: BaseMessage[] }) => {
    sent = request.messages;
    return undefined;
  });
  return sent;
}
