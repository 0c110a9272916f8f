// The steps of an archived session with the figures of their summary records, and all sessions at a glance, which reads
// no record.
import type { Archive, StepSize } from "../../archive/archive.ts";
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
  /** Where it is, or was while it was there. */
  readonly transcript: string;
  /** True: it is gone, and what left the conversation in this step cannot be brought back. */
  readonly transcript_missing: boolean;
  readonly summary: string | null;
}

export interface SessionOverview {
  readonly session_id: string;
  readonly steps: readonly StepOverview[];
}

/** What only its record or its place tells is null: `archive show` has it. */
export type ListedStep = { readonly [Key in Exclude<keyof StepOverview, "step">]: StepOverview[Key] | null } & {
  readonly step: number;
  readonly bytes: number;
  readonly finished: boolean;
};

export interface ListedSession {
  readonly session_id: string;
  readonly bytes: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly steps: readonly ListedStep[];
}

/** Throws `NotFound` for a session that is not archived. */
export async function describeSession(archive: Archive, sessionId: string): Promise<SessionOverview> {
  const steps: StepOverview[] = [];
  await knownSessions(archive, sessionId);
  for (const { step, transcript, isTranscriptLost = false, summary } of await archive.steps(sessionId)) {
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
      transcript_missing: isTranscriptLost,
      summary: summary ?? null,
    });
  }
  return { session_id: sessionId, steps };
}

/** By session id. Throws `NotFound` for a session that is not archived. */
export async function listSessions(archive: Archive, sessionId?: string): Promise<readonly ListedSession[]> {
  const bySession = new Map<string, StepSize[]>();
  for (const size of await archive.sizes()) {
    if (sessionId !== undefined && size.session_id !== sessionId) continue;
    const sizes = bySession.get(size.session_id);
    if (sizes === undefined) bySession.set(size.session_id, [size]);
    else sizes.push(size);
  }
  if (sessionId !== undefined && bySession.size === 0) await knownSessions(archive, sessionId);
  const sessions = [...bySession].sort(([a], [b]) => (a < b ? -1 : 1));
  return sessions.map(([id, sizes]) => listedSession(id, sizes));
}

function listedSession(session_id: string, sizes: readonly StepSize[]): ListedSession {
  const times = sizes.map(({ at }) => at).sort();
  return {
    session_id,
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    first_at: times[0] ?? "",
    last_at: times.at(-1) ?? "",
    steps: sizes.toSorted((a, b) => a.step - b.step).map(listedStep),
  };
}

function listedStep({ step, at, bytes, has_summary }: StepSize): ListedStep {
  return {
    step,
    created_at: at,
    bytes,
    finished: has_summary,
    version: null,
    strategy: null,
    source: null,
    tokens_before: null,
    tokens_after: null,
    pruned_count: null,
    transcript: null,
    transcript_missing: null,
    summary: null,
  };
}
