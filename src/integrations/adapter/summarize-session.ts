// Where a host would ask a model what a stretch of its session said: the same by code. Works in the host's process, by the
// configuration of the folder it works in; the archive is where the command line looks for it.
import type { ConversationPolicy } from "../../conversation/policy.ts";
import { CompactManager, FORMATS, loadConversationConfig } from "../../conversation.ts";
import { CompactError } from "../../errors.ts";
import { isFramed } from "../../providers/place.ts";
import type { SessionRead } from "../../session-files/session-reader.ts";
import { withoutUndefined } from "../../text/json-values.ts";

/** All of it leaves, so that the summary speaks of all of it; a model that fails costs no summary. */
const POLICY: Partial<ConversationPolicy> = {
  keepRecentTurns: 0,
  keepToolIoPairs: 0,
  onSummaryFailure: "extractive",
};

export interface HostStretch {
  readonly sessionId: string;
  readonly read: Pick<SessionRead, "messages" | "format" | "model">;
  /** The folder the host works in. */
  readonly cwd: string;
  /** Tokens of the model's window. */
  readonly window?: number | undefined;
  readonly policy?: Partial<ConversationPolicy>;
  /** What the person wishes of the summary. */
  readonly note?: string | undefined;
  readonly isAutomatic?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The summary that stands for these messages, which are archived first. Throws `InvalidInput` where it would be no smaller
 * than they are, and what `CompactManager.compact` throws.
 */
export async function summarizeSession(stretch: HostStretch): Promise<string> {
  const { sessionId, read, cwd, window, policy, ...beside } = stretch;
  const config = await loadConversationConfig({ cwd });
  const manager = new CompactManager({ ...config, policy: { ...config.policy, ...policy, ...POLICY } });
  try {
    const format = FORMATS.find(({ name }) => name === (read.format ?? "anthropic"));
    const options = { format: format?.name, maxContextTokens: window, ...beside };
    const { messages } = await manager.compact(sessionId, read.messages, withoutUndefined(options));
    const text = messages.map((message) => format?.summaryText(message)).findLast((each) => isFramed(each ?? ""));
    if (text !== undefined) return text;
  } finally {
    await manager.close();
  }
  throw new CompactError("InvalidInput", "a summary would be no smaller than what it stands for", {
    code: "NOT_BENEFICIAL",
    hint: "Compact later, when there is more to leave out.",
  });
}
