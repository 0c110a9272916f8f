// `trimMessages` of @langchain/core: the newest messages that fit.
import { type BaseMessage, trimMessages } from "@langchain/core/messages";
import type { Peer, PeerInput, PeerSession } from "../peer.ts";
import { installedVersion } from "./shared/installed.ts";
import { LangChainMessages } from "./shared/langchain-messages.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

type Start = "human" | "ai";
type Counter = (messages: BaseMessage[]) => number;

const COMMON =
  "strategy last, maxTokens = the budget in our tokens, includeSystem, no partial messages, no endOn (a call never follows an answer, so it would only drop the last one of a session at rest)";

/** As documented for chat models with tools. */
export function langchainTrim(): Peer {
  return {
    name: "@langchain/core trimMessages",
    version: installedVersion("@langchain/core"),
    settings: `${COMMON}, startOn human, as its documentation has it; where no user message is among the newest, startOn human or ai, since it would return nothing at all.`,
    usesModel: false,
    habit: "each call",
    open: () => open([["human"], ["human", "ai"]]),
  };
}

/** What fills the budget best, where a provider takes a history that begins with an answer. */
export function langchainTrimAnywhere(): Peer {
  return {
    ...langchainTrim(),
    name: "@langchain/core trimMessages, startOn ai",
    settings: `${COMMON}, startOn human or ai: it fills the budget, and the history may begin with an answer.`,
    open: () => open([["human", "ai"]]),
  };
}

/** The first way that keeps anything. */
function open(ways: readonly (readonly Start[])[]): PeerSession {
  const watch = new Stopwatch();
  return {
    async compact(input: PeerInput) {
      const list = new LangChainMessages();
      const state = list.fromChat(input.messages);
      const counter = list.counter(input.count);
      let kept: readonly BaseMessage[] = [];
      for (const startOn of ways) {
        kept = await watch.time(() => trim(state, counter, input.budget, startOn));
        if (kept.length > 1) break;
      }
      return list.toChat(kept);
    },
    libraryTime: () => watch.milliseconds,
  };
}

/** Where nothing may start the list, it returns a list with a hole, even for the system message. */
async function trim(state: BaseMessage[], counter: Counter, budget: number, startOn: readonly Start[]) {
  const trimmed: readonly (BaseMessage | undefined)[] = await trimMessages(state, {
    strategy: "last",
    maxTokens: budget,
    tokenCounter: counter,
    includeSystem: true,
    startOn: [...startOn],
  });
  return trimmed.filter((message) => message !== undefined);
}
