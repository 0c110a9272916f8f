// Says whether a session's messages are what the newest step of the archive holds: a hook that is called again, or set up
// twice, adds nothing.
import type { Archive } from "../../../archive/archive.ts";
import { readSummaryOrSkip, readTranscriptOrSkip } from "../../../archive/reading/known-sessions.ts";
import { toJson } from "../../../formats/json-shape.ts";
import type { Redactor } from "../../../redaction/redacted.ts";

/** The step, when it is finished and equal; from the end, where a session that went on differs first. */
export async function archivedAs(
  archive: Archive,
  sessionId: string,
  messages: readonly unknown[],
  redactor: Redactor,
): Promise<number | undefined> {
  const last = (await archive.steps(sessionId)).at(-1);
  if (last?.summary === undefined || last.isTranscriptLost === true) return undefined;
  if ((await readSummaryOrSkip(archive, sessionId, last.step)) === undefined) return undefined;
  const stored = await readTranscriptOrSkip(archive, sessionId, last.step);
  if (stored.length !== messages.length) return undefined;
  for (let index = messages.length - 1; index >= 0; index--)
    if (toJson(stored[index]) !== toJson(redactor.json(messages[index]))) return undefined;
  return last.step;
}
