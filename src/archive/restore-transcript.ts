// Rebuilds a session's original history from its archive, and says which values cannot be returned.
import { CompactError } from "../errors.ts";
import { REDACTION_MARK } from "../text/quote.ts";
import type { Archive, SummaryRecord } from "./archive.ts";
import { knownSessions, readSummaryOrSkip } from "./read-archive.ts";
import { messageText } from "./search-archive.ts";

interface RestoredTranscript {
  readonly session_id: string;
  /** The history reaches from the start of `from_step`'s transcript to the end of `to_step`'s. */
  readonly from_step: number;
  readonly to_step: number;
  readonly messages: readonly unknown[];
  /** After how many of them each step compacted. */
  readonly steps: readonly StepEnd[];
  /** Each value that redaction or damage keeps from being returned. Empty means: complete. */
  readonly missing: readonly MissingValue[];
  /** What a person should know, in sentences: steps that do not continue each other, copies that differ. */
  readonly notes: readonly string[];
}

interface StepEnd {
  readonly step: number;
  readonly messages: number;
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
  return finish(sessionId, await rebuildOne(archive, sessionId, step));
}

interface Rebuilt {
  readonly from: number;
  readonly to: number;
  readonly messages: readonly unknown[];
  readonly steps: readonly StepEnd[];
  readonly notes: readonly string[];
}

async function rebuildOne(archive: Archive, sessionId: string, step: number): Promise<Rebuilt> {
  const read = await readWithNotes(archive, sessionId, step);
  return { from: step, to: step, steps: [{ step, messages: read.messages.length }], ...read };
}

async function rebuild(archive: Archive, sessionId: string): Promise<Rebuilt> {
  const notes: string[] = [];
  let history: readonly unknown[] = [];
  let ends: StepEnd[] = [];
  let from = 0;
  let before: { readonly step: number; readonly transcript: readonly unknown[] } | undefined;
  const steps = await archive.steps(sessionId);
  const first = steps[0]?.step ?? 1;
  if (first > 1) notes.push(`Steps before ${first} are not archived (any more): the history starts there.`);
  for (const { step } of steps) {
    const { messages: transcript, notes: reported } = await readWithNotes(archive, sessionId, step).catch(lostIfAbsent);
    notes.push(...reported);
    if (transcript.length === 0) {
      notes.push(`The transcript of step ${step} is lost or empty.`);
      continue;
    }
    const record = before && (await readSummaryOrSkip(archive, sessionId, before.step));
    const aligned = before && alignSteps(before.transcript, record, transcript);
    if (before !== undefined) notes.push(...alignmentNotes(aligned, step, before.step));
    if (aligned === undefined) [from, ends] = [step, []];
    history = aligned === undefined ? transcript : history.concat(transcript.slice(aligned.firstNew));
    ends.push({ step, messages: history.length });
    before = { step, transcript };
  }
  return { from, to: before?.step ?? 0, messages: history, steps: ends, notes };
}

interface ReadTranscript {
  readonly messages: readonly unknown[];
  readonly notes: readonly string[];
}

/** Says where a transcript breaks off. Damaged lines before that are null, and are listed as missing. */
async function readWithNotes(archive: Archive, sessionId: string, step: number): Promise<ReadTranscript> {
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

function lostIfAbsent(error: unknown): ReadTranscript {
  if (CompactError.isInstance(error) && error.kind === "NotFound") return { messages: [], notes: [] };
  throw error;
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
  const steps = rebuilt.steps.map((end) => ({
    step: end.step,
    messages: rebuilt.messages.slice(0, end.messages).filter((message) => message !== null).length,
  }));
  return { session_id: sessionId, from_step: from, to_step: to, messages, steps, missing, notes };
}

// Finds where the new messages begin in a step's transcript. Each transcript is the whole live list, so a later one
// starts with what the step before kept, and its summary; only what follows is new.

/** How far apart two lists may drift in one place: repair drops or adds single messages. */
const WINDOW = 8;

interface AlignedStep {
  /** Index of the first message that the earlier transcript does not hold. */
  readonly firstNew: number;
  /** 1-based numbers in the later transcript of kept messages that differ from their earlier copy (shortened results). */
  readonly changed: readonly number[];
}

/** Undefined when `later` does not continue `earlier`: more than half of what was kept is not there. */
function alignSteps(
  earlier: readonly unknown[],
  record: SummaryRecord | undefined,
  later: readonly unknown[],
): AlignedStep | undefined {
  const pruned = new Set(record?.pruned);
  const kept = earlier.filter((_, index) => !pruned.has(index + 1));
  const walk = walkTogether(kept, later, summaryTest(record));
  if (walk === undefined || walk.same * 2 < kept.length) return undefined;
  return { firstNew: walk.firstNew, changed: walk.changed };
}

interface Walk extends AlignedStep {
  readonly same: number;
}

function walkTogether(
  kept: readonly unknown[],
  later: readonly unknown[],
  isSummary: (message: unknown) => boolean,
): Walk | undefined {
  const wanted = kept.map((message) => JSON.stringify(message));
  const present = later.map((message) => JSON.stringify(message));
  const changed: number[] = [];
  let same = 0;
  let i = 0;
  let j = 0;
  while (i < wanted.length) {
    if (j >= present.length) return undefined;
    const [overWanted, overPresent] = isSummary(later[j]) ? [0, 1] : step(wanted, present, i, j);
    if (overWanted === overPresent) {
      if (wanted[i] === present[j]) same++;
      else changed.push(j + 1);
    }
    i += overWanted;
    j += overPresent;
  }
  // After the last kept message only the summary can still be old: it is last when nothing but pinned ones stayed.
  if (j < later.length && isSummary(later[j])) j++;
  return { firstNew: j, changed, same };
}

/** How far to go on in both lists: past a pair, or over what only one of them holds. */
function step(wanted: readonly string[], present: readonly string[], i: number, j: number): readonly [number, number] {
  const added = nextWithin(present, wanted[i], j);
  if (added === 0) return [1, 1];
  if (added > 0) return [0, added];
  const dropped = nextWithin(wanted, present[j], i);
  return dropped > 0 ? [dropped, 0] : [1, 1];
}

/** Distance to the next equal text, within the window; -1 when there is none. */
function nextWithin(texts: readonly string[], wanted: string | undefined, from: number): number {
  for (let distance = 0; distance < WINDOW && from + distance < texts.length; distance++) {
    if (texts[from + distance] === wanted) return distance;
  }
  return -1;
}

/** By its recorded text, never by a marker in it: markers can be forged. */
function summaryTest(record: SummaryRecord | undefined): (message: unknown) => boolean {
  const text = record?.text.trim() ?? "";
  return (message) => text !== "" && messageText(message).includes(text);
}

// Lists what an archive cannot give back: the values that redaction took out before archiving.

interface MissingValue {
  /** 1-based number in the restored list. */
  readonly message: number;
  /** JSON path of the string (or of the key): `$.content[0].text`. */
  readonly path: string;
  /** `redacted`: the string lacks a secret. `unreadable`: the archived line is damaged, the message is left out. */
  readonly reason: "redacted" | "unreadable";
  /** How many secrets this string lacks. */
  readonly count: number;
}

/** The redacted values of one message, in document order. */
export function missingValues(message: unknown, number: number): readonly MissingValue[] {
  const missing: MissingValue[] = [];
  const stack: Place[] = [{ value: message, path: "$" }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path, key } = next;
    const count = marksIn(value) + marksIn(key);
    if (count > 0) missing.push({ message: number, path, reason: "redacted", count });
    for (const place of placesIn(value, path).reverse()) stack.push(place);
  }
  return missing;
}

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly key?: string;
}

function marksIn(text: unknown): number {
  return typeof text === "string" ? text.split(REDACTION_MARK).length - 1 : 0;
}

function placesIn(value: unknown, path: string): Place[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => ({ value: item, path: `${path}[${index}]` }));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([key, child]) => ({ value: child, path: path + pathStep(key), key }));
}

function pathStep(key: string): string {
  return /^[A-Za-z_]\w{0,99}$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
