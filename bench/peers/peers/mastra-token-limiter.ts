// `TokenLimiterProcessor` of Mastra, at the stage where its agents run it: on the prompt, before the model's call.
import { aiV5ModelMessageToV2PromptMessage } from "@mastra/core/agent/message-list";
import { TokenLimiterProcessor } from "@mastra/core/processors";
import type { ModelMessage } from "ai";
import type { Peer, PeerInput, PeerSession } from "../peer.ts";
import { AiMessages } from "./shared/ai-messages.ts";
import { countAll } from "./shared/chat.ts";
import { installedVersion } from "./shared/installed.ts";
import { SettingSearch, tokenRange } from "./shared/settings.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

/** Its own count is an estimate: limits are tried up to so many of its tokens per token of the budget. */
const MOST_OWN_TOKENS = 3;

export function mastraTokenLimiter(): Peer {
  return {
    name: "Mastra TokenLimiter",
    version: installedVersion("@mastra/core"),
    settings:
      "trimMode best-fit (its default: the newest messages that fit, gaps allowed), limit = the largest whose result fits the budget in our tokens, found by search: it counts with an estimate of its own.",
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
      const prompt = list
        .fromChat(messages)
        .map(aiV5ModelMessageToV2PromptMessage as (message: ModelMessage) => unknown);
      const result = (kept: readonly unknown[]) => list.toChat(kept as ModelMessage[]);
      const fits = async (limit: number) => {
        try {
          return countAll(result(await limited(prompt, limit)), count) <= budget;
        } catch {
          // Nothing fits under so low a limit: it refuses the call.
          return true;
        }
      };
      const limit = await search.largest(tokenRange(budget * MOST_OWN_TOKENS), fits);
      return result(await watch.time(() => limited(prompt, limit)));
    },
    libraryTime: () => watch.milliseconds,
  };
}

async function limited(prompt: readonly unknown[], limit: number): Promise<readonly unknown[]> {
  const processor = new TokenLimiterProcessor({ limit });
  // biome-ignore lint/suspicious/noExplicitAny: the stage's other arguments are the agent's; it reads only the prompt.
  const result = await processor.processLLMRequest({ prompt: [...prompt] } as any);
  return (result as { prompt: readonly unknown[] } | undefined)?.prompt ?? prompt;
}
