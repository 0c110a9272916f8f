// Which number the next step gets, and how a step is removed: without its number ever being given again (a summary that
// names message 3.12 must not lead to another message because step 3 expired), and without taking from other steps what
// they share with it. A crash leaves lines that nobody needs, which the next removal takes out, never one that is missed.
import type { ArchiveFiles, StoredFile } from "./archive.ts";
import { packBytes, packingOf, unpack } from "./compression.ts";
import type { SessionIndex, StepReader } from "./session-lines.ts";
import { StoredLines } from "./shared-lines.ts";
import {
  decodeSummary,
  encodeRecord,
  entriesOf,
  isSummary,
  keptFile,
  keptOf,
  stepNotFound,
  stepOf,
} from "./step-files.ts";

/** Written only when the highest step is removed: otherwise the files tell. */
const HIGHEST_REMOVED = "highest-removed-step.json";

const SHARED = "lines that other steps share";

/** 0 before the first step. */
export async function highestStep(files: ArchiveFiles, sessionId: string): Promise<number> {
  const names = (await files.list(sessionId)).map(({ name }) => name);
  const removed = names.includes(HIGHEST_REMOVED) ? await highestRemoved(files, sessionId) : 0;
  return names.reduce((highest, name) => Math.max(highest, stepOf(name) ?? 0), removed);
}

/** One session, and what is known of it. */
export interface SessionFiles {
  readonly files: ArchiveFiles;
  readonly sessionId: string;
  readonly index: SessionIndex;
  /** A fresh one: what it has read may be gone. */
  readonly openReader: () => StepReader;
}

/** Returns the bytes freed. Throws `NotFound`. */
export async function removeStep(session: SessionFiles, step: number): Promise<number> {
  const { files, sessionId } = session;
  const all = await files.list(sessionId);
  const own = all.filter(({ name }) => stepOf(name) === step);
  if (own.length === 0) throw stepNotFound(sessionId, step);
  if (!all.some(({ name }) => (stepOf(name) ?? 0) > step)) await keepNumber(files, sessionId, step);
  // A transcript without a summary is a compaction that never finished; the reverse would be a loss.
  const inOrder = own.sort((a, b) => Number(isSummary(b.name)) - Number(isSummary(a.name)));
  for (const { name } of inOrder) {
    // First all of it, under the name by which others find it; what nobody needs is taken out when the step is gone.
    await keep(files, sessionId, name);
    await files.remove(sessionId, name);
  }
  await sweepKept(session);
  const left = new Map((await files.list(sessionId)).map(({ name, bytes }) => [name, bytes]));
  return all.reduce((freed, { name, bytes }) => freed + bytes - (left.get(name) ?? 0), 0) - newlyKept(all, left);
}

function newlyKept(before: readonly StoredFile[], after: ReadonlyMap<string, number>): number {
  const names = new Set(before.map(({ name }) => name));
  return [...after].reduce(
    (sum, [name, bytes]) => sum + (keptOf(name) === undefined || names.has(name) ? 0 : bytes),
    0,
  );
}

async function keep(files: ArchiveFiles, sessionId: string, name: string): Promise<void> {
  const bytes = await files.read(sessionId, name);
  if (bytes !== undefined) await files.replace(sessionId, keptFile(name), bytes, SHARED);
}

/** Takes out of what removed steps left whatever no step on record needs. */
export async function sweepKept({ files, sessionId, index, openReader }: SessionFiles): Promise<void> {
  // Listed after the removal: a step that is not there yet relies on none that is gone, see SessionIndex.
  const all = await files.list(sessionId);
  const names = new Set(all.map(({ name }) => name));
  const kept = [...names].filter((name) => keptOf(name) !== undefined);
  if (kept.length === 0) return;
  const reader = openReader();
  await index.follow(all, reader);
  const { lines: used, texts } = index.uses();
  const lines = new Map(used);
  const whole = new Set(texts);
  const shrink = async (name: string, by: (bytes: Uint8Array) => Uint8Array | undefined): Promise<void> => {
    const bytes = await files.read(sessionId, name);
    if (bytes === undefined) return;
    const before = (await unpack(name, bytes)).bytes;
    // Where the step itself is still there, a removal was broken off before it began.
    const after = names.has(originalOf(name)) ? undefined : by(before);
    if (after === undefined) await files.remove(sessionId, name);
    else if (after.length !== before.length)
      await files.replace(sessionId, name, await packBytes(packingOf(name), after), SHARED);
  };
  // The newest first: a line that is needed may lead to one of an older step.
  const newestFirst = kept.toSorted((a, b) => (keptOf(b) ?? 0) - (keptOf(a) ?? 0));
  for (const name of newestFirst.filter((one) => !isSummary(originalOf(one)))) {
    const needed = lines.get(keptOf(name) ?? 0);
    await shrink(name, (bytes) => {
      const stored = new StoredLines({ bytes, isTorn: false });
      for (const line of needed ?? []) {
        const part = stored.part(line);
        if (part?.kind === "summary") whole.add(part.file);
        if (part?.kind === "same") lines.set(part.file, new Set(lines.get(part.file)).add(part.first));
      }
      return needed && stored.without((line) => needed.has(line));
    });
  }
  const textLines = new Map(await index.textUses(all, whole, reader));
  for (const name of newestFirst.filter((one) => isSummary(originalOf(one)))) {
    const step = keptOf(name) ?? 0;
    const needed = textLines.get(step);
    await shrink(name, (bytes) => (whole.has(step) ? bytes : needed && withoutEntries(bytes, name, needed, textLines)));
  }
}

/** The record with nothing left but the lines that others need; where those lead is needed as well. */
function withoutEntries(
  bytes: Uint8Array,
  name: string,
  needed: ReadonlySet<number>,
  textLines: Map<number, ReadonlySet<number>>,
): Uint8Array {
  try {
    const record = decodeSummary(bytes, name);
    const text = entriesOf(record).map((entry, index) => (needed.has(index + 1) ? entry : null));
    for (const entry of text)
      if (Array.isArray(entry)) textLines.set(entry[0], new Set(textLines.get(entry[0])).add(entry[1]));
    return encodeRecord({ ...record, text });
  } catch {
    // Damaged: `archive verify` names it.
    return bytes;
  }
}

function originalOf(name: string): string {
  return name.slice(keptFile("").length);
}

async function keepNumber(files: ArchiveFiles, sessionId: string, step: number): Promise<void> {
  const highest = Math.max(step, await highestRemoved(files, sessionId));
  const content = new TextEncoder().encode(`${JSON.stringify({ step: highest })}\n`);
  await files.replace(sessionId, HIGHEST_REMOVED, content, "number of the removed step");
}

async function highestRemoved(files: ArchiveFiles, sessionId: string): Promise<number> {
  const bytes = await files.read(sessionId, HIGHEST_REMOVED);
  try {
    const { step } = JSON.parse(new TextDecoder().decode(bytes)) as { step?: unknown };
    return typeof step === "number" && Number.isSafeInteger(step) && step > 0 ? step : 0;
  } catch {
    // Absent or damaged: the steps that are there still count.
    return 0;
  }
}
