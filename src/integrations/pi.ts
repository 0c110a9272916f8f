// An extension for the coding agent pi: its compaction, by itself or by /compact, takes the summary that code writes, and no
// model is asked. Which messages stay is pi's choice, by its own settings. Where ours fails, pi's own runs.
import { readPiSession } from "../session-files/pi.ts";
import { summarizeSession } from "./adapter/summarize-session.ts";
import { createTellOnce } from "./adapter/tell-once.ts";

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
  const orTell = createTellOnce();
  pi.on("session_before_compact", (event, context) =>
    orTell(
      async () => ({ compaction: await compactionOf(event, context) }),
      (why) => context.ui.notify(`agent-compact: ${why}. pi's own compaction runs instead.`, "warning"),
    ),
  );
}

async function compactionOf(
  { preparation, branchEntries, customInstructions, reason, signal }: PiBeforeCompact,
  { cwd, model, sessionManager }: PiContext,
): Promise<PiCompaction> {
  const { firstKeptEntryId, tokensBefore } = preparation;
  const first = branchEntries.findIndex(({ id }) => id === firstKeptEntryId);
  const leaving = first < 0 ? branchEntries : branchEntries.slice(0, first);
  const values = leaving.map((value, index) => ({ value, line: index + 1 }));
  const summary = await summarizeSession({
    sessionId: sessionManager.getSessionId(),
    read: readPiSession({ kind: "lines", values, faults: [] }),
    cwd,
    window: model?.contextWindow,
    note: customInstructions,
    isAutomatic: reason !== "manual",
    signal,
  });
  return { summary, firstKeptEntryId, tokensBefore };
}
