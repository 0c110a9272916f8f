// What a listing of an archive's files says about its steps. Pure, and one pass: there may be many thousands.
import type { StepSize } from "./archive.ts";
import type { StoredFile } from "./archive-files.ts";
import type { SummaryPlace } from "./find-summary.ts";
import { stepOf, summaryFile } from "./step-files.ts";

/** Sessions with at least one step, sorted. */
export function sessionsIn(files: readonly StoredFile[]): readonly string[] {
  const ids = new Set<string>();
  for (const { session_id, name } of files) if (stepOf(name) !== undefined) ids.add(session_id);
  return [...ids].sort();
}

/** Every summary record, in the order of sessions and steps. */
export function summariesIn(files: readonly StoredFile[]): readonly SummaryPlace[] {
  const places: SummaryPlace[] = [];
  for (const { session_id: sessionId, name } of files) {
    const step = stepOf(name);
    if (step !== undefined && name === summaryFile(step)) places.push({ sessionId, step });
  }
  return places.sort((a, b) => compare(a.sessionId, b.sessionId) || a.step - b.step);
}

/** Every step, oldest first; of one session, in their order where the times are the same. */
export function sizesOf(files: readonly StoredFile[]): readonly StepSize[] {
  const sessions = new Map<string, Map<number, StepSize>>();
  for (const file of files) {
    const step = stepOf(file.name);
    if (step === undefined) continue;
    const steps = sessions.get(file.session_id) ?? new Map<number, StepSize>();
    sessions.set(file.session_id, steps.set(step, added(steps.get(step), file, step)));
  }
  const sizes = Array.from(sessions.values(), (steps) => [...steps.values()]).flat();
  return sizes.sort((a, b) => compare(a.at, b.at) || compare(a.session_id, b.session_id) || a.step - b.step);
}

function added(before: StepSize | undefined, { session_id, name, at, bytes }: StoredFile, step: number): StepSize {
  const isSummary = name === summaryFile(step);
  if (before === undefined) return { session_id, step, at, bytes, has_summary: isSummary };
  return {
    ...before,
    at: at < before.at ? at : before.at,
    bytes: before.bytes + bytes,
    has_summary: before.has_summary || isSummary,
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
