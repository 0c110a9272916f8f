// The compaction of pi's coding agent: an agent session in memory holds the conversation, its `compact` (what the
// `/compact` command calls) compacts it, and what its next call would send is read back.
import { findCutPoint, SessionManager } from "@earendil-works/pi-coding-agent";
import type { ChatMessage, Peer, PeerInput, PeerSession } from "../peer.ts";
import { countAll, namesByCall, splitSystem } from "./shared/chat.ts";
import { Continuation } from "./shared/continuation.ts";
import { installedVersion } from "./shared/installed.ts";
import { withPiAgent } from "./shared/pi-agent.ts";
import { PiMessages } from "./shared/pi-messages.ts";
import { answerTokens, SettingSearch, summaryTokens, tokenRange } from "./shared/settings.ts";
import { Stopwatch } from "./shared/stopwatch.ts";

/** Of the room; a quarter and a half kept fewer names. */
const SUMMARY_SHARE = 1 / 3;
/** Its keepRecentTokens is in tokens of four characters: so many of those at most per token of the room. */
const MOST_OWN_TOKENS = 2;
/** The line and the tags around its summary, and the title between its two parts. */
const FRAME_TOKENS = 60;

export function piCompaction(): Peer {
  return {
    name: "pi compaction",
    version: installedVersion("@earendil-works/pi-coding-agent"),
    settings:
      "keepRecentTokens (its own, of four characters) = the largest that leaves a third of the room to the summary (a quarter and a half kept less), found by search with its findCutPoint; the model's output limit is all that is then left (at most 16,000), half of it where a turn is split, since it then asks for two summaries. Retries are off, so that a failing model is seen at once.",
    usesModel: true,
    habit: "persists",
    open,
  };
}

interface Cut {
  readonly kept: number;
  readonly isSplitTurn: boolean;
}

function open(): PeerSession {
  const list = new PiMessages();
  const rounds = new Continuation();
  const watch = new Stopwatch();
  const search = new SettingSearch();
  let session = SessionManager.inMemory();
  return {
    async compact({ messages, budget, window, model, count }: PeerInput) {
      const { system, rest } = splitSystem(messages);
      const added = rounds.newIn(rest);
      if (added === undefined) session = SessionManager.inMemory();
      for (const message of list.fromChat(added ?? rest, namesByCall(rest))) session.appendMessage(message);
      // Where the compaction fails, the list goes on as it is.
      rounds.remember(rest, rest);
      const room = budget - countAll(system, count);
      if (countAll(rest, count) <= room) return messages;
      const cutAt = (keep: number) => cut(session, list, keep, count);
      const reserved = summaryTokens(room, SUMMARY_SHARE) + FRAME_TOKENS;
      const fits = (keep: number) => cutAt(keep).kept + reserved <= room;
      const keepRecentTokens = await search.largest(tokenRange(room * MOST_OWN_TOKENS), fits);
      const { kept, isSplitTurn } = cutAt(keepRecentTokens);
      const answer = Math.floor(answerTokens(room - kept - FRAME_TOKENS) / (isSplitTurn ? 2 : 1));
      const settings = { model, answer, window, keepRecentTokens };
      await withPiAgent(session, settings, (agent) => watch.time(() => agent.compact()));
      const returned = list.toChat(session.buildSessionContext().messages);
      rounds.remember(rest, returned);
      return [...system, ...returned];
    },
    libraryTime: () => watch.milliseconds,
  };
}

/** What would stay word for word: of what stands after the last summary, as pi cuts it. */
function cut(session: SessionManager, list: PiMessages, keep: number, count: (message: ChatMessage) => number): Cut {
  const entries = session.getBranch();
  const last = entries.findLast((entry) => entry.type === "compaction");
  const start = Math.max(
    0,
    entries.findIndex(({ id }) => id === last?.firstKeptEntryId),
  );
  const { firstKeptEntryIndex, isSplitTurn } = findCutPoint(entries, start, entries.length, keep);
  const kept = entries.slice(firstKeptEntryIndex).flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  return { kept: countAll(list.toChat(kept), count), isSplitTurn };
}
