// Checks an archive without changing it: every transcript readable, every summary there, intact and with its transcript.
import { CompactError } from "../../errors.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Archive, ArchivedStep, SummaryRecord } from "../archive.ts";
import { knownSessions } from "./known-sessions.ts";
import { missingValues } from "./missing-values.ts";

export interface ArchiveFault {
  readonly session_id: string;
  readonly step: number;
  readonly kind:
    | "transcript_missing"
    | "unreadable_lines"
    | "summary_missing"
    | "summary_unreadable"
    | "summary_changed"
    | "unreadable_file";
  /** `warning`: nothing is lost, a compaction just never finished (or is running now). */
  readonly severity: "error" | "warning";
  /** One sentence, without any content. */
  readonly message: string;
  readonly location: string;
}

/** Empty when all is well. Throws `NotFound` for an unknown session. */
export async function verifyArchive(archive: Archive, sessionId?: string): Promise<readonly ArchiveFault[]> {
  const faults: ArchiveFault[] = [];
  for (const id of await knownSessions(archive, sessionId)) {
    for (const step of await archive.steps(id)) {
      const found = [await transcriptFault(archive, id, step), await summaryFault(archive, id, step)];
      for (const fault of found) if (fault !== undefined) faults.push({ session_id: id, step: step.step, ...fault });
    }
  }
  return faults;
}

type Fault = Omit<ArchiveFault, "session_id" | "step">;

async function transcriptFault(archive: Archive, sessionId: string, step: ArchivedStep): Promise<Fault | undefined> {
  try {
    await archive.readTranscript(sessionId, step.step, { strict: true });
    return undefined;
  } catch (error) {
    return faultOf(error, step.transcript);
  }
}

async function summaryFault(archive: Archive, sessionId: string, step: ArchivedStep): Promise<Fault | undefined> {
  if (step.summary === undefined) {
    const message = `The compaction of step ${step.step} never finished: no summary record.`;
    return { kind: "summary_missing", severity: "warning", message, location: step.transcript };
  }
  try {
    const record = await archive.readSummary(sessionId, step.step);
    if (record === undefined || isIntact(record)) return undefined;
    const message = "The summary text does not match its recorded hash.";
    return { kind: "summary_changed", severity: "error", message, location: step.summary };
  } catch (error) {
    return faultOf(error, step.summary);
  }
}

/** The hash was taken before redaction, so a redacted text cannot be checked. Without a text it is an older summary's. */
function isIntact(record: SummaryRecord): boolean {
  if (record.summary_hash === null || record.text === "" || missingValues(record.text, 1).length > 0) return true;
  return sha256(record.text) === record.summary_hash;
}

function faultOf(error: unknown, location: string): Fault {
  if (!CompactError.isInstance(error)) throw error;
  const kinds: Readonly<Record<string, ArchiveFault["kind"]>> = {
    STEP_NOT_FOUND: "transcript_missing",
    UNREADABLE_LINES: "unreadable_lines",
    DAMAGED_RECORD: "summary_unreadable",
  };
  const kind = kinds[error.code] ?? "unreadable_file";
  return { kind, severity: "error", message: `${error.message}.`, location };
}
