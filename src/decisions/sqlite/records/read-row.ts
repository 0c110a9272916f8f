// From a row to the decision that its record is, with what other records say about it.
import type { SqlRow } from "../../../storage/driver.ts";
import type { StoredDecision } from "../../decision.ts";
import { type ReadDecision, readDecision } from "../../reading/read-decision.ts";
import { originalText } from "../ordered-text.ts";

/** Columns of `decisions AS d` that `storedDecision` reads. */
export const RECORD_COLUMNS = "d.id, d.superseded_by, d.raw";

/** Undefined for a record that another program has made unreadable. */
export function storedDecision(row: SqlRow): StoredDecision | undefined {
  const { decision } = readRaw(row);
  if (decision === undefined || typeof row.superseded_by !== "string") return decision;
  return { ...decision, supersededBy: originalText(row.superseded_by) };
}

/** As the record says by itself. */
export function readRaw({ id, raw }: SqlRow): ReadDecision {
  const name = originalText(String(id));
  try {
    const read = readDecision(JSON.parse(String(raw)), { name });
    return read.decision === undefined || read.decision.id === name ? read : { faults: [] };
  } catch {
    return { faults: [] };
  }
}
