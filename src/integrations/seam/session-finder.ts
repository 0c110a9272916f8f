// Which conversation a list of messages belongs to, for hosts whose seam names no session: the one whose last list
// stands at its head. Parallel runs and sub-agents have lists of their own, and so sessions of their own.
import { isObject, toJson } from "../../formats/json-shape.ts";

/** Sessions remembered; the one unused for longest is forgotten when there are more. */
const MOST_SESSIONS = 1_000;

export interface SessionFinder {
  /** The session of this list; a list that goes on from none begins one. */
  find(messages: readonly unknown[]): string;
}

/** `forget` is told of sessions that are remembered no more. */
export function createSessionFinder(forget: (sessionId: string) => void): SessionFinder {
  /** By the fingerprint of the last list. In order of use. */
  const sessions = new Map<string, string>();
  const fingerprints = new WeakMap<object, string>();

  const fingerprintOf = (message: unknown): string => {
    if (!isObject(message)) return fingerprint(toJson(message));
    const before = fingerprints.get(message);
    if (before !== undefined) return before;
    const print = fingerprint(toJson(message));
    fingerprints.set(message, print);
    return print;
  };

  return {
    find(messages) {
      let head = "";
      let known: string | undefined;
      for (const message of messages) {
        head = fingerprint(head + fingerprintOf(message));
        if (sessions.has(head)) known = head;
      }
      const sessionId = (known === undefined ? undefined : sessions.get(known)) ?? crypto.randomUUID();
      if (known !== undefined) sessions.delete(known);
      sessions.set(head, sessionId);
      const [oldest] = sessions;
      if (sessions.size > MOST_SESSIONS && oldest !== undefined) {
        sessions.delete(oldest[0]);
        forget(oldest[1]);
      }
      return sessionId;
    },
  };
}

/** 64 bits by two FNV-1a hashes over UTF-16 units. A chance hit costs nothing: the session compares the messages themselves. */
function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (low >>> 0).toString(16).padStart(8, "0") + (high >>> 0).toString(16).padStart(8, "0");
}
