// What every reading command starts with: which sessions are meant, and reading around damage that `archive verify`
// reports.
import { CompactError } from "../../errors.ts";
import type { Archive, SummaryRecord } from "../archive.ts";

/** All sessions, or the one asked for. Throws `NotFound` when that one has no archived step. */
export async function knownSessions(archive: Archive, sessionId?: string): Promise<readonly string[]> {
  if (sessionId === undefined) return archive.sessions();
  if ((await archive.steps(sessionId)).length > 0) return [sessionId];
  throw new CompactError("NotFound", `nothing is archived for session ${JSON.stringify(sessionId)}`, {
    code: "SESSION_NOT_FOUND",
    hint: "List the sessions with `agent-compact archive list`, and check --archive-dir.",
    data: { session_id: sessionId },
  });
}

/** Empty when the transcript is lost. */
export async function readTranscriptOrSkip(
  archive: Archive,
  sessionId: string,
  step: number,
): Promise<readonly unknown[]> {
  try {
    return await archive.readTranscript(sessionId, step);
  } catch (error) {
    if (CompactError.isInstance(error) && error.kind === "NotFound") return [];
    throw error;
  }
}

/** Undefined when the record is missing or damaged. */
export async function readSummaryOrSkip(
  archive: Archive,
  sessionId: string,
  step: number,
): Promise<SummaryRecord | undefined> {
  try {
    return await archive.readSummary(sessionId, step);
  } catch (error) {
    if (CompactError.isInstance(error) && error.code === "DAMAGED_RECORD") return undefined;
    throw error;
  }
}
