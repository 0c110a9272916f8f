// What a proxy remembers of the lists that it sent, so that the next request of a conversation is known for what it is.
import type { JsonObject } from "../text/json-values.ts";
import type { RequestBody } from "./request-body.ts";

/** What is known of a list that was sent: whose it is, and what the provider counted. */
export interface Sent {
  readonly sessionId: string;
  /** When, in milliseconds since the epoch. */
  at?: number;
  usage?: JsonObject;
  /** When it, or a list that it goes on from, was counted last: what it took then. */
  size?: Size;
}

export interface Size {
  readonly tokens: number;
  readonly bytes: number;
}

interface SentLists {
  /** `link`: the name of the list, as in the chain of a request. What the provider counts is put into what comes back. */
  remember(link: string, sessionId: string): Sent;
  /** The list that this one goes on from, and what was reported for it: void where more than its answer came since. */
  before(body: RequestBody): Sent | undefined;
}

/** Lists remembered; the oldest is forgotten when there are more. */
const MOST_SENT = 5_000;

export function createSentLists(now: () => number): SentLists {
  const sent = new Map<string, Sent>();
  return {
    remember(link, sessionId) {
      const entry = sent.get(link) ?? { sessionId };
      const kept: Sent = entry.sessionId === sessionId ? entry : { sessionId };
      kept.at = now();
      sent.delete(link);
      sent.set(link, kept);
      const [oldest] = sent.keys();
      if (sent.size > MOST_SENT && oldest !== undefined) sent.delete(oldest);
      return kept;
    },
    before({ chain, messages }) {
      for (let length = chain.length; length > 0; length--) {
        const found = sent.get(chain[length - 1] as string);
        if (found === undefined) continue;
        const { usage: _, ...others } = found;
        return isOneAnswer(messages.slice(length)) ? found : others;
      }
      return undefined;
    },
  };
}

function isOneAnswer(added: readonly JsonObject[]): boolean {
  const isAnswers = (message: JsonObject) =>
    message.role === "assistant" || (message.role === undefined && !String(message.type).endsWith("_output"));
  const end = added.findIndex((message) => !isAnswers(message));
  return end > 0 && !added.slice(end).some(isAnswers);
}

/** Sessions that are held in memory; one that was let go is read from the archive when it goes on. */
const MOST_HELD = 100;

/** Called with each session that was worked on; lets go of the one that rests longest where there are more than 100. */
export function createHolder(letGo: (sessionId: string) => void): (sessionId: string) => void {
  const held = new Set<string>();
  return (sessionId) => {
    held.delete(sessionId);
    held.add(sessionId);
    const [oldest] = held;
    if (held.size <= MOST_HELD || oldest === undefined) return;
    held.delete(oldest);
    letGo(oldest);
  };
}
