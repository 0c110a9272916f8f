// Removes what a plan lets go, oldest first, and tells each step once it is gone. A step that cannot be removed stops
// nothing: it is in the report, and the next plan has it again.
import { CompactError } from "../../errors.ts";
import type { Archive } from "../archive.ts";
import type { ExpiringStep, RetentionPlan } from "./plan-retention.ts";

/** As the trace takes it. */
export interface StepExpired {
  readonly event: "compact.expired";
  readonly session_id: string;
  readonly step: number;
  readonly storage_adapter: string;
  readonly reason: "age" | "size";
  readonly bytes: number;
}

export interface RemovedStep {
  readonly session_id: string;
  readonly step: number;
  readonly reason: "age" | "size";
  /** That its removal freed, counted when it was removed. */
  readonly bytes: number;
}

export interface FailedRemoval {
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
