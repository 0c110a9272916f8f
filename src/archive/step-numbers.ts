// Which number the next step gets, and how a step is removed without its number ever being given again: a summary that
// names message 3.12 must not lead to another message because step 3 expired.
import type { ArchiveFiles } from "./archive-files.ts";
import { stepNotFound, stepOf, summaryFile } from "./step-files.ts";

/** Written only when the highest step is removed: otherwise the files tell. */
const HIGHEST_REMOVED = "highest-removed-step.json";

/** 0 before the first step. */
export async function highestStep(files: ArchiveFiles, sessionId: string): Promise<number> {
  const names = (await files.list(sessionId)).map(({ name }) => name);
  const removed = names.includes(HIGHEST_REMOVED) ? await highestRemoved(files, sessionId) : 0;
  return names.reduce((highest, name) => Math.max(highest, stepOf(name) ?? 0), removed);
}

/** Returns the bytes freed. Throws `NotFound`. */
export async function removeStep(files: ArchiveFiles, sessionId: string, step: number): Promise<number> {
  const all = await files.list(sessionId);
  const own = all.filter(({ name }) => stepOf(name) === step);
  if (own.length === 0) throw stepNotFound(sessionId, step);
  if (!all.some(({ name }) => (stepOf(name) ?? 0) > step)) await keepNumber(files, sessionId, step);
  // A transcript without a summary is a compaction that never finished; the reverse would be a loss.
  const inOrder = own.sort((a, b) => Number(b.name === summaryFile(step)) - Number(a.name === summaryFile(step)));
  for (const { name } of inOrder) await files.remove(sessionId, name);
  return own.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function keepNumber(files: ArchiveFiles, sessionId: string, step: number): Promise<void> {
  const highest = Math.max(step, await highestRemoved(files, sessionId));
  const content = new TextEncoder().encode(`${JSON.stringify({ step: highest })}\n`);
  await files.replace(sessionId, HIGHEST_REMOVED, content, "number of the removed step");
}

async function highestRemoved(files: ArchiveFiles, sessionId: string): Promise<number> {
  const bytes = await files.read(sessionId, HIGHEST_REMOVED);
  try {
    const { step } = JSON.parse(new TextDecoder().decode(bytes)) as { step?: unknown };
    return typeof step === "number" && Number.isSafeInteger(step) && step > 0 ? step : 0;
  } catch {
    // Absent or damaged: the steps that are there still count.
    return 0;
  }
}
