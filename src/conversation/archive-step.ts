// Puts a step on record: the transcript before anything leaves, the summary's record and the session's state before anything
// is said to have happened. What is saved is redacted; each save is an event with the time that it took.
import type { SummaryRecord } from "../archive/archive.ts";
import { CompactError } from "../errors.ts";
import { isoTime } from "../time.ts";
import { mapInTurns } from "../tokens/stepwise.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import type { Assembled } from "./assemble.ts";
import type { ConversationParts } from "./conversation-parts.ts";
import type { DueCompaction } from "./layers.ts";
import { redactState, type SessionState } from "./session-state.ts";
import type { WrittenSummary } from "./write-summary.ts";

/** Where something was saved, and when. */
export interface Saved {
  readonly location: string;
  readonly times: Times;
}

/** What an archive did not take that may fail. */
export interface NotSaved {
  readonly what: "transcript" | "summary" | "state";
  /** One sentence without its full stop, and without any content. */
  readonly message: string;
}

/** Where it is; null for what is nowhere. */
export function placeOf(saved: Saved | NotSaved | null): string | null {
  return saved !== null && "location" in saved ? saved.location : null;
}

/** Null without an archive. Throws `ArchiveFailed`; `Conflict` when the step is taken. */
export async function archiveTranscript(
  due: DueCompaction,
  parts: ConversationParts,
): Promise<Saved | NotSaved | null> {
  const { input, step } = due;
  const { archive, redactor, trace } = parts;
  if (archive === undefined) return null;
  if (!redactor.isEnabled) {
    const message = "Redaction is switched off: what is archived and traced may hold secrets.";
    trace.emit({
      event: "compact.warning",
      session_id: input.sessionId,
      severity: "high",
      code: "redaction_disabled",
      message,
    });
  }
  const redacted = await mapInTurns(input.messages, (native) => redactor.json(native));
  const save = () => archive.saveTranscript(input.sessionId, step, redacted);
  const saved = await required("transcript", () => timed(save, parts), due, parts);
  emitArchival("transcript", saved, due, parts);
  return saved;
}

/** Tells nothing yet: that is for whoever knows that the compaction stands. */
export async function archiveSummary(
  due: DueCompaction,
  { written, assembled }: { readonly written: WrittenSummary | undefined; readonly assembled: Assembled },
  state: SessionState,
  parts: ConversationParts,
): Promise<Saved | NotSaved | null> {
  const { input, step, read, layers } = due;
  const { archive, redactor } = parts;
  if (archive === undefined) return null;
  const record: SummaryRecord = {
    session_id: input.sessionId,
    step,
    version: written?.version ?? null,
    created_at: isoTime(parts.clock()),
    format: read.format.name,
    strategy: parts.policy.strategy,
    source: written?.source ?? "none",
    text: written?.text ?? "",
    summary_hash: written === undefined ? null : state.summary_hash,
    tokens: assembled.summaryTokens,
    tokens_before: read.total,
    tokens_after: assembled.tokens,
    pruned: layers.removed.map((index) => read.numbers[index] ?? 1),
  };
  const save = async () => {
    const saved = await timed(() => archive.saveSummary(input.sessionId, step, redactor.json(record)), parts);
    await archive.writeState(input.sessionId, await redactState(state, redactor));
    return saved;
  };
  return required("summary", save, due, parts);
}

/** The session goes on from the state it had; the step stays taken. */
export async function takeStateBack({ input, state, step }: DueCompaction, parts: ConversationParts): Promise<void> {
  const { archive, redactor } = parts;
  if (archive === undefined) return;
  const before = await redactState({ ...state, step }, redactor);
  await required("state", () => archive.writeState(input.sessionId, before), { input, step }, parts);
}

export function emitArchival(
  what: "transcript" | "summary",
  saved: Saved | NotSaved | null,
  { input, step }: Place,
  { archive, trace }: ConversationParts,
): void {
  if (saved === null || !("location" in saved) || archive === undefined) return;
  trace.emit({
    event: "compact.archival",
    session_id: input.sessionId,
    step,
    storage_adapter: archive.adapter,
    what,
    ...placeFields(archive.adapter, saved.location),
    ...saved.times,
  });
}

/** Beside the one name that fits every archive, the specification's own. */
function placeFields(adapter: string, location: string) {
  if (adapter === "fs") return { location, file_path: location };
  return adapter === "s3" ? { location, s3_key: location.replace(/^s3:\/\/[^/]{1,255}\//, "") } : { location };
}

type Place = Pick<DueCompaction, "input" | "step">;

async function timed(save: () => Promise<string>, { clock }: ConversationParts): Promise<Saved> {
  const watch = startWatch(clock);
  const location = await save();
  return { location, times: watch() };
}

/** A failing archive stops the compaction, unless the configuration says that it may go on without one. */
async function required<Result>(
  what: NotSaved["what"],
  save: () => Promise<Result>,
  { input, step }: Place,
  { isArchiveRequired, trace, clock }: ConversationParts,
): Promise<Result | NotSaved> {
  const watch = startWatch(clock);
  try {
    return await save();
  } catch (error) {
    if (isArchiveRequired || (CompactError.isInstance(error) && error.kind === "Conflict")) throw error;
    const reason = CompactError.isInstance(error) ? error.message : "it failed for a reason of another program";
    const message = `The ${what} of step ${step} was not archived: ${reason.replace(/\.$/, "")}`;
    trace.emit({
      event: "compact.warning",
      session_id: input.sessionId,
      severity: "high",
      code: "not_archived",
      message: `${message}.`,
      ...watch(),
    });
    return { what, message };
  }
}
