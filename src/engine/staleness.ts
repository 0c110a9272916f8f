// Whether a plan still holds: what it was made from, and the policy it was made under, are recognised by fingerprints.
import { CompactError } from "../errors.ts";
import { sha256 } from "../storage/sha256.ts";

/** SHA-256, 64 hex digits, of plain data. The order of fields does not matter, nor do fields without a value. */
export function fingerprintOf(value: unknown): string {
  return sha256(JSON.stringify(value, inOrder));
}

/** Entries instead of objects, since fields whose names are numbers would be put first. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return { entries: entries.sort(([a], [b]) => (a < b ? -1 : 1)).flat() };
}

/** `message`: what was left undone, and why. */
export function stalePlan(message: string, data: Readonly<Record<string, unknown>> = {}): CompactError {
  return new CompactError("Conflict", message, { code: "STALE_PLAN", hint: "Make the plan again.", data });
}

/** Ids that an error names. */
const MOST_NAMED = 20;

/** `undone`: what was left undone, a sentence without its end; `noun`: of one of the inputs. */
export function staleInputs(undone: string, noun: string, ids: readonly (number | string)[]): CompactError {
  const named = ids.slice(0, MOST_NAMED);
  const more = ids.length > named.length ? ` and ${ids.length - named.length} more` : "";
  const what = ids.length === 1 ? `${noun} ${named[0]} has` : `${noun}s ${named.join(", ")}${more} have`;
  return stalePlan(`${undone}: ${what} changed since the plan was made.`, { ids: named, count: ids.length });
}

/** Fingerprints of the policy that a plan was made under and of the one that governs now. @throws Conflict (`STALE_PLAN`). */
export function checkPolicy(undone: string, planned: string, now: string): void {
  if (planned === now) return;
  throw stalePlan(`${undone}: the plan was made under another policy than the one in force.`);
}
