// An extension for the coding agent pi: its compaction, by itself or by /compact, takes the summary that code writes, and no
// model is asked. Which messages stay is pi's choice, by its own settings. Where ours fails, pi's own runs.
import { readPiSession } from "../session-files/pi.ts";
import { summarizeSession } from "./adapter/summarize-session.ts";

interface PiCompaction {
  readonly summary: string;
  readonly firstKeptEntryId: string;
  readonly tokensBefore: number;
}

interface PiBeforeCompact {
  readonly preparation: Omit<PiCompaction, "summary">;
  /** From the session's beginning, compacted before or not. */
  readonly branchEntries: readonly { readonly id: string }[];
  readonly customInstructions?: string;
  readonly reason?: string;
  readonly signal?: AbortSignal;
}

interface PiContext {
  readonly cwd: string;
  readonly model?: { readonly contextWindow?: number } | undefined;
  readonly sessionManager: { getSessionId(): string };
  readonly ui: { notify(message: string, kind: "warning"): void };
}

type BeforeCompact = (
  event: PiBeforeCompact,
  context: PiContext,
) => Promise<{ readonly compaction: PiCompaction } | undefined>;

/** What is used of pi's extension API. */
export interface PiExtensions {
  on(event: "session_before_compact", handler: BeforeCompact): void;
}

/** The extension. Never throws into pi: a failure is told once, and pi compacts as it would without. */
export function compactInPi(pi: PiExtensions): void {
  let isTold = false;
  pi.on("session_before_compact", async (event, context) => {
    try {
      return { compaction: await compactionOf(event, context) };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!isTold) context.ui.notify(`agent-compact: ${why}. pi's own compaction runs instead.`, "warning");
      isTold = true;
      return undefined;
    }
  });
}

async function compactionOf(
  { preparation, branchEntries, customInstructions, reason, signal }: PiBeforeCompact,
  { cwd, model, sessionManager }: PiContext,
): Promise<PiCompaction> {
  const { firstKeptEntryId, tokensBefore } = preparation;
  const first = branchEntries.findIndex(({ id }) => id === firstKeptEntryId);
  const leaving = first < 0 ? branchEntries : branchEntries.slice(0, first);
  const summary = await summarizeSession({
    sessionId: sessionManager.getSessionId(),
    read: readPiSession(leaving.map((entry) => JSON.stringify(entry)).join("\n")),
    cwd,
    window: model?.contextWindow,
    note: customInstructions,
    isAutomatic: reason !== "manual",
    signal,
  });
  return { summary, firstKeptEntryId, tokensBefore };
}
