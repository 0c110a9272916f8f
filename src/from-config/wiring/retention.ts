// The retention of a configuration at work: after each compaction, behind the caller's back, one at a time. What fails
// is a warning; the compaction it follows is done.
import type { Archive } from "../../archive/archive.ts";
import { applyRetention, type RetentionReport } from "../../archive/retention/apply-retention.ts";
import { hasLimit, planRetention, type RetentionPolicy } from "../../archive/retention/plan-retention.ts";
import type { ConversationReport } from "../../conversation/report.ts";
import { CompactError } from "../../errors.ts";
import type { Clock } from "../../time.ts";
import type { Trace } from "../../trace/emit.ts";

export interface Retention {
  /** Starts it when something was compacted; never throws, never waits. */
  follow(report: ConversationReport): void;
  /** Resolves when what was started has ended; never rejects. */
  settled(): Promise<void>;
}

const NONE: Retention = { follow: () => undefined, settled: async () => undefined };

export function retentionOf(
  policy: RetentionPolicy | undefined,
  { archive, trace, clock }: { readonly archive: Archive | undefined; readonly trace: Trace; readonly clock: Clock },
): Retention {
  if (archive === undefined || policy === undefined || !hasLimit(policy)) return NONE;
  let running: Promise<void> | undefined;
  /** The session that asked while another's was at work: one more look answers all that ask meanwhile. */
  let next: string | undefined;

  const warn = (session_id: string, message: string) =>
    trace.emit({ event: "compact.warning", session_id, severity: "low", code: "retention_failed", message });
  const apply = async (sessionId: string): Promise<void> => {
    try {
      const report = await applyRetention(archive, planRetention(await archive.sizes(), policy, clock()), { trace });
      if (report.failed.length > 0) warn(sessionId, describeFailed(report));
    } catch (error) {
      warn(
        sessionId,
        `The archive's retention failed: ${CompactError.isInstance(error) ? error.message : "unexpected"}.`,
      );
    }
  };
  const work = async (first: string): Promise<void> => {
    for (let session: string | undefined = first; session !== undefined; session = next) {
      next = undefined;
      await apply(session);
    }
    running = undefined;
  };
  return {
    follow({ status, session_id }) {
      if (status === "skipped") return;
      if (running === undefined) running = work(session_id);
      else next = session_id;
    },
    settled: async () => running,
  };
}

function describeFailed({ failed, removed }: RetentionReport): string {
  const [first] = failed;
  const all = failed.length + removed.length;
  return `${failed.length} of ${all} steps could not leave the archive. Step ${first?.step} of session ${JSON.stringify(first?.session_id)}: ${first?.message}.`;
}
