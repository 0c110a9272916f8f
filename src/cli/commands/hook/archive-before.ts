// Before a host compacts: the session as its file has it goes into the archive, with a summary of all of it. The smaller
// list that comes out is not used: the host makes its own.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Archive } from "../../../archive/archive.ts";
import type { ConversationReport } from "../../../conversation/report.ts";
import { CompactError } from "../../../errors.ts";
import type { Redactor } from "../../../redaction/redacted.ts";
import { createRedactor, type RedactorOptions } from "../../../redaction/redactor.ts";
import { badInput } from "../../input/bad-input.ts";
import { type ConversationSource, readConversationSource } from "../../input/conversation-source.ts";
import { type ArchiveFlags, openCompactor, readConfig } from "../../open-compactor.ts";
import { plural } from "../../render/table.ts";
import type { Terminal } from "../../terminal.ts";
import { endingWith } from "../../trace/open-trace.ts";
import { archivedAs } from "./archived-as.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { HookEvent } from "./read-event.ts";

/** Nothing is sent, so no window limits what may stay: a long request that is still open must not cost the record. */
const NO_LIMIT = 100_000_000;

/**
 * Everything leaves, so that the summary speaks of everything. Its cap is what hosts take of a hook (10,000 characters)
 * with room to spare. A model that fails must not cost the record.
 */
const POLICY = {
  keepRecentTurns: 0,
  keepToolIoPairs: 0,
  summaryMaxTokens: 1800,
  onSummaryFailure: "extractive",
} as const;

interface SystemMessage {
  readonly systemMessage: string;
}

/** Throws `NotFound` and `InvalidInput` for a transcript that is none, `ArchiveFailed` where nothing can be written. */
export async function archiveBefore(event: HookEvent, flags: ArchiveFlags, outer: Terminal): Promise<SystemMessage> {
  const terminal = { ...outer, cwd: event.root };
  const source = await readConversationSource(await regularFile(event), "auto", terminal);
  const opened = await openCompactor({ ...flags, maxContextTokens: NO_LIMIT }, terminal, {
    isReadOnly: false,
    policy: POLICY,
  });
  const { config } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction as RedactorOptions | undefined);
  const { archive, compactor, path } = opened;
  const archiving = async () => {
    const step = await archivedAs(archive, event.sessionId, source.messages, redactor);
    if (step !== undefined) return told(`${plural(source.messages.length, "message")} stand as step ${step} already.`);
    const { report } = await compactor.compact(event.sessionId, source.messages, optionsOf(source, event));
    if (report.status === "skipped" && report.archive.transcript === null)
      await saveAlone(archive, event.sessionId, source.messages, redactor);
    return told(await describe(report, source, async () => (await archive.steps(event.sessionId)).at(-1)?.step ?? 1));
  };
  return endingWith(
    () => compactor.close(),
    terminal,
    () => oneAtATime(path, event.sessionId, archiving),
  );
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

function optionsOf({ format, system, tools }: ConversationSource, { note }: HookEvent) {
  return {
    format: format.name,
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(note === "" ? {} : { note }),
  };
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

function told(text: string): SystemMessage {
  return { systemMessage: `agent-compact: ${text}` };
}
