// What a session's files hold, each message and each summary once, in the order of their steps: what a search goes through.
// A file whose bytes cannot hold what is looked for is not taken apart, and each is read once.
import type { ArchiveFiles, StoredText } from "./archive.ts";
import { type Compression, packingOf, unpack } from "./compression.ts";
import { joinBytes } from "./content.ts";
import { StepReader } from "./session-lines.ts";
import { StoredLines } from "./shared-lines.ts";
import { isSummary, keptOf, stepOf } from "./step-files.ts";

/** Undefined where removed steps left lines to others: where these stand first only the lists tell. */
export async function storedTexts(
  files: ArchiveFiles,
  sessionId: string,
  compression: Compression,
  mayHold: (bytes: Uint8Array) => boolean,
): Promise<AsyncIterable<StoredText> | undefined> {
  const all = await (files.listRecorded?.(sessionId) ?? files.list(sessionId));
  if (all.some(({ name }) => keptOf(name) !== undefined)) return undefined;
  const ofSteps = all.flatMap(({ name }) => {
    const step = stepOf(name);
    return step === undefined ? [] : [{ name, step, isSummary: isSummary(name) }];
  });
  ofSteps.sort((a, b) => a.step - b.step || Number(a.isSummary) - Number(b.isSummary));
  const summaries = ofSteps.filter((file) => file.isSummary);
  return inOrder(
    { files, sessionId, mayHold, reader: new StepReader(files, sessionId, compression) },
    ofSteps,
    summaries,
  );
}

interface Scan {
  readonly files: ArchiveFiles;
  readonly sessionId: string;
  readonly mayHold: (bytes: Uint8Array) => boolean;
  readonly reader: StepReader;
}

interface StepFile {
  readonly name: string;
  readonly step: number;
  readonly isSummary: boolean;
}

async function* inOrder(
  scan: Scan,
  ofSteps: readonly StepFile[],
  summaries: readonly StepFile[],
): AsyncGenerator<StoredText> {
  // A summary takes lines from others: only all of them together cannot hold what is looked for.
  const wanted = await wantedSummaries(scan, summaries);
  if (wanted) await scan.reader.preload();
  const rest = ofSteps.filter((file) => !file.isSummary || wanted);
  let index = 0;
  for await (const bytes of readEach(
    scan,
    rest.map(({ name }) => name),
  )) {
    const { name, step, isSummary: isText } = rest[index++] as StepFile;
    if (isText) {
      yield { step, value: await scan.reader.text(step) };
    } else if (bytes === undefined) {
      yield { step, value: undefined };
    } else {
      const unpacked = await unpack(name, bytes);
      if (scan.mayHold(unpacked.bytes)) yield* messagesIn(new StoredLines(unpacked), step);
    }
  }
}

async function wantedSummaries(scan: Scan, summaries: readonly StepFile[]): Promise<boolean> {
  const pieces: Uint8Array[] = [];
  let index = 0;
  for await (const bytes of readEach(
    scan,
    summaries.map(({ name }) => name),
  )) {
    const { name } = summaries[index++] as StepFile;
    if (bytes === undefined) continue;
    pieces.push(packingOf(name) === "none" ? bytes : (await unpack(name, bytes)).bytes);
  }
  return scan.mayHold(joinBytes(pieces));
}

async function* readEach({ files, sessionId }: Scan, names: readonly string[]): AsyncGenerator<Uint8Array | undefined> {
  if (files.readEach !== undefined) yield* files.readEach(sessionId, names);
  else for (const name of names) yield await files.read(sessionId, name);
}

/** Those that the step stores itself. */
function* messagesIn(lines: StoredLines, step: number): Generator<StoredText> {
  let message = 0;
  for (let line = 1; line <= lines.count; line++) {
    const part = lines.part(line);
    if (part?.kind === "empty" || part?.kind === "end") continue;
    if (part?.kind === "same") message = part.at + part.last - part.first;
    else if (part?.kind === "summary") message = part.at;
    else message++;
    if (part === undefined || part.kind === "value") yield { step, message, value: part?.value };
  }
  if (lines.isTorn) yield { step, value: undefined };
}
