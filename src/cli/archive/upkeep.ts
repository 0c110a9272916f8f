// `agent-compact archive erase`, `repair` and `repack`: what changes an archive besides `gc`.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { createFsFiles } from "../../archive/fs-files.ts";
import { knownSessions } from "../../archive/read-archive.ts";
import { rebuildState } from "../../conversation/rebuild-state.ts";
import { isStateDamaged, loadState, redactState } from "../../conversation/session-state.ts";
import { isOnS3 } from "../../factories/archive.ts";
import { FORMATS } from "../../factories/formats.ts";
import { countFacts } from "../../facts/ledger.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import { fileFailure } from "../../storage/files.ts";
import { plural } from "../../text/figures.ts";
import { isoTime } from "../../time.ts";
import { shellWord } from "../flags.ts";
import { type ArchiveFlags, type OpenedArchive, openArchive, readConfig } from "../open-compactor.ts";
import { oneLine, sizeText } from "../render.ts";
import { printResult } from "../report.ts";
import type { Terminal } from "../terminal.ts";
import type { EraseFlags } from "./program.ts";

/** One line for each session that was erased, beside the sessions; of a bucket, where its events are. */
const ERASED = "erased.jsonl";

export async function eraseSession(session: string, flags: EraseFlags, terminal: Terminal): Promise<void> {
  const opened = await openArchive(flags, terminal);
  const { archive, flag } = opened;
  const isApplied = flags.apply === true && flags.dryRun !== true;
  const [steps, found] = [await archive.steps(session), await erase(opened, session, true)];
  // A session that never finished a step may have a state and events.
  if (found.files === 0) await knownSessions(archive, session);
  const erased = isApplied ? await erase(opened, session, false) : found;
  const facts = { session_id: session, steps: steps.length, ...erased };
  if (isApplied) await note(opened, facts);
  const what = `${plural(steps.length, "step")}, ${plural(erased.files, "file")}, ${sizeText(erased.bytes)}`;
  const how = `agent-compact archive erase ${shellWord(session)}${flag} --apply`;
  const text = isApplied
    ? `Session ${oneLine(session)} is erased: ${what}.\n`
    : `Session ${oneLine(session)} would be erased: ${what}. Nothing has been erased.\nTo erase it for good:  ${how}\n`;
  printResult({ ...facts, applied: isApplied }, () => text, flags, terminal);
}

/** With the events, which are on disk also where the archive is a bucket. */
async function erase({ archive, storage, path }: OpenedArchive, session: string, isDryRun: boolean) {
  const erased = await archive.eraseSession(session, isDryRun);
  if (!isOnS3(storage)) return erased;
  const local = await createFsFiles(path, Date.now).eraseSession?.(session, isDryRun);
  return { files: erased.files + (local?.files ?? 0), bytes: erased.bytes + (local?.bytes ?? 0) };
}

async function note({ path }: OpenedArchive, facts: object): Promise<void> {
  const file = join(path, ERASED);
  const line = `${JSON.stringify({ at: isoTime(Date.now()), ...facts })}\n`;
  await appendFile(file, line, { mode: 0o600 }).catch((cause: unknown) => {
    throw fileFailure("ArchiveFailed", "note what was erased", file, cause);
  });
}

interface RepairedState {
  readonly session_id: string;
  /** `rebuilt`: from the steps; `incomplete`: so, but some of them are gone or damaged; `rewritten`: nothing was lost. */
  readonly how: "rebuilt" | "incomplete" | "rewritten";
  readonly step: number;
  readonly facts: number;
}

export async function repairSessions(flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive } = await openArchive(flags, terminal);
  const { config } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction);
  const sessions = await knownSessions(archive, flags.sessionId);
  const repaired: RepairedState[] = [];
  for (const session_id of sessions) {
    const isSound = await archive.readState(session_id, { strict: true }).then(() => true, ifDamaged);
    const read = await loadState(archive, session_id).catch(ifDamaged);
    if (isSound && read !== undefined) continue;
    const rebuilt = read === undefined ? await rebuildState(archive, session_id, FORMATS) : undefined;
    const state = rebuilt?.state ?? read;
    if (state === undefined) continue;
    await archive.writeState(session_id, await redactState(state, redactor));
    const how = rebuilt === undefined ? "rewritten" : rebuilt.isWhole ? "rebuilt" : "incomplete";
    const facts = Object.values(countFacts(state.ledger)).reduce((sum, count) => sum + count, 0);
    repaired.push({ session_id, how, step: state.step, facts });
  }
  printResult(
    { sessions: sessions.length, repaired },
    () => renderRepaired(repaired, sessions.length),
    flags,
    terminal,
  );
}

function ifDamaged(error: unknown): undefined {
  if (isStateDamaged(error)) return undefined;
  throw error;
}

const HOW: Readonly<Record<RepairedState["how"], string>> = {
  rebuilt: "made anew from its steps",
  incomplete: "made anew from the steps that can be read; some are gone or damaged, so facts may be missing",
  rewritten: "written again, nothing was lost",
};

function renderRepaired(repaired: readonly RepairedState[], sessions: number): string {
  if (repaired.length === 0) return `Nothing to repair: the state of ${plural(sessions, "session")} can be read.\n`;
  const lines = repaired.map(({ session_id, how, step, facts }) => {
    return `${oneLine(session_id)}: its state was ${HOW[how]} (step ${step}, ${plural(facts, "fact")}).\n`;
  });
  return lines.join("");
}

export async function repackSessions(flags: ArchiveFlags, terminal: Terminal): Promise<void> {
  const { archive } = await openArchive(flags, terminal);
  const sessions = await knownSessions(archive, flags.sessionId);
  let freed_bytes = 0;
  for (const session of sessions) freed_bytes += await archive.repackSession(session);
  const text = `${plural(sessions.length, "session")} repacked, ${sizeText(freed_bytes)} freed. Every step restores as before.\n`;
  printResult({ sessions: sessions.length, freed_bytes }, () => text, flags, terminal);
}
