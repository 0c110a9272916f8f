// What every reading command starts with: which sessions are meant, and reading around damage that `archive verify`
// reports.
import { CompactError } from "../errors.ts";
import type { Archive, SummaryRecord } from "./archive.ts";

/** All sessions, or the one asked for. Throws `NotFound` when that one has no archived step. */
export async function knownSessions(archive: Archive, sessionId?: string): Promise<readonly string[]> {
  if (sessionId === undefined) return archive.sessions();
  if ((await archive.steps(sessionId)).length > 0) return [sessionId];
  throw new CompactError("NotFound", `nothing is archived for session ${JSON.stringify(sessionId)}`, {
    code: "SESSION_NOT_FOUND",
    hint: "List the sessions with `agent-compact archive list`, and check --archive-dir.",
    data: { session_id: sessionId },
  });
}

/** Empty when the transcript is lost. */
export async function readTranscriptOrSkip(
  archive: Archive,
  sessionId: string,
  step: number,
  together?: object,
): Promise<readonly unknown[]> {
  try {
    return await archive.readTranscript(sessionId, step, { together });
  } catch (error) {
    if (CompactError.isInstance(error) && error.kind === "NotFound") return [];
    throw error;
  }
}

/** Undefined when the record is missing or damaged. */
export async function readSummaryOrSkip(
  archive: Archive,
  sessionId: string,
  step: number,
  together?: object,
): Promise<SummaryRecord | undefined> {
  try {
    return await archive.readSummary(sessionId, step, { together });
  } catch (error) {
    if (CompactError.isInstance(error) && error.code === "DAMAGED_RECORD") return undefined;
    throw error;
  }
}

// Follows a reference as summaries and search results give it: `1.12`, `1.12-20`, or `1` for a whole step.

const REFERENCE = /^(\d{1,9})(?:\.(\d{1,9})(?:-(\d{1,9}))?)?$/;

export interface ExpandedReference {
  readonly session_id: string;
  readonly step: number;
  /** 1-based numbers in the step's transcript. `message` is null where the archive is damaged. */
  readonly messages: readonly { readonly number: number; readonly message: unknown }[];
}

/** Throws `InvalidInput` for text that is no reference, `NotFound` for a session, step or message that is not archived. */
export async function expandReference(archive: Archive, sessionId: string, ref: string): Promise<ExpandedReference> {
  const asked = parseReference(ref);
  await knownSessions(archive, sessionId);
  const transcript = await archive.readTranscript(sessionId, asked.step);
  const first = asked.first ?? 1;
  const last = asked.last ?? asked.first ?? transcript.length;
  if (last > transcript.length) throw beyondEnd(ref, asked.step, transcript.length);
  const messages = transcript.slice(first - 1, last).map((message, index) => ({ number: first + index, message }));
  return { session_id: sessionId, step: asked.step, messages };
}

interface Reference {
  readonly step: number;
  readonly first?: number;
  readonly last?: number;
}

function parseReference(ref: string): Reference {
  const match = REFERENCE.exec(ref.trim());
  if (match === null) throw badReference(ref, "is not a reference");
  const [step, first, last] = match.slice(1).map((digits) => (digits === undefined ? undefined : Number(digits)));
  if (step === undefined || step === 0 || first === 0) throw badReference(ref, "starts below 1");
  if (first === undefined) return { step };
  if (last === undefined) return { step, first };
  if (last < first) throw badReference(ref, "ends before it starts");
  return { step, first, last };
}

function badReference(ref: string, why: string): CompactError {
  return new CompactError("InvalidInput", `${JSON.stringify(ref.slice(0, 60))} ${why}`, {
    code: "INVALID_REFERENCE",
    hint: "Write 1.12 for message 12 of step 1, 1.12-20 for a range, 1 for the whole step.",
  });
}

function beyondEnd(ref: string, step: number, count: number): CompactError {
  return new CompactError("NotFound", `${ref} is not archived: step ${step} has ${count} message(s)`, {
    code: "MESSAGE_NOT_FOUND",
    hint: count === 0 ? "The transcript of this step is empty." : `Ask for ${step}.1 to ${step}.${count}.`,
    data: { step, messages: count },
  });
}
