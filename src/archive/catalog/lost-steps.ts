// The steps of an archive on a disk that its catalog knows and that went without being removed by us: what `archive
// verify` can say of files that are not there.
import { sessionFolder } from "../../storage/session-folder.ts";
import type { LostStep } from "../reading/verify-archive.ts";
import { stepsOf, summaryFile, transcriptFiles } from "../step-files.ts";
import { createCatalog } from "./catalog.ts";

/** Of one session, or of all; in the order of their sessions and steps. */
export async function findLostSteps(root: string, sessionId?: string): Promise<readonly LostStep[]> {
  const { join } = await import("node:path");
  const lost = await createCatalog(root).lost();
  const bySession = new Map<string, string[]>();
  for (const { session_id, name } of lost) {
    if (sessionId !== undefined && session_id !== sessionId) continue;
    bySession.set(session_id, [...(bySession.get(session_id) ?? []), name]);
  }
  const sessions = [...bySession].sort(([a], [b]) => (a < b ? -1 : 1));
  return sessions.flatMap(([session_id, names]) => {
    const steps = stepsOf(names, (name) => join(root, sessionFolder(session_id), name));
    return steps.map((step) => ({ ...step, session_id, what: whatOf(step.step, names) }));
  });
}

function whatOf(step: number, names: readonly string[]): LostStep["what"] {
  const present = new Set(names);
  const hasTranscript = transcriptFiles(step).some((name) => present.has(name));
  const what: LostStep["what"][number][] = [];
  if (hasTranscript) what.push("transcript");
  if (present.has(summaryFile(step))) what.push("summary");
  return what;
}
