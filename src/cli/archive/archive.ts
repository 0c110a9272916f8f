// `agent-compact archive ...`: looks into what compactions left behind, and gives it back. Reads only; restore
// writes where it is told to.
import type { Archive, StepSize } from "../../archive/archive.ts";
import { findLostSteps } from "../../archive/catalog.ts";
import {
  type ExpandedReference,
  expandReference,
  knownSessions,
  readSummaryOrSkip,
} from "../../archive/read-archive.ts";
import { restoreTranscript } from "../../archive/restore-transcript.ts";
import { type ArchiveHit, searchArchive } from "../../archive/search-archive.ts";
import { type ArchiveCheck, type ArchiveFault, verifyArchive } from "../../archive/verify-archive.ts";
import { CompactError } from "../../errors.ts";
import { figure, plural } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { checkOutput, chooseOutput, reportWritten, shownPath, writeOutput } from "../files/output.ts";
import { writeList } from "../files/write-conversation.ts";
import { badFlag, refuseTwoOutputs, shellWord } from "../flags.ts";
import { type ArchiveFlags, openArchive } from "../open-compactor.ts";
import { minuteOf, oneLine, renderTable, right, sizeText } from "../render.ts";
import { createProgress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import type { RestoreFlags, SearchFlags, ShowFlags } from "./program.ts";

export async function listArchive(flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive } = await openArchive(flags, terminal);
  const sessions = await listSessions(archive, flags.sessionId);
  printResult({ sessions }, (colors) => renderSessions(sessions, colors), flags, terminal);
}

export async function showSession(session: string | undefined, flags: ShowFlags, terminal: Terminal): Promise<void> {
  const { archive, path } = await openArchive(flags, terminal);
  const sessionId = await chooseSession(archive, session ?? flags.sessionId);
  if (flags.html !== undefined) {
    const { showArchived } = await import("../sessions/show.ts");
    return showArchived({ archive, sessionId, kept: path }, { ...flags, html: flags.html }, terminal);
  }
  const found = await describeSession(archive, sessionId);
  printResult(found, (colors) => renderSteps(found, terminal.cwd, colors), flags, terminal);
}

export async function searchSessions(words: readonly string[], flags: SearchFlags, terminal: Terminal): Promise<void> {
  const { archive, flag } = await openArchive(flags, terminal);
  const progress = createProgress(terminal, flags);
  const hits = await searchArchive(archive, words.join(" "), {
    onRead: (sessions) => {
      if (sessions % 100 === 0) progress.step(`${plural(sessions, "session")} read; the next search is spared that`);
    },
    ...(flags.sessionId === undefined ? {} : { sessionId: flags.sessionId }),
    ...(flags.limit === undefined ? {} : { limit: flags.limit }),
  });
  printResult({ hits }, (colors) => renderHits(hits, flag, colors), flags, terminal);
}

export async function expandMessages(reference: string, flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive } = await openArchive(flags, terminal);
  const expanded = await expandReference(archive, await chooseSession(archive, flags.sessionId), reference);
  printResult(expanded, (colors) => renderExpanded(expanded, colors), flags, terminal);
}

export async function verifySessions(flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive, path } = await openArchive(flags, terminal);
  const lost = archive.adapter === "fs" ? await findLostSteps(path, flags.sessionId) : [];
  const progress = createProgress(terminal, flags);
  const check = await verifyArchive(archive, flags.sessionId, lost, (steps) => {
    if (steps % 1000 === 0) progress.step(`${figure(steps)} steps checked`);
  });
  const found = check.faults.filter(({ severity }) => severity === "error");
  const errors = found.length;
  const counts = { errors, warnings: check.faults.length - errors };
  printResult({ ...check, ...counts }, (colors) => renderCheck(check, colors), flags, terminal);
  if (errors === 0) return;
  const isOnlyState = found.every(({ kind }) => kind === "state_unreadable");
  throw new CompactError("ArchiveFailed", `The archive has ${plural(errors, "fault")}.`, {
    code: "ARCHIVE_DAMAGED",
    hint: isOnlyState
      ? "Nothing is lost: run `agent-compact archive repair`."
      : "Bring the files named above back from a backup.",
  });
}

export async function restoreSession(step: string | undefined, flags: RestoreFlags, terminal: Terminal): Promise<void> {
  refuseTwoOutputs(flags);
  const { archive, path } = await openArchive(flags, terminal);
  const out = flags.out ?? "-";
  const place = chooseOutput({ cwd: terminal.cwd, out, input: undefined, extension: ".json" });
  await checkOutput(place, { closed: path });
  const restored = await restoreTranscript(archive, await chooseSession(archive, flags.sessionId), stepNumber(step));
  const { messages, ...rest } = restored;
  if (flags.json === true && place.kind === "stdout") return printResult(restored, () => "", flags, terminal);
  await writeOutput(place, writeList(messages), terminal);
  if (flags.json !== true) reportMissing(restored, flags, terminal);
  if (place.kind === "stdout") return;
  const text = `Restored ${plural(messages.length, "message")} of session ${restored.session_id} to ${place.shown}\n`;
  reportWritten(place, { ...rest, message_count: messages.length, out: place.path }, () => text, flags, terminal);
}

/** Values that redaction took out are gone for good: the person must not think the copy complete. */
function reportMissing(
  { missing, notes }: Awaited<ReturnType<typeof restoreTranscript>>,
  flags: ArchiveFlags,
  terminal: Terminal,
): void {
  const progress = createProgress(terminal, flags);
  for (const note of notes) progress.warn(note);
  if (missing.length === 0) return;
  const count = missing.reduce((sum, place) => sum + place.count, 0);
  const places = missing.slice(0, 20).map(({ message, path, reason }) => `message ${message} ${path} (${reason})`);
  const more =
    missing.length > places.length ? [`and ${plural(missing.length - places.length, "more place")}: see --json`] : [];
  progress.warn(`${plural(count, "value")} cannot be returned:\n  ${[...places, ...more].join("\n  ")}`);
}

function stepNumber(step: string | undefined): number | undefined {
  if (step === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(step)) return Number(step);
  throw badFlag(
    `STEP must be a whole number from 1, not ${JSON.stringify(step.slice(0, 40))}.`,
    "Leave it out for the whole history.",
  );
}

/** With a single session there is nothing to choose. */
async function chooseSession(archive: Archive, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const sessions = await archive.sessions();
  const [only] = sessions;
  if (only !== undefined && sessions.length === 1) return only;
  if (only === undefined)
    throw new CompactError("NotFound", "The archive holds no session yet.", { hint: "Compact a conversation first." });
  const names = sessions.slice(0, 5).join(", ");
  throw badFlag(
    `The archive holds ${plural(sessions.length, "session")}: ${names}${sessions.length > 5 ? ", ..." : ""}.`,
    "Say which one with --session-id ID.",
  );
}

// The steps of an archived session with the figures of their summary records, and all sessions at a glance, which reads
// no record.

interface StepOverview {
  readonly step: number;
  readonly created_at: string | null;
  readonly version: number | null;
  readonly strategy: string | null;
  readonly source: string | null;
  readonly tokens_before: number | null;
  readonly tokens_after: number | null;
  readonly pruned_count: number | null;
  /** Where it is, or was while it was there. */
  readonly transcript: string;
  /** True: it is gone, and what left the conversation in this step cannot be brought back. */
  readonly transcript_missing: boolean;
  readonly summary: string | null;
}

interface SessionOverview {
  readonly session_id: string;
  readonly steps: readonly StepOverview[];
}

/** What only its record or its place tells is null: `archive show` has it. */
type ListedStep = { readonly [Key in Exclude<keyof StepOverview, "step">]: StepOverview[Key] | null } & {
  readonly step: number;
  readonly bytes: number;
  readonly finished: boolean;
};

interface ListedSession {
  readonly session_id: string;
  readonly bytes: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly steps: readonly ListedStep[];
}

/** Throws `NotFound` for a session that is not archived. */
async function describeSession(archive: Archive, sessionId: string): Promise<SessionOverview> {
  const steps: StepOverview[] = [];
  await knownSessions(archive, sessionId);
  for (const { step, transcript, isTranscriptLost = false, summary } of await archive.steps(sessionId)) {
    const record = await readSummaryOrSkip(archive, sessionId, step);
    steps.push({
      step,
      created_at: record?.created_at ?? null,
      version: record?.version ?? null,
      strategy: record?.strategy ?? null,
      source: record?.source ?? null,
      tokens_before: record?.tokens_before ?? null,
      tokens_after: record?.tokens_after ?? null,
      pruned_count: record?.pruned.length ?? null,
      transcript,
      transcript_missing: isTranscriptLost,
      summary: summary ?? null,
    });
  }
  return { session_id: sessionId, steps };
}

/** By session id. Throws `NotFound` for a session that is not archived. */
async function listSessions(archive: Archive, sessionId?: string): Promise<readonly ListedSession[]> {
  const sizes = (await archive.sizes()).filter((size) => sessionId === undefined || size.session_id === sessionId);
  const bySession = groupBy(sizes, ({ session_id }) => session_id);
  if (sessionId !== undefined && bySession.size === 0) await knownSessions(archive, sessionId);
  const sessions = [...bySession].sort(([a], [b]) => (a < b ? -1 : 1));
  return sessions.map(([id, sizes]) => listedSession(id, sizes));
}

function listedSession(session_id: string, sizes: readonly StepSize[]): ListedSession {
  const times = sizes.map(({ at }) => at).sort();
  return {
    session_id,
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    first_at: times[0] ?? "",
    last_at: times.at(-1) ?? "",
    steps: sizes.toSorted((a, b) => a.step - b.step).map(listedStep),
  };
}

const UNREAD = {
  ...{ version: null, strategy: null, source: null, tokens_before: null, tokens_after: null, pruned_count: null },
  ...{ transcript: null, transcript_missing: null, summary: null },
};

function listedStep({ step, at, bytes, has_summary }: StepSize): ListedStep {
  return { step, created_at: at, bytes, finished: has_summary, ...UNREAD };
}

function renderSessions(sessions: readonly ListedSession[], colors: Colors): string {
  if (sessions.length === 0) return "The archive holds no session yet.\n";
  const rows = sessions.map(({ session_id, steps, bytes, first_at, last_at }) => {
    return [session_id, steps.length, sizeText(bytes), minuteOf(first_at), minuteOf(last_at)];
  });
  const columns = ["session", right("steps"), right("size"), "first", "last"];
  const steps = sessions.reduce((sum, session) => sum + session.steps.length, 0);
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  const total = `${plural(sessions.length, "session")}, ${plural(steps, "step")}, ${sizeText(bytes)}.`;
  return `${renderTable(columns, rows, colors)}\n\n${total}\n`;
}

function renderSteps({ session_id, steps }: SessionOverview, cwd: string, colors: Colors): string {
  const rows = steps.map((step) => [
    step.step,
    dateOf(step),
    sizesOf(step),
    step.pruned_count === null ? "" : figure(step.pruned_count),
    step.version === null ? (step.summary === null ? "never finished" : "none") : `v${step.version}, ${step.source}`,
    step.transcript_missing ? `gone: ${shownPath(step.transcript, cwd)}` : shownPath(step.transcript, cwd),
  ]);
  const columns = [right("step"), "when", right("tokens"), right("left"), "summary", "transcript"];
  const table = `${colors.bold(`Session ${session_id}`)}\n${renderTable(columns, rows, colors)}\n`;
  const lost = steps.filter(({ transcript_missing }) => transcript_missing).length;
  if (lost === 0) return table;
  const what = `${plural(lost, "transcript")} ${lost === 1 ? "is" : "are"} gone`;
  return `${table}\n${colors.yellow(what)}: bring the files back from a backup; without them nothing of the step can be shown or restored.\n`;
}

function dateOf({ created_at }: StepOverview): string {
  return minuteOf(created_at ?? "");
}

function sizesOf(step: StepOverview): string {
  if (step.tokens_before === null || step.tokens_after === null) return "";
  return `${figure(step.tokens_before)} -> ${figure(step.tokens_after)}`;
}

function renderHits(hits: readonly ArchiveHit[], flag: string, colors: Colors): string {
  const [first] = hits;
  if (first === undefined) return "Nothing found.\n";
  const isOneSession = hits.every(({ session_id }) => session_id === first.session_id);
  const lines = hits.map(({ session_id, ref, role, found_in, snippet }) => {
    const place = isOneSession ? ref : `${session_id} ${ref}`;
    return `${colors.cyan(place)} ${colors.dim(role ?? found_in)}\n  ${oneLine(snippet)}`;
  });
  const how = `agent-compact archive expand ${first.ref} --session-id ${shellWord(first.session_id)}${flag}`;
  return `${lines.join("\n")}\n\n${plural(hits.length, "place")}. The whole message: ${colors.cyan(how)}\n`;
}

function renderExpanded({ session_id, step, messages }: ExpandedReference, colors: Colors): string {
  const blocks = messages.map(({ number, message }) => {
    const text = message === null ? "(damaged in the archive)" : JSON.stringify(message, null, 2);
    return `${colors.bold(`${step}.${number}`)} ${colors.dim(session_id)}\n${text}`;
  });
  return `${blocks.join("\n\n")}\n`;
}

/** Errors first; what is merely to be known stands apart. */
function renderCheck({ faults, sessions, files, hashes, without_hash }: ArchiveCheck, colors: Colors): string {
  const unknown = without_hash === 0 ? "" : `, ${figure(without_hash)} without a recorded hash`;
  const checked = `${plural(sessions, "session")}, ${plural(files, "file")}, ${plural(hashes, "hash", "hashes")} checked${unknown}`;
  if (faults.length === 0 && without_hash === 0) return `${colors.green("All is well")}: ${checked}.\n`;
  if (faults.length === 0) return `${colors.yellow("Readable, but not proved unchanged")}: ${checked}.\n`;
  const block = (wanted: ArchiveFault["severity"], paint: (text: string) => string) =>
    faults
      .filter(({ severity }) => severity === wanted)
      .map(({ session_id, step, message, location }) => {
        return `${paint(wanted)}  ${oneLine(session_id)}, step ${step}: ${oneLine(message)}\n  ${oneLine(location)}\n`;
      });
  const [errors, warnings] = [block("error", colors.red), block("warning", colors.yellow)];
  const counts = `${plural(errors.length, "error")}, ${plural(warnings.length, "warning")}: ${checked}.\n`;
  return [errors.join(""), warnings.join(""), counts].filter((part) => part !== "").join("\n");
}
