// One call before each model call, whatever the host: its messages in, the list to send out. What a host calls it, and
// where it hooks in, is in the file named after it.
import type { PreflightOptions } from "../../conversation/calls.ts";
import type { CompactManager } from "../../conversation.ts";
import { CompactError } from "../../errors.ts";
import { isObject, toJson } from "../../text/json-values.ts";
import { createTranslator, type Translation } from "./translation.ts";

export interface SessionChoice {
  /** One for all lists, if the host serves one conversation. Default: each conversation is recognised by its messages. */
  readonly sessionId?: string | undefined;
}

/** The same array when nothing was compacted. Throws what `CompactManager.preflight` throws, `UNKNOWN_MODEL` with its remedy. */
export type HostPreflight<Host> = (
  messages: readonly Host[],
  beside?: PreflightOptions & SessionChoice,
) => Promise<readonly Host[]>;

export function createHostPreflight<Host extends object>(
  manager: CompactManager,
  translation: Translation<Host>,
  { sessionId: fixed }: SessionChoice = {},
): HostPreflight<Host> {
  const translator = createTranslator(translation);
  const finder = createSessionFinder((forgotten) => void manager.forget(forgotten));
  return async (messages, { sessionId = fixed, ...beside } = {}) => {
    const natives = translator.toNative(messages);
    const session = sessionId ?? finder.find(translator.firstNatives(messages));
    const sent = await manager
      .preflight(session, natives, { ...beside, format: translation.format })
      .catch((error: unknown) => Promise.reject(withAdvice(error)));
    const hosts = translator.toHost(sent);
    return isSameList(hosts, messages) ? messages : hosts;
  };
}

/** The same objects in the same places. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((message, at) => message === b[at]);
}

// Which conversation a list of messages belongs to, for hosts whose seam names no session: the one whose last list
// stands at its head. Parallel runs and sub-agents have lists of their own, and so sessions of their own.

/** Sessions remembered; the one unused for longest is forgotten when there are more. */
const MOST_SESSIONS = 1_000;

interface SessionFinder {
  /** The session of this list; a list that goes on from none begins one. */
  find(messages: readonly unknown[]): string;
}

/** `forget` is told of sessions that are remembered no more. */
function createSessionFinder(forget: (sessionId: string) => void): SessionFinder {
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

// What a user of a framework can do about an error whose hint is written for who configures: a window is never guessed.

/** The error with what to do about it where it is a host that names the model; any other error as it is. */
function withAdvice(error: unknown): unknown {
  if (!CompactError.isInstance(error) || error.code !== "UNKNOWN_MODEL") return error;
  return new CompactError(error.kind, error.message, {
    code: error.code,
    hint: 'Pass a manager that knows its window: new CompactManager({ maxContextTokens: 32_000 }), or for this model alone new CompactManager({ models: { "its name": { maxContextTokens: 32_000 } } }).',
    data: error.data,
    cause: error,
  });
}
