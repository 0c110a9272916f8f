// The event compaction of Google's ADK: its token-based compactor with its own summarizer, run by the two request
// processors that run it in its flow. What the second writes is what the model would get.
import {
  BaseLlm,
  CONTENT_REQUEST_PROCESSOR,
  ContextCompactorRequestProcessor,
  createSession,
  type Event,
  InvocationContext,
  LlmAgent,
  LlmSummarizer,
  PluginManager,
  TokenBasedContextCompactor,
} from "@google/adk";
import type { Peer, PeerInput, PeerModel, PeerSession } from "../peer.ts";
import { type AdkContent, AdkEvents, AGENT } from "./shared/adk-events.ts";
import { countAll, namesByCall, splitSystem } from "./shared/chat.ts";
import { Continuation } from "./shared/continuation.ts";
import { installedVersion } from "./shared/installed.ts";
import { answerTokens, SettingSearch, summaryTokens } from "./shared/settings.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

/** Of the room; a third and a half kept fewer names, since its summarizer sees no calls and no results. */
const SUMMARY_SHARE = 1 / 4;

interface Round {
  readonly events: Event[];
  readonly model: PeerModel;
  readonly answer: number;
  readonly keep: number;
}

export function adkCompaction(): Peer {
  return {
    name: "@google/adk TokenBasedContextCompactor",
    version: installedVersion("@google/adk"),
    settings:
      "triggered over the budget, LlmSummarizer with its own prompt, eventRetentionSize = the most events that leave a quarter of the room to the summary (a third and a half kept less), found by search, the model is asked for all that is then left (at most 16,000): it is told a number of events, not a size. Its summarizer shows the model the texts of events, not their calls and results.",
    usesModel: true,
    habit: "persists",
    open,
  };
}

function open(): PeerSession {
  const list = new AdkEvents();
  const rounds = new Continuation();
  const watch = new Stopwatch();
  const search = new SettingSearch();
  let events: Event[] = [];
  return {
    async compact({ messages, budget, model, count }: PeerInput) {
      const { system, rest } = splitSystem(messages);
      const added = rounds.newIn(rest);
      if (added === undefined) events = list.fromChat(rest);
      else events = [...events, ...list.fromChat(added, namesByCall(rest))];
      // Where the compaction fails, the list goes on as it is.
      rounds.remember(rest, rest);
      const room = budget - countAll(system, count);
      if (countAll(rest, count) <= room) return messages;
      const size = async (keep: number) => {
        const dry = { events: [...events], model: async () => ".", answer: 1, keep };
        return countAll(list.toChat(await compacted(dry)), count);
      };
      const reserved = summaryTokens(room, SUMMARY_SHARE);
      const fits = async (setting: number) => (await size(setting)) + reserved <= room;
      const keep = await search.largest({ low: 1, high: events.length }, fits);
      const answer = answerTokens(room - (await size(keep)));
      const contents = await watch.time(() => compacted({ events, model, answer, keep }));
      const returned = list.toChat(contents);
      rounds.remember(rest, returned);
      return [...system, ...returned];
    },
    libraryTime: () => watch.milliseconds,
  };
}

/** The compactor adds its event to `events`, which are the session's. */
async function compacted({ events, model, answer, keep }: Round): Promise<readonly AdkContent[]> {
  const context = new InvocationContext({
    invocationId: "compaction",
    agent: new LlmAgent({ name: AGENT }),
    session: createSession({ id: "session", appName: "peers", userId: "user", events }),
    pluginManager: new PluginManager(),
  });
  const summarizer = new LlmSummarizer({ llm: new AdkPeerModel(model, answer) });
  const compactor = new TokenBasedContextCompactor({ tokenThreshold: 0, eventRetentionSize: keep, summarizer });
  const request: Request = { contents: [], toolsDict: {}, liveConnectConfig: {} };
  for (const step of [new ContextCompactorRequestProcessor([compactor]), CONTENT_REQUEST_PROCESSOR]) {
    for await (const _ of step.runAsync(context, request));
  }
  return request.contents as readonly AdkContent[];
}

type Request = Parameters<BaseLlm["generateContentAsync"]>[0];

/** The model of the comparison as a model of ADK. */
class AdkPeerModel extends BaseLlm {
  readonly #ask: PeerModel;
  readonly #maxTokens: number;

  constructor(ask: PeerModel, maxTokens: number) {
    super({ model: "peer" });
    this.#ask = ask;
    this.#maxTokens = maxTokens;
  }

  override async *generateContentAsync(request: Request) {
    const prompt = (request.contents as readonly AdkContent[])
      .flatMap(({ parts = [] }) => parts.map(({ text = "" }) => text))
      .join("\n");
    const text = await this.#ask({ system: "", prompt, maxTokens: this.#maxTokens });
    yield { content: { role: "model", parts: [{ text }] } };
  }

  override connect(): Promise<never> {
    return Promise.reject(new Error("The comparison has no live connection"));
  }
}
