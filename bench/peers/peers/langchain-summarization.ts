// `summarizationMiddleware` of langchain: older messages become a summary by the model, which replaces them for good.
// Its hook is called with the agent's state, and what it returns is applied as the agent's reducer would.
import type { BaseMessage } from "@langchain/core/messages";
import { RemoveMessage } from "@langchain/core/messages";
import { summarizationMiddleware } from "langchain";
import type { Peer, PeerInput, PeerModel, PeerSession } from "../peer.ts";
import { countAll, splitSystem } from "./shared/chat.ts";
import { installedVersion } from "./shared/installed.ts";
import { LangChainMessages } from "./shared/langchain-messages.ts";
import { LangChainPeerModel } from "./shared/langchain-model.ts";
import { answerTokens, SettingSearch, summaryTokens, tokenRange } from "./shared/settings.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

/** Of the room; a quarter and a third kept fewer names. */
const SUMMARY_SHARE = 1 / 2;

interface Round {
  readonly state: BaseMessage[];
  readonly counter: (messages: BaseMessage[]) => number;
  readonly model: PeerModel;
  readonly answer: number;
  readonly keep: number;
}

export function langchainSummarization(): Peer {
  return {
    name: "langchain summarizationMiddleware",
    version: installedVersion("langchain"),
    settings:
      "trigger and keep in our tokens (tokenCounter given): triggered over the budget, keep the largest that leaves half of the room to the summary (a quarter and a third kept less), the model's maxTokens = all that is then left, at most 16,000; its own prompt, and the whole history to summarize (trimTokensToSummarize without limit; its default shows the model 4,000 tokens).",
    usesModel: true,
    habit: "persists",
    open,
  };
}

function open(): PeerSession {
  const list = new LangChainMessages();
  const watch = new Stopwatch();
  const search = new SettingSearch();
  return {
    async compact({ messages, budget, model, count }: PeerInput) {
      const { system, rest } = splitSystem(messages);
      const room = budget - countAll(system, count);
      if (countAll(rest, count) <= room) return messages;
      const counter = list.counter(count);
      const round = { state: list.fromChat(rest), counter };
      const size = async (keep: number) =>
        counter(await summarize({ ...round, model: async () => "", answer: 1, keep }));
      const reserved = summaryTokens(room, SUMMARY_SHARE);
      const keep = await search.largest(tokenRange(room), async (setting) => (await size(setting)) + reserved <= room);
      const answer = answerTokens(room - (await size(keep)));
      const compacted = await watch.time(() => summarize({ ...round, model, answer, keep }));
      return [...system, ...list.toChat(compacted)];
    },
    libraryTime: () => watch.milliseconds,
  };
}

async function summarize({ state, counter, model, answer, keep }: Round): Promise<BaseMessage[]> {
  const options = {
    model: new LangChainPeerModel({ model, maxTokens: answer }),
    trigger: { tokens: 1 },
    keep: { tokens: keep },
    tokenCounter: async (messages: BaseMessage[]) => counter(messages),
    trimTokensToSummarize: Number.MAX_SAFE_INTEGER,
  };
  // Its options' type comes out as `never` beside another version of zod than the one it was built with.
  const middleware = summarizationMiddleware(options as never);
  const hook = middleware.beforeModel;
  if (typeof hook !== "function") throw new Error("summarizationMiddleware has no beforeModel hook");
  // biome-ignore lint/suspicious/noExplicitAny: the hook's state and runtime are the agent's; it reads only these parts.
  const update = await hook({ messages: [...state] } as any, { context: {} } as any);
  const made = (update as { messages?: BaseMessage[] } | undefined)?.messages;
  return made?.filter((message) => !RemoveMessage.isInstance(message)) ?? state;
}
