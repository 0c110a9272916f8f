// Rebuilds a session's original history from its archive, and says which values cannot be returned.
import { CompactError } from "../../errors.ts";
import type { Archive } from "../archive.ts";
import { type AlignedStep, alignSteps } from "./align-steps.ts";
import { knownSessions, readSummaryOrSkip } from "./known-sessions.ts";
import { type MissingValue, missingValues } from "./missing-values.ts";

export interface RestoredTranscript {
  readonly session_id: string;
  /** The history reaches from the start of `from_step`'s transcript to the end of `to_step`'s. */
  readonly from_step: number;
  readonly to_step: number;
  readonly messages: readonly unknown[];
  /** Each value that redaction or damage keeps from being returned. Empty means: complete. */
  readonly missing: readonly MissingValue[];
  /** What a person should know, in sentences: steps that do not continue each other, copies that differ. */
  readonly notes: readonly string[];
}

/**
 * With a step: exactly that transcript. Without: the whole history up to the newest step: the first transcript, then
 * from each later one what was new. Where a step does not continue the one before, the history starts there, and a
 * note says so. Throws `NotFound` for an unknown session or step.
 */
export async function restoreTranscript(
  archive: Archive,
  sessionId: string,
  step?: number,
): Promise<RestoredTranscript> {
  await knownSessions(archive, sessionId);
  if (step === undefined) return finish(sessionId, await rebuild(archive, sessionId));
  return finish(sessionId, { from: step, to: step, ...(await readTold(archive, sessionId, step)) });
}

interface Rebuilt {
  readonly from: number;
  readonly to: number;
  readonly messages: readonly unknown[];
  readonly notes: readonly string[];
}

async function rebuild(archive: Archive, sessionId: string): Promise<Rebuilt> {
  const notes: string[] = [];
  let history: readonly unknown[] = [];
  let from = 0;
  let before: { readonly step: number; readonly transcript: readonly unknown[] } | undefined;
  const steps = await archive.steps(sessionId);
  const first = steps[0]?.step ?? 1;
  if (first > 1) notes.push(`Steps before ${first} are not archived (any more): the history starts there.`);
  for (const { step } of steps) {
    const { messages: transcript, notes: told } = await readToldOrSkip(archive, sessionId, step);
    notes.push(...told);
    if (transcript.length === 0) {
      notes.push(`The transcript of step ${step} is lost or empty.`);
      continue;
    }
    const record = before && (await readSummaryOrSkip(archive, sessionId, before.step));
    const aligned = before && alignSteps(before.transcript, record, transcript);
    if (before !== undefined) notes.push(...alignmentNotes(aligned, step, before.step));
    if (aligned === undefined) from = step;
    history = aligned === undefined ? transcript : history.concat(transcript.slice(aligned.firstNew));
    before = { step, transcript };
  }
  return { from, to: before?.step ?? 0, messages: history, notes };
}

interface ToldTranscript {
  readonly messages: readonly unknown[];
  readonly notes: readonly string[];
}

const LOST: ToldTranscript = { messages: [], notes: [] };

/** Says where a transcript breaks off. Damaged lines before that are null, and are listed as missing. */
async function readTold(archive: Archive, sessionId: string, step: number): Promise<ToldTranscript> {
  try {
    return { messages: await archive.readTranscript(sessionId, step, { strict: true }), notes: [] };
  } catch (error) {
    if (!CompactError.isInstance(error) || error.code !== "UNREADABLE_LINES") throw error;
    const messages = await archive.readTranscript(sessionId, step);
    const lines = Array.isArray(error.data.lines) ? error.data.lines : [];
    const breaksOff = lines.some((line) => typeof line === "number" && line > messages.length);
    const note = `The transcript of step ${step} breaks off after message ${messages.length}: what followed is lost.`;
    return { messages, notes: breaksOff ? [note] : [] };
  }
}

async function readToldOrSkip(archive: Archive, sessionId: string, step: number): Promise<ToldTranscript> {
  try {
    return await readTold(archive, sessionId, step);
  } catch (error) {
    if (CompactError.isInstance(error) && error.kind === "NotFound") return LOST;
    throw error;
  }
}

function alignmentNotes(aligned: AlignedStep | undefined, step: number, before: number): readonly string[] {
  if (aligned === undefined) {
    const advice = `Restore step ${before} by its number.`;
    return [`Step ${step} does not continue step ${before}: the history starts at step ${step}. ${advice}`];
  }
  if (aligned.changed.length === 0) return [];
  const numbers = aligned.changed.join(", ");
  return [`Step ${step} holds other copies of earlier messages (${numbers}): the earlier copies are given.`];
}

/** Leaves out messages whose archived line is damaged, and lists them. */
function finish(sessionId: string, rebuilt: Rebuilt): RestoredTranscript {
  const messages: unknown[] = [];
  const missing: MissingValue[] = [];
  for (const message of rebuilt.messages) {
    if (message === null) missing.push({ message: messages.length + 1, path: "$", reason: "unreadable", count: 1 });
    else missing.push(...missingValues(message, messages.push(message)));
  }
  const { from, to, notes } = rebuilt;
  return { session_id: sessionId, from_step: from, to_step: to, messages, missing, notes };
}
