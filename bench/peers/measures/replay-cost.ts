// What a session costs, cache-weighted, when a library keeps its prompt small: as in the bench of costs, one model call
// before each answer. Above the trigger the library is called with a share of the window as its budget.
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";
import { addCosts, weightOf } from "../../cost/prices.ts";
import { type KeepSmall, replay } from "../../cost/replay.ts";
import { generousModel } from "../model/generous-model.ts";
import { meter } from "../model/metered-model.ts";
import type { ChatMessage, Peer } from "../peer.ts";
import { type ChatSession, createMessageCount } from "../sessions/chat-session.ts";
import { createIntern } from "./interned.ts";

export const REPLAY_WINDOW = 128_000;
export const REPLAY_TRIGGER = 60_000;
export const REPLAY_SYSTEM = 8_000;

export interface ReplayCost {
  /** Weighted tokens, the model's calls for summaries included. */
  readonly weighted: number;
  readonly summaries: number;
  /** Calls of the library. */
  readonly compactions: number;
  readonly meanPrompt: number;
  readonly largestPrompt: number;
}

export async function measureReplay(
  peer: Peer,
  session: ChatSession,
  share: number,
  beat: () => void,
): Promise<ReplayCost> {
  const intern = createIntern();
  const count = createMessageCount();
  const { model, cost } = meter(generousModel);
  const opened = peer.open();
  const budget = Math.floor(REPLAY_WINDOW * share);
  let compactions = 0;
  const keepSmall: KeepSmall = async (given) => {
    const messages = given as readonly ChatMessage[];
    const tokens = messages.reduce((sum, message) => sum + count(message), REPLAY_SYSTEM);
    if (tokens <= REPLAY_TRIGGER) return messages;
    beat();
    compactions += 1;
    const left = await opened.compact({ messages, budget, window: REPLAY_WINDOW, model, count });
    return left.map(intern);
  };
  const replayed = await replay(
    {
      messages: session.messages.map(intern),
      format: openaiChatFormat,
      systemTokens: REPLAY_SYSTEM,
      count: (message) => count(message as ChatMessage),
      goesOnWith: peer.habit === "each call" ? "everything" : "what was sent",
    },
    keepSmall,
  );
  return {
    weighted: weightOf(addCosts(replayed.cost, cost())),
    summaries: weightOf(cost()),
    compactions,
    meanPrompt: replayed.meanPrompt,
    largestPrompt: replayed.largestPrompt,
  };
}
