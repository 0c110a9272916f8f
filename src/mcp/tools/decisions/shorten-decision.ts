// A served decision that is larger than a whole answer may be, with less of each of its texts.
import type { ServedDecision } from "../../../decisions/serving/served.ts";
import { cutAt } from "../../../text/cut.ts";

/** Ids and names stay whole. */
const KEPT = new Set(["id", "level", "category", "date", "outcome", "status", "supersededBy", "summarySource"]);
/** Of a list: reasons, tags. */
const MOST_ITEMS = 10;

/** At most `units` UTF-16 units of each text; without deliberation and trace, which have no form that is known. */
export function shortenDecision(decision: ServedDecision, units: number): ServedDecision {
  const { deliberation: _, trace: _trace, ...rest } = decision;
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, KEPT.has(key) ? value : shortened(value, units)]),
  ) as unknown as ServedDecision;
}

function shortened(value: unknown, units: number): unknown {
  if (typeof value === "string") return value.length <= units ? value : `${cutAt(value, units)}…`;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => shortened(item, units));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, units)]));
}

/** Units from which on shortening leaves its texts whole. */
export function longestText(decision: ServedDecision): number {
  return JSON.stringify(decision).length;
}
