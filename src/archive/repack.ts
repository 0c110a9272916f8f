// Stores once what earlier versions stored with every step. A message keeps the number of its line, whoever refers to it, so
// a step that another process saves meanwhile is right either way; each file is replaced as a whole, by one that is smaller.
import { CompactError } from "../errors.ts";
import type { StoredFile } from "./archive.ts";
import { type Compression, pack, packBytes, packingOf, unpack } from "./compression.ts";
import { collectContent } from "./content.ts";
import { encodeLines } from "./encode-lines.ts";
import { type SessionFiles, sweepKept } from "./remove-step.ts";
import { SessionIndex, type StepReader } from "./session-lines.ts";
import { decodeLines, StoredLines } from "./shared-lines.ts";
import { decodeSummary, encodeRecord, isSummary, stepOf } from "./step-files.ts";

/** Returns the bytes that this freed. Files that are damaged, or share already, stay as they are. */
export async function repackSession(session: SessionFiles): Promise<number> {
  const { files, sessionId, openReader } = session;
  const before = await files.list(sessionId);
  const index = new SessionIndex();
  const reader = openReader();
  const seen: StoredFile[] = [];
  const transcripts = before.filter(({ name }) => !isSummary(name) && stepOf(name) !== undefined);
  for (const file of transcripts.toSorted((a, b) => (stepOf(a.name) ?? 0) - (stepOf(b.name) ?? 0))) {
    await index.follow(seen, reader);
    await repackTranscript(session, file, { before, index, reader });
    seen.push(file);
  }
  const records = before.filter(({ name }) => isSummary(name) && stepOf(name) !== undefined);
  const inOrder = records.toSorted((a, b) => (stepOf(a.name) ?? 0) - (stepOf(b.name) ?? 0));
  for (const [at, file] of inOrder.entries()) await repackRecord(session, file, inOrder[at - 1]);
  await sweepKept(session);
  const after = await files.list(sessionId);
  const sum = (all: readonly StoredFile[]) => all.reduce((bytes, file) => bytes + file.bytes, 0);
  return Math.max(0, sum(before) - sum(after));
}

interface Repacked {
  readonly before: readonly StoredFile[];
  readonly index: SessionIndex;
  readonly reader: StepReader;
}

async function repackTranscript(
  { files, sessionId }: SessionFiles,
  { name }: StoredFile,
  { before, index, reader }: Repacked,
): Promise<void> {
  const step = stepOf(name) ?? 0;
  const bytes = await files.read(sessionId, name);
  if (bytes === undefined) return;
  const lines = new StoredLines(await unpack(name, bytes));
  if (lines.isShared) return;
  const { values, damaged } = await decodeLines(lines, step, reader);
  if (damaged.length > 0 || values.length !== lines.count) return;
  const newest = Math.max(
    0,
    ...before.flatMap((file) => (isSummary(file.name) ? [stepOf(file.name) ?? 0] : [])).filter((one) => one < step),
  );
  const text = newest === 0 ? undefined : await reader.text(newest);
  const known = index.known(text ? { file: newest, text, used: () => undefined } : undefined, () => undefined);
  if (known === undefined) return;
  const packing: Compression = packingOf(name);
  const smaller = await collectContent(pack(packing, encodeLines(values, step, known, { keepsNumbers: true })));
  if (smaller.length < bytes.length) await files.replace(sessionId, name, smaller, "transcript");
}

/** A line that the record before it has leads there; each keeps its number. */
async function repackRecord(
  { files, sessionId, openReader }: SessionFiles,
  { name }: StoredFile,
  earlier: StoredFile | undefined,
): Promise<void> {
  const bytes = await files.read(sessionId, name);
  if (bytes === undefined || earlier === undefined) return;
  try {
    const record = decodeSummary((await unpack(name, bytes)).bytes, name);
    if (typeof record.text !== "string") return;
    const known = await openReader().textPlaces(stepOf(earlier.name) ?? 0);
    const places = new Map(known.map((place) => [place.text, place]));
    const text = record.text.split("\n").map((line) => {
      const place = line.length < 12 ? undefined : places.get(line);
      return place === undefined ? line : ([place.file, place.line, place.line] as const);
    });
    const smaller = await packBytes(packingOf(name), encodeRecord({ ...record, text }));
    if (smaller.length < bytes.length) await files.replace(sessionId, name, smaller, "summary");
  } catch (error) {
    // A damaged one stays as it is: `archive verify` names it.
    if (!(CompactError.isInstance(error) && error.code === "DAMAGED_RECORD")) throw error;
  }
}
