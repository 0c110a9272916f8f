// `pruneMessages` of the `ai` SDK: reasoning and the tool calls of older messages go, texts stay.
import { type ModelMessage, pruneMessages } from "ai";
import type { Peer, PeerInput, PeerSession } from "../peer.ts";
import { AiMessages } from "./shared/ai-messages.ts";
import { countAll } from "./shared/chat.ts";
import { installedVersion } from "./shared/installed.ts";
import { SettingSearch } from "./shared/settings.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

export function aiPrune(): Peer {
  return {
    name: "ai pruneMessages",
    version: installedVersion("ai"),
    settings:
      "reasoning all, emptyMessages remove, toolCalls before-last-N-messages with the largest N that fits the budget, found by search, or all where no N does. It has no budget and never removes a text: what those alone exceed stays over the budget.",
    usesModel: false,
    habit: "each call",
    open,
  };
}

function open(): PeerSession {
  const watch = new Stopwatch();
  const search = new SettingSearch();
  return {
    async compact({ messages, budget, count }: PeerInput) {
      if (countAll(messages, count) <= budget) return messages;
      const list = new AiMessages();
      const state = list.fromChat(messages);
      const fits = (keep: number) => countAll(list.toChat(pruned(state, keep)), count) <= budget;
      const keep = await search.largest({ low: 0, high: state.length }, fits);
      return list.toChat(await watch.time(() => pruned(state, keep)));
    },
    libraryTime: () => watch.milliseconds,
  };
}

function pruned(messages: ModelMessage[], keep: number): ModelMessage[] {
  const toolCalls = keep === 0 ? "all" : ([{ type: `before-last-${keep}-messages` }] as const);
  return pruneMessages({
    messages,
    reasoning: "all",
    toolCalls: toolCalls as "all",
    emptyMessages: "remove",
  });
}
