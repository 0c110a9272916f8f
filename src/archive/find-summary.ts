// Finds the newest summary record with a given hash, on the contract alone, for archives without an index of their own.
import { CompactError } from "../errors.ts";
import type { Archive, SummaryRecord } from "./archive.ts";

type Readable = Pick<Archive, "sessions" | "steps" | "readSummary">;

/** Undefined when no record carries the hash. Damaged records are passed over: `archive verify` names them. */
export async function findNewestSummary(
  archive: Readable,
  summaryHash: string,
): Promise<{ readonly sessionId: string; readonly step: number } | undefined> {
  let newest: { sessionId: string; step: number; at: string } | undefined;
  for (const sessionId of await archive.sessions()) {
    for (const { step } of await archive.steps(sessionId)) {
      const record = await readOrSkip(archive, sessionId, step);
      if (record?.summary_hash !== summaryHash) continue;
      if (newest === undefined || record.created_at >= newest.at) newest = { sessionId, step, at: record.created_at };
    }
  }
  return newest === undefined ? undefined : { sessionId: newest.sessionId, step: newest.step };
}

async function readOrSkip(archive: Readable, sessionId: string, step: number): Promise<SummaryRecord | undefined> {
  try {
    return await archive.readSummary(sessionId, step);
  } catch (error) {
    if (CompactError.isInstance(error) && error.code === "DAMAGED_RECORD") return undefined;
    throw error;
  }
}
