// Which archived steps a policy lets go: too old, or the oldest while there is too much. The plan is pure;
// applying it removes them.
import { CompactError } from "../errors.ts";
import { DAY_MS, readTime } from "../time.ts";
import type { Archive, StepSize } from "./archive.ts";

/** Without a limit nothing ever leaves. */
export interface RetentionPolicy {
  /** Steps that are older leave. Parts of a day are allowed. */
  readonly maxAgeDays?: number | undefined;
  /** The oldest steps leave while the archive is larger. */
  readonly maxBytes?: number | undefined;
}

export interface ExpiringStep extends StepSize {
  /** Both may hold; then it is `age`. */
  readonly reason: "age" | "size";
}

export interface RetentionPlan {
  /** Oldest first. */
  readonly expiring: readonly ExpiringStep[];
  readonly steps: number;
  readonly bytes_before: number;
  /** May still be above the policy's size: what a session needs to go on stays. */
  readonly bytes_after: number;
}

interface DatedStep {
  readonly size: StepSize;
  /** Undefined: cannot be read. */
  readonly at: number | undefined;
}

/**
 * A session's newest step stays, and its newest finished one: a session goes on from there. A step whose time cannot be
 * read is never too old, and goes last when there is too much. Throws `InvalidConfig` for a limit that is no number
 * above 0.
 */
export function planRetention(sizes: readonly StepSize[], policy: RetentionPolicy, now: number): RetentionPlan {
  const { maxAgeDays = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = policy;
  checkLimit("max_age_days", maxAgeDays);
  checkLimit("max_bytes", maxBytes);
  const oldest = now - maxAgeDays * DAY_MS;
  const kept = neededSteps(sizes);
  const expiring: ExpiringStep[] = [];
  const bytes_before = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const steps = oldestFirst(sizes).filter(({ size }) => !kept.has(size));
  const tooOld = new Set(steps.filter(({ at }) => at !== undefined && at < oldest));
  let bytes_after = bytes_before - [...tooOld].reduce((sum, { size }) => sum + size.bytes, 0);
  for (const step of steps) {
    if (tooOld.has(step)) {
      expiring.push({ ...step.size, reason: "age" });
    } else if (bytes_after > maxBytes) {
      bytes_after -= step.size.bytes;
      expiring.push({ ...step.size, reason: "size" });
    }
  }
  return { expiring, steps: sizes.length, bytes_before, bytes_after };
}

export function hasLimit({ maxAgeDays, maxBytes }: RetentionPolicy): boolean {
  return maxAgeDays !== undefined || maxBytes !== undefined;
}

function neededSteps(sizes: readonly StepSize[]): ReadonlySet<StepSize> {
  const newest = new Map<string, StepSize>();
  const finished = new Map<string, StepSize>();
  for (const size of sizes) {
    const { session_id, step, has_summary } = size;
    if (step > (newest.get(session_id)?.step ?? 0)) newest.set(session_id, size);
    if (has_summary && step > (finished.get(session_id)?.step ?? 0)) finished.set(session_id, size);
  }
  return new Set([...newest.values(), ...finished.values()]);
}

/** By time, then by session and step; those without a time behind all others. */
function oldestFirst(sizes: readonly StepSize[]): readonly DatedStep[] {
  const dated = sizes.map((size) => ({ size, at: readTime(size.at) }));
  return dated.sort((a, b) => {
    const [first, second] = [a.at ?? Number.MAX_VALUE, b.at ?? Number.MAX_VALUE];
    if (first !== second) return first - second;
    if (a.size.session_id !== b.size.session_id) return a.size.session_id < b.size.session_id ? -1 : 1;
    return a.size.step - b.size.step;
  });
}

function checkLimit(name: string, limit: number): void {
  if (limit > 0) return;
  throw new CompactError("InvalidConfig", `storage.retention.${name} must be a number above 0.`, {
    code: "INVALID_RETENTION",
    hint: "Leave it out for no limit.",
  });
}

// Removes what a plan lets go, oldest first, and tells each step once it is gone. A step that cannot be removed stops
// nothing: it is in the report, and the next plan has it again.

/** As the trace takes it. */
export interface StepExpired {
  readonly event: "compact.expired";
  readonly session_id: string;
  readonly step: number;
  readonly storage_adapter: string;
  readonly reason: "age" | "size";
  readonly bytes: number;
}

interface RemovedStep {
  readonly session_id: string;
  readonly step: number;
  readonly reason: "age" | "size";
  /** That its removal freed, counted when it was removed. */
  readonly bytes: number;
}

interface FailedRemoval {
  readonly session_id: string;
  readonly step: number;
  readonly code: string;
  /** One sentence, without any content. */
  readonly message: string;
}

export interface ApplyRetentionOptions {
  /** Told of each step once it is gone. */
  readonly trace?: { emit(event: StepExpired): void } | undefined;
  /** Looked at between two steps. */
  readonly signal?: AbortSignal | undefined;
}

export interface RetentionReport {
  readonly removed: readonly RemovedStep[];
  readonly failed: readonly FailedRemoval[];
  readonly freed_bytes: number;
}

/** Never throws for a step. One that another has removed meanwhile is in neither list. */
export async function applyRetention(
  archive: Pick<Archive, "adapter" | "removeStep">,
  plan: Pick<RetentionPlan, "expiring">,
  { trace, signal }: ApplyRetentionOptions = {},
): Promise<RetentionReport> {
  const removed: RemovedStep[] = [];
  const failed: FailedRemoval[] = [];
  for (const step of plan.expiring) {
    if (signal?.aborted === true) break;
    const outcome = await remove(archive, step);
    if (outcome === undefined) continue;
    if ("code" in outcome) {
      failed.push(outcome);
      continue;
    }
    removed.push(outcome);
    trace?.emit({ event: "compact.expired", storage_adapter: archive.adapter, ...outcome });
  }
  return { removed, failed, freed_bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function remove(
  archive: Pick<Archive, "removeStep">,
  { session_id, step, reason }: ExpiringStep,
): Promise<RemovedStep | FailedRemoval | undefined> {
  try {
    return { session_id, step, reason, bytes: await archive.removeStep(session_id, step) };
  } catch (error) {
    if (!CompactError.isInstance(error)) return { session_id, step, code: "UNEXPECTED", message: "It failed." };
    return error.kind === "NotFound" ? undefined : { session_id, step, code: error.code, message: error.message };
  }
}
