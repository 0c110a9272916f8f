// The summarization of deepagents: older messages go to a file of its backend, a summary by the model stands for them.
// Its hook is called as the agent does; the state it returns is kept from round to round, as the agent's graph would.
import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage } from "@langchain/core/messages";
import { InMemoryStore } from "@langchain/langgraph";
import { createSummarizationMiddleware, StoreBackend } from "deepagents";
import type { Peer, PeerInput, PeerModel, PeerSession } from "../peer.ts";
import { countAll, splitSystem } from "./shared/chat.ts";
import { Continuation } from "./shared/continuation.ts";
import { installedVersion } from "./shared/installed.ts";
import { LangChainMessages } from "./shared/langchain-messages.ts";
import { LangChainPeerModel } from "./shared/langchain-model.ts";
import { answerTokens, SettingSearch, summaryTokens, tokenRange } from "./shared/settings.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

/** Of the room; a quarter and a third kept fewer names. */
const SUMMARY_SHARE = 1 / 2;
/** Its keep is in tokens of four characters: so many of those at most per token of the room. */
const MOST_OWN_TOKENS = 2;

/** What the agent's graph keeps: every message ever, and from where on a summary stands for them. */
interface State {
  readonly messages: readonly BaseMessage[];
  readonly _summarizationEvent?: unknown;
  readonly _summarizationSessionId?: string;
}

interface Round {
  readonly state: State;
  readonly model: PeerModel;
  readonly answer: number;
  readonly keep: number;
  readonly store: InMemoryStore;
}

interface Sent {
  readonly messages: readonly BaseMessage[];
  readonly update: Partial<State>;
}

export function deepagentsSummarization(): Peer {
  return {
    name: "deepagents createSummarizationMiddleware",
    version: installedVersion("deepagents"),
    settings:
      "triggered over the budget; keep in tokens (its own, of four characters), the largest that leaves half of the room to the summary (a quarter and a third kept less), found by search, the model's maxTokens = all that is then left, at most 16,000; its own prompt, the whole history to summarize, its store backend in memory (a model could read the file it names; that is not counted as kept).",
    usesModel: true,
    habit: "persists",
    open,
  };
}

function open(): PeerSession {
  const list = new LangChainMessages();
  const rounds = new Continuation();
  const watch = new Stopwatch();
  const search = new SettingSearch();
  const store = new InMemoryStore();
  let state: State = { messages: [] };
  return {
    async compact({ messages, budget, model, count }: PeerInput) {
      const { system, rest } = splitSystem(messages);
      const added = rounds.newIn(rest);
      if (added === undefined) state = { messages: list.fromChat(rest) };
      else state = { ...state, messages: [...state.messages, ...list.fromChat(added)] };
      // Where the compaction fails, the list goes on as it is.
      rounds.remember(rest, rest);
      const room = budget - countAll(system, count);
      if (countAll(rest, count) <= room) return messages;
      const counter = list.counter(count);
      const size = async (keep: number) => {
        const dry = { state, model: async () => "", answer: 1, keep, store: new InMemoryStore() };
        return counter([...(await summarize(dry)).messages]);
      };
      const reserved = summaryTokens(room, SUMMARY_SHARE);
      const fits = async (setting: number) => (await size(setting)) + reserved <= room;
      const keep = await search.largest(tokenRange(room * MOST_OWN_TOKENS), fits);
      const answer = answerTokens(room - (await size(keep)));
      const sent = await watch.time(() => summarize({ state, model, answer, keep, store }));
      state = { ...state, ...sent.update };
      const compacted = list.toChat(sent.messages);
      rounds.remember(rest, compacted);
      return [...system, ...compacted];
    },
    libraryTime: () => watch.milliseconds,
  };
}

async function summarize({ state, model, answer, keep, store }: Round): Promise<Sent> {
  const chat = new LangChainPeerModel({ model, maxTokens: answer });
  const middleware = createSummarizationMiddleware({
    model: chat,
    backend: new StoreBackend({ store, namespace: ["history"] }),
    trigger: { type: "tokens", value: 1 },
    keep: { type: "tokens", value: keep },
  });
  const hook = middleware.wrapModelCall;
  if (hook === undefined) throw new Error("createSummarizationMiddleware has no wrapModelCall hook");
  let sent: readonly BaseMessage[] = [];
  const request = { messages: [...state.messages], state, model: chat, tools: [], runtime: {} };
  // biome-ignore lint/suspicious/noExplicitAny: the hook's request and answer are the agent's; it reads only these parts.
  const call = hook as (request: any, handler: (request: any) => Promise<AIMessage>) => unknown;
  const answered = await call(request, async (handed: { messages: BaseMessage[] }) => {
    sent = handed.messages;
    return new AIMessage("");
  });
  return { messages: sent, update: (answered as { update?: Partial<State> }).update ?? {} };
}
