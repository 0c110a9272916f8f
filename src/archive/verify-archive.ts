// Checks an archive without changing it: every transcript readable and whole, every summary there, intact and with its
// transcript, and every file as it was written.
import { CompactError } from "../errors.ts";
import { sha256 } from "../storage/sha256.ts";
import type { Archive, ArchivedStep, ChangedFile, SummaryRecord } from "./archive.ts";
import { knownSessions } from "./read-archive.ts";
import { missingValues } from "./restore-transcript.ts";

export interface ArchiveFault {
  readonly session_id: string;
  readonly step: number;
  readonly kind:
    | "transcript_missing"
    | "transcript_changed"
    | "unreadable_lines"
    | "messages_missing"
    | "summary_missing"
    | "summary_unreadable"
    | "summary_changed"
    | "step_missing"
    | "state_unreadable"
    | "unreadable_file";
  /** `warning`: nothing that a step needs is lost; a compaction never finished (or is running now), or a step is gone as a whole. */
  readonly severity: "error" | "warning";
  /** One sentence, without any content. */
  readonly message: string;
  readonly location: string;
}

/** A step that an index has and the archive has not. */
export interface LostStep extends ArchivedStep {
  readonly session_id: string;
  /** Which of its files are gone. */
  readonly what: readonly ("transcript" | "summary")[];
}

export interface ArchiveCheck {
  readonly sessions: number;
  /** Transcripts and summaries that were read. */
  readonly files: number;
  /** Of them, those whose hash was recorded when they were written, and was compared. */
  readonly hashes: number;
  /** Of them, those that nothing was recorded of: whether they are as they were written cannot be told. */
  readonly without_hash: number;
  /** Empty when nothing wrong was found. */
  readonly faults: readonly ArchiveFault[];
}

/** Sessions that are checked at a time: while one waits for its files, another's are looked at. */
const AT_ONCE = 8;

/**
 * `lost`: what the index of an archive knows that is not there. `progress` is told how many steps have been checked. Throws
 * `NotFound` for an unknown session.
 */
export async function verifyArchive(
  archive: Archive,
  sessionId?: string,
  lost: readonly LostStep[] = [],
  progress?: (steps: number) => void,
): Promise<ArchiveCheck> {
  const faults: ArchiveFault[] = [];
  let files = 0;
  let hashes = 0;
  let done = 0;
  const sessions = await knownSessions(archive, sessionId);
  const checkSession = async (id: string): Promise<readonly ArchiveFault[]> => {
    const found: ArchiveFault[] = [];
    const gone = new Map(lost.filter(({ session_id }) => session_id === id).map((step) => [step.step, step]));
    const steps = await archive.steps(id);
    const together = {};
    for (const step of steps) {
      const checked = await checkStep(archive, { id, together }, step, gone.get(step.step)?.what ?? []);
      files += checked.files;
      hashes += checked.hashes;
      found.push(...checked.faults.map((one) => ({ session_id: id, step: step.step, ...one })));
      gone.delete(step.step);
      progress?.(++done);
    }
    const state = await stateFault(archive, id);
    const last = steps.at(-1)?.step ?? 0;
    if (state !== undefined) found.push({ session_id: id, step: last, ...state });
    return [...found, ...[...gone.values()].map(stepMissing)];
  };
  for (let start = 0; start < sessions.length; start += AT_ONCE)
    faults.push(...(await Promise.all(sessions.slice(start, start + AT_ONCE).map(checkSession))).flat());
  const known = new Set(sessions);
  const others = sessionId === undefined ? lost.filter(({ session_id }) => !known.has(session_id)) : [];
  const without_hash = files - hashes;
  return { sessions: sessions.length, files, hashes, without_hash, faults: [...faults, ...others.map(stepMissing)] };
}

type Fault = Omit<ArchiveFault, "session_id" | "step">;

function fault(kind: Fault["kind"], location: string, message: string, severity: Fault["severity"] = "error"): Fault {
  return { kind, severity, message, location };
}

/** One fault a file: a damaged one differs from its hash as well, and the more precise word is said. */
async function checkStep(archive: Archive, session: CheckedSession, step: ArchivedStep, gone: LostStep["what"]) {
  const { id, together } = session;
  const record = await readRecord(archive, session, step, gone.includes("summary"));
  const transcript = await transcriptFault(archive, session, step, record.summary);
  let hashes = 0;
  const changed = await archive.changedFiles(id, step.step, { together, compared: () => hashes++ });
  const faults = [
    transcript ?? changedFault("transcript", changed),
    record.fault ?? (step.summary === undefined ? undefined : changedFault("summary", changed)),
  ];
  return {
    files: (transcript?.kind === "transcript_missing" ? 0 : 1) + (step.summary === undefined ? 0 : 1),
    hashes,
    faults: faults.filter((found) => found !== undefined),
  };
}

interface CheckedSession {
  readonly id: string;
  readonly together: object;
}

async function transcriptFault(
  archive: Archive,
  { id, together }: CheckedSession,
  { step, transcript: location }: ArchivedStep,
  summary: SummaryRecord | undefined,
): Promise<Fault | undefined> {
  try {
    const messages = await archive.readTranscript(id, step, { strict: true, together });
    const last = (summary?.pruned ?? []).reduce((most, message) => Math.max(most, message), 0);
    if (last <= messages.length) return undefined;
    const message = `The summary of step ${step} stands for messages up to ${last}, and the transcript has ${messages.length}.`;
    return fault("messages_missing", location, message);
  } catch (error) {
    return readFault(error, location);
  }
}

async function readRecord(
  archive: Archive,
  { id, together }: CheckedSession,
  { step, transcript, summary: location }: ArchivedStep,
  wasWritten: boolean,
): Promise<{ readonly summary?: SummaryRecord; readonly fault?: Fault }> {
  if (location === undefined) {
    const gone = `The summary record of step ${step} was written, and is gone.`;
    const unfinished = `The compaction of step ${step} never finished: no summary record.`;
    const [message, severity] = wasWritten ? ([gone, "error"] as const) : ([unfinished, "warning"] as const);
    return { fault: fault("summary_missing", transcript, message, severity) };
  }
  try {
    const summary = await archive.readSummary(id, step, { together });
    if (summary === undefined) return {};
    if (isIntact(summary)) return { summary };
    const message = "The summary text does not match its recorded hash.";
    return { summary, fault: fault("summary_changed", location, message) };
  } catch (error) {
    return { fault: readFault(error, location) };
  }
}

function stepMissing({ session_id, step, transcript, summary }: LostStep): ArchiveFault {
  const message = `Step ${step} was archived, and its files are gone.`;
  return { session_id, step, ...fault("step_missing", summary ?? transcript, message, "warning") };
}

/** The hash was taken before redaction, so a redacted text cannot be checked. Without a text it is an older summary's. */
function isIntact(record: SummaryRecord): boolean {
  if (record.summary_hash === null || record.text === "" || missingValues(record.text, 1).length > 0) return true;
  return sha256(record.text) === record.summary_hash;
}

function changedFault(what: ChangedFile["what"], changed: readonly ChangedFile[]): Fault | undefined {
  const found = changed.find((file) => file.what === what);
  if (found === undefined) return undefined;
  const whose =
    found.sharedWith === undefined
      ? `The ${what}`
      : `The ${what} of step ${found.sharedWith}, in which lines of this one lie,`;
  return fault(
    `${what}_changed`,
    found.location,
    `${whose} is not what was written: its bytes do not have the recorded hash.`,
  );
}

/** What a session goes on from. */
async function stateFault(archive: Archive, sessionId: string): Promise<Fault | undefined> {
  try {
    await archive.readState(sessionId, { strict: true });
    return undefined;
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    const location = typeof error.data.location === "string" ? error.data.location : "";
    const message =
      "What the session goes on from cannot be read; it is made anew from its steps by `agent-compact archive repair`.";
    return fault("state_unreadable", location, message);
  }
}

function readFault(error: unknown, location: string): Fault {
  if (!CompactError.isInstance(error)) throw error;
  const kinds: Readonly<Record<string, ArchiveFault["kind"]>> = {
    STEP_NOT_FOUND: "transcript_missing",
    UNREADABLE_LINES: "unreadable_lines",
    DAMAGED_RECORD: "summary_unreadable",
  };
  return fault(kinds[error.code] ?? "unreadable_file", location, `${error.message}.`);
}
