// `agent-compact archive ...`: looks into what compactions left behind, and gives it back. Reads only; restore
// writes where it is told to.
import type { Archive } from "../../archive/archive.ts";
import { findLostSteps } from "../../archive/catalog/lost-steps.ts";
import { expandReference } from "../../archive/reading/expand-reference.ts";
import { restoreTranscript } from "../../archive/reading/restore-transcript.ts";
import { searchArchive } from "../../archive/reading/search-archive.ts";
import { verifyArchive } from "../../archive/reading/verify-archive.ts";
import { CompactError } from "../../errors.ts";
import { describeSession, listSessions } from "../analysis/archive-overview.ts";
import { badFlag, refuseTwoOutputs } from "../flags.ts";
import { type ArchiveFlags, openArchive } from "../open-compactor.ts";
import { checkOutput, chooseOutput } from "../output/output-place.ts";
import { writeList } from "../output/write-conversation.ts";
import { writeOutput } from "../output/write-output.ts";
import { createProgress } from "../progress.ts";
import { renderCheck, renderExpanded, renderHits, renderSessions, renderSteps } from "../render/archive-tables.ts";
import { plural } from "../render/table.ts";
import { type Colors, colorsOf, type Terminal } from "../terminal.ts";

export interface SearchFlags extends ArchiveFlags {
  readonly limit?: number;
}

export interface RestoreFlags extends ArchiveFlags {
  readonly out?: string;
}

export async function listArchive(flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive } = await openArchive(flags, terminal);
  const sessions = await listSessions(archive, flags.sessionId);
  print({ sessions }, (colors) => renderSessions(sessions, colors), flags, terminal);
}

export async function showSession(session: string | undefined, flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive } = await openArchive(flags, terminal);
  const found = await describeSession(archive, await chooseSession(archive, session ?? flags.sessionId));
  print(found, (colors) => renderSteps(found, terminal.cwd, colors), flags, terminal);
}

export async function searchSessions(words: readonly string[], flags: SearchFlags, terminal: Terminal): Promise<void> {
  const { archive, flag } = await openArchive(flags, terminal);
  const hits = await searchArchive(archive, words.join(" "), {
    ...(flags.sessionId === undefined ? {} : { sessionId: flags.sessionId }),
    ...(flags.limit === undefined ? {} : { limit: flags.limit }),
  });
  print({ hits }, (colors) => renderHits(hits, flag, colors), flags, terminal);
}

export async function expandMessages(reference: string, flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive } = await openArchive(flags, terminal);
  const expanded = await expandReference(archive, await chooseSession(archive, flags.sessionId), reference);
  print(expanded, (colors) => renderExpanded(expanded, colors), flags, terminal);
}

export async function verifySessions(flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive, path } = await openArchive(flags, terminal);
  const lost = archive.adapter === "fs" ? await findLostSteps(path, flags.sessionId) : [];
  const check = await verifyArchive(archive, flags.sessionId, lost);
  const errors = check.faults.filter(({ severity }) => severity === "error").length;
  const counts = { errors, warnings: check.faults.length - errors };
  print({ ...check, ...counts }, (colors) => renderCheck(check, colors), flags, terminal);
  if (errors === 0) return;
  throw new CompactError("ArchiveFailed", `The archive has ${plural(errors, "fault")}.`, {
    code: "ARCHIVE_DAMAGED",
    hint: "Bring the files named above back from a backup.",
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
  if (flags.json === true && place.kind === "stdout") return print(restored, () => "", flags, terminal);
  await writeOutput(place, writeList(messages), terminal);
  if (flags.json === true)
    return print(
      { ...rest, message_count: messages.length, out: place.kind === "file" ? place.path : null },
      () => "",
      flags,
      terminal,
    );
  reportMissing(restored, flags, terminal);
  if (place.kind === "file")
    terminal.stdout.write(
      flags.quiet === true
        ? `${place.shown}\n`
        : `Restored ${plural(messages.length, "message")} of session ${restored.session_id} to ${place.shown}\n`,
    );
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

function print(value: object, render: (colors: Colors) => string, flags: ArchiveFlags, terminal: Terminal): void {
  const { stdout } = terminal;
  stdout.write(flags.json === true ? `${JSON.stringify(value)}\n` : render(colorsOf(stdout, terminal)));
}
