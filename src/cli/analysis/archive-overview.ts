// The steps of an archived session with the figures of their summary records.
import type { Archive } from "../../archive/archive.ts";
import { knownSessions, readSummaryOrSkip } from "../../archive/reading/known-sessions.ts";

export interface StepOverview {
  readonly step: number;
  readonly created_at: string | null;
  readonly version: number | null;
  readonly strategy: string | null;
  readonly source: string | null;
  readonly tokens_before: number | null;
  readonly tokens_after: number | null;
  readonly pruned_count: number | null;
  readonly transcript: string;
  readonly summary: string | null;
}

export interface SessionOverview {
  readonly session_id: string;
  readonly steps: readonly StepOverview[];
}

/** Throws `NotFound` for a session that is not archived. */
export async function describeSession(archive: Archive, sessionId: string): Promise<SessionOverview> {
  const steps: StepOverview[] = [];
  await knownSessions(archive, sessionId);
  for (const { step, transcript, summary } of await archive.steps(sessionId)) {
    const record = await readSummaryOrSkip(archive, sessionId, step);
    steps.push({
      step,
      created_at: record?.created_at ?? null,
      version: record?.version ?? null,
      strategy: record?.strategy ?? null,
      source: record?.source ?? null,
      tokens_before: record?.tokens_before ?? null,
      tokens_after: record?.tokens_after ?? null,
      pruned_count: record?.pruned.length ?? null,
      transcript,
      summary: summary ?? null,
    });
  }
  return { session_id: sessionId, steps };
}
