// Finds the newest summary record with a given hash, for archives without an index of hashes.
import { CompactError } from "../errors.ts";
import type { SummaryRecord } from "./archive.ts";

export interface SummaryPlace {
  readonly sessionId: string;
  readonly step: number;
}

const READ_AT_ONCE = 16;

/**
 * Undefined when no record carries the hash. Of equally new ones the last of `places` is taken. Damaged records are
 * passed over: `archive verify` names them.
 */
export async function findNewestSummary(
  places: readonly SummaryPlace[],
  read: (place: SummaryPlace) => Promise<SummaryRecord | undefined>,
  summaryHash: string,
): Promise<SummaryPlace | undefined> {
  let newest: { readonly place: SummaryPlace; readonly at: string } | undefined;
  for (let start = 0; start < places.length; start += READ_AT_ONCE) {
    const some = places.slice(start, start + READ_AT_ONCE);
    const records = await Promise.all(some.map((place) => read(place).catch(passOverDamage)));
    for (const [index, place] of some.entries()) {
      const record = records[index];
      if (record?.summary_hash !== summaryHash) continue;
      if (newest === undefined || record.created_at >= newest.at) newest = { place, at: record.created_at };
    }
  }
  return newest?.place;
}

function passOverDamage(error: unknown): undefined {
  if (CompactError.isInstance(error) && error.code === "DAMAGED_RECORD") return undefined;
  throw error;
}
