// What tells a plan that was edited from one that was reviewed. No secret: it is against slips, and changes that nobody
// planned, not against whoever can compute it anew.
import { sha256 } from "../../storage/sha256.ts";
import type { MemoryFilesPlan } from "../plan.ts";

/** A plan before it is sealed. */
export type UnsealedPlan = Omit<MemoryFilesPlan, "checksum">;

/** The plan with its checksum. */
export function sealPlan(plan: UnsealedPlan): MemoryFilesPlan {
  return { ...plan, checksum: checksumOf(plan) };
}

/**
 * 64 hex digits. Of all but what a person may change, `apply` of a change, the figures that depend on it, and the checksum
 * itself. The order of fields does not matter.
 */
export function checksumOf(plan: UnsealedPlan): string {
  const { memory_size_after, over_limit_bytes, totals, ...rest } = plan;
  const changes = plan.changes.map((change) => ({ ...change, apply: null }));
  return sha256(JSON.stringify({ ...rest, checksum: undefined, changes }, inOrder));
}

/** Entries instead of objects, since fields whose names are numbers would be put first. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return { entries: entries.sort(([a], [b]) => (a < b ? -1 : 1)).flat() };
}
