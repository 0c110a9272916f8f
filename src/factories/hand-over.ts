// What a session taught goes into a memory store after each compaction. The store is loaded and opened then, and only then.
import type { ConversationParts } from "../conversation/conversation-parts.ts";
import type { Ledger } from "../facts/ledger.ts";
import type { Clock } from "../time.ts";
import type { Trace } from "../trace/emit.ts";
import type { MemoryConfig } from "./conversation-config.ts";

/** A store that cannot be written costs no compaction: that is told as an event. */
export function createHandOver(
  { observations, project }: MemoryConfig,
  { clock, trace }: { readonly clock: Clock; readonly trace: Pick<Trace, "emit"> },
): ConversationParts["handOver"] {
  if (observations === undefined) return undefined;
  return async (sessionId, ledger) => {
    try {
      await remember({ sessionId, ledger, project }, observations, clock());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `What the session taught was not written into the memory store: ${why}`;
      trace.emit({ event: "compact.warning", session_id: sessionId, severity: "high", code: "memory_failed", message });
    }
  };
}

interface Taught {
  readonly sessionId: string;
  readonly ledger: Ledger;
  readonly project: string | undefined;
}

async function remember({ sessionId, ledger, project }: Taught, file: string, now: number): Promise<void> {
  const [{ homedir }, { basename, join }, { openObservationStore }, { defaultCount }, saving] = await Promise.all([
    import("node:os"),
    import("node:path"),
    import("./observations.ts"),
    import("./summarizer.ts"),
    import("../observations/saving/remember-session.ts"),
  ]);
  const lessons = await saving.readLessons(ledger, defaultCount());
  const path = file.startsWith("~/") ? join(homedir(), file.slice(2)) : file;
  const store = openObservationStore({ path, create: true });
  try {
    await saving.rememberSession(store, { sessionId, lessons, project: project ?? basename(process.cwd()) }, { now });
  } finally {
    await store.close();
  }
}
