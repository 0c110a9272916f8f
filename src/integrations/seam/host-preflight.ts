// One call before each model call, whatever the host: its messages in, the list to send out. What a host calls it, and
// where it hooks in, is in the file named after it.
import type { PreflightOptions } from "../../conversation/sessions/compactor.ts";
import type { CompactManager } from "../../from-config/conversation.ts";
import { createSessionFinder } from "./session-finder.ts";
import { createTranslator, type Translation } from "./translation.ts";
import { withAdvice } from "./with-advice.ts";

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
    return isSame(hosts, messages) ? messages : hosts;
  };
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((message, at) => message === b[at]);
}
