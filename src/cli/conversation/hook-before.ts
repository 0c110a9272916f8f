// Before a host compacts: the session as its file has it goes into the archive, with a summary of all of it. The smaller
// list that comes out is not used: the host makes its own.
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Archive } from "../../archive/archive.ts";
import { readSummaryOrSkip, readTranscriptOrSkip } from "../../archive/read-archive.ts";
import type { ConversationReport } from "../../conversation/report.ts";
import type { CompactManager, ModelChoice } from "../../conversation.ts";
import { CompactError } from "../../errors.ts";
import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { fileFailure } from "../../storage/files.ts";
import { takeFolderLock } from "../../storage/folder-lock.ts";
import { openSessionFolder } from "../../storage/open-session-folder.ts";
import { plural } from "../../text/figures.ts";
import { toJson } from "../../text/json-values.ts";
import { resolveModel } from "../../tokens/models.ts";
import { type ConversationSource, readConversationSource, requestOf } from "../files/conversation-source.ts";
import { badInput } from "../flags.ts";
import { type ArchiveFlags, endingWith, openCompactor } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";
import type { HookEvent } from "./hook-event.ts";
import { factsToKeep } from "./hook-text.ts";

/** Nothing is sent, so no window has to limit what may stay. */
const NO_LIMIT = 100_000_000;

/** Everything leaves, so that the summary speaks of everything. A model that fails must not cost the record. */
const POLICY = {
  keepRecentTurns: 0,
  keepToolIoPairs: 0,
  summaryMaxTokens: 1800,
  onSummaryFailure: "extractive",
} as const;

/**
 * What is printed: Claude Code gives all of it to its summarizer as it is, the others show the `systemMessage` to the person.
 * Throws `NotFound` and `InvalidInput` for a transcript that is none, `ArchiveFailed` where nothing can be written.
 */
export async function archiveBefore(event: HookEvent, flags: ArchiveFlags, terminal: Terminal): Promise<string> {
  const source = await readConversationSource(await regularFile(event), "auto", terminal);
  const opened = await openCompactor({ ...flags, maxContextTokens: NO_LIMIT }, terminal, {
    isReadOnly: false,
    policy: POLICY,
  });
  const { archive, compactor, path, redaction } = opened;
  const redactor = createRedactor(redaction);
  const archiving = async () => {
    const step = await archivedAs(archive, event.sessionId, source.messages, redactor);
    if (step !== undefined) return `${plural(source.messages.length, "message")} stand as step ${step} already.`;
    const { report } = await compactWithin(compactor, source, event);
    if (report.status === "skipped" && report.archive.transcript === null)
      await saveAlone(archive, event.sessionId, source.messages, redactor);
    return describe(report, source, async () => (await archive.steps(event.sessionId)).at(-1)?.step ?? 1);
  };
  const done = await endingWith(
    () => compactor.close(),
    terminal,
    () => oneAtATime(path, event.sessionId, archiving),
  );
  const said = `agent-compact: ${done}`;
  if (source.readAs !== "claude-code") return JSON.stringify({ systemMessage: said });
  const facts = await factsToKeep(source, event.sessionId, archive, (text) => redactor.text(text));
  return facts === "" ? said : `${said}\n${facts}`;
}

/** Nothing else is opened: a pipe would hold the host up, a device would never end. */
async function regularFile({ transcriptPath, cwd }: HookEvent): Promise<string> {
  if (transcriptPath === "")
    throw badInput("NO_TRANSCRIPT", "The event names no transcript_path.", "The host keeps no file of this session.");
  const path = resolve(cwd, transcriptPath);
  const found = await stat(path).catch(() => undefined);
  // What cannot be looked at is told by the reading.
  if (found === undefined || found.isFile()) return path;
  throw badInput("NOT_A_FILE", "The transcript_path of the event is no file.", "Report this with the host's version.");
}

/** Where all of it is the open request nothing left, so nothing was saved; a host's compaction makes no such difference. */
async function saveAlone(archive: Archive, sessionId: string, messages: readonly unknown[], redactor: Redactor) {
  const step = await archive.nextStep(sessionId);
  await archive.saveTranscript(
    sessionId,
    step,
    messages.map((message) => redactor.json(message)),
  );
}

/** What the host says of its window may be wrong, and a long request that is still open must not cost the record. */
async function compactWithin(compactor: CompactManager, source: ConversationSource, event: HookEvent) {
  const { note, trigger } = event;
  const options = { ...requestOf(source), isAutomatic: trigger === "auto", ...(note === "" ? {} : { note }) };
  const compact = (within: ModelChoice) =>
    compactor.compact(event.sessionId, source.messages, { ...options, ...within });
  return compact(modelOf(source, event)).catch((error: unknown) => {
    const isOfSize =
      CompactError.isInstance(error) && (error.kind === "InsufficientBudget" || error.kind === "InvalidConfig");
    if (!isOfSize) throw error;
    return compact({});
  });
}

/** As the host says it, else its session file; without a window none is told. */
function modelOf(source: ConversationSource, event: HookEvent): ModelChoice {
  const model = event.model || source.model;
  const maxContextTokens = source.window ?? resolveModel(model).window ?? NO_LIMIT;
  return { maxContextTokens, ...(model === undefined ? {} : { model }) };
}

async function describe(
  { status, archive }: ConversationReport,
  { messages }: ConversationSource,
  lastStep: () => Promise<number>,
): Promise<string> {
  const count = plural(messages.length, "message");
  const isSkipped = status === "skipped";
  if (!isSkipped && (archive.transcript === null || archive.summary === null)) throw notTaken();
  const where = `${count} archived as step ${await lastStep()}`;
  return isSkipped
    ? `${where}, without a summary, which would be no smaller.`
    : `${where}, facts kept for after the compaction.`;
}

/** Where the configuration says that the archive may fail: for a hook it is all there is to do. */
function notTaken(): CompactError {
  return new CompactError("ArchiveFailed", "The archive did not take the session.", {
    hint: "Look at storage in the configuration, and at `agent-compact archive verify`.",
  });
}

// One hook at a time on a session, among all processes: one that is set up for a person and for a project is called
// twice at once, and the second finds what the first wrote. The lock stands in the session's own folder.

/** `root`: the archive's folder. Throws `ArchiveFailed` where it cannot be written, `Conflict` after half a minute of waiting. */
async function oneAtATime<T>(root: string, sessionId: string, work: () => Promise<T>): Promise<T> {
  const folder = await openSessionFolder(root, sessionId, new Date().toISOString()).catch((cause) => {
    throw fileFailure("ArchiveFailed", "make the session's folder", root, cause);
  });
  const lock = await takeFolderLock({
    folder,
    lock: join(folder, "hook.lock"),
    owner: join(folder, "hook.writer"),
    busy: (cause) => busy(folder, cause),
    lost: () => busy(folder, undefined),
    failed: (cause) => fileFailure("ArchiveFailed", "lock the session's folder", folder, cause),
  }).catch((cause) => {
    throw fileFailure("ArchiveFailed", "lock the session's folder", folder, cause);
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function busy(path: string, cause: unknown): CompactError {
  return new CompactError("Conflict", `another process has been archiving this session for too long: ${path}`, {
    code: "SESSION_BUSY",
    hint: "Its archive is the same; if no other process runs, remove hook.lock in that folder.",
    data: { path },
    cause,
  });
}

// Says whether a session's messages are what the newest step of the archive holds: a hook that is called again, or set up
// twice, adds nothing.

/** The step, when it is finished and equal; from the end, where a session that went on differs first. */
async function archivedAs(
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
