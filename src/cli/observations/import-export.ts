// `agent-compact observations import` and `export`. All files are read before the first row is written, so that a bad one
// stops the command while nothing has happened yet.
import { CompactError } from "../../errors.ts";
import type { ObservationStore } from "../../observations/observation-store.ts";
import { exportObservations } from "../../observations/transfer/export-observations.ts";
import { type ImportReport, importObservations } from "../../observations/transfer/import-observations.ts";
import type { ImportedRows, ImportNote } from "../../observations/transfer/imported-rows.ts";
import { countSecrets, withoutSecrets } from "../../observations/transfer/imported-secrets.ts";
import { readImportedRows } from "../../observations/transfer/read-rows.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import { figure } from "../../text/figures.ts";
import { checkOutput, chooseOutput, reportWritten, writeOutput } from "../files/output.ts";
import { decodeText, MOST_BYTES, readBytes } from "../files/read-file.ts";
import { badInput, refuseTwoOutputs } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import { atMost, oneLine, renderTable, right } from "../render.ts";
import { createProgress, type Progress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { withStore } from "./open-store.ts";
import type { ExportFlags, ImportFlags } from "./program.ts";

/** Rows between two lines of progress. */
const ROWS_A_LINE = 5000;

export async function importFiles(files: readonly string[], flags: ImportFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  const { config } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction);
  const read: MemoryFile[] = [];
  for (const file of files) {
    progress.step(`reading ${file}`);
    const memories = await readMemories(file, terminal);
    read.push(flags.redact === true ? { ...memories, rows: withoutSecrets(memories.rows, redactor) } : memories);
    const secrets = flags.redact === true ? 0 : countSecrets(memories.rows, redactor);
    if (secrets > 0)
      progress.warn(`${memories.label}: ${figure(secrets)} rows hold what looks like a secret; --redact leaves it out`);
  }
  await withStore(flags, terminal, { create: true }, async ({ store, shown }) => {
    const reports: ImportedFile[] = [];
    for (const file of read) {
      try {
        reports.push(await importFile(store, file, progress));
      } catch (error) {
        throw reports.length === 0 ? error : stoppedAt(file, reports, error);
      }
    }
    printResult({ db: shown, files: reports }, (colors) => renderImports(reports, shown, colors), flags, terminal, {
      isReport: true,
    });
  });
}

async function importFile(
  store: ObservationStore,
  { label, rows }: MemoryFile,
  progress: Progress,
): Promise<ImportedFile> {
  progress.step(`importing ${label}`);
  const all = rows.sessions.length + rows.observations.length + rows.prompts.length + rows.relations.length;
  let told = 0;
  // Each row counts once a pass; a person wants to know how far the file is.
  const onProgress = (done: number, total: number) => {
    const rowsDone = Math.floor((done / total) * all);
    if (rowsDone < told + ROWS_A_LINE || done === total) return;
    told = rowsDone;
    progress.step(`importing ${label}: ${figure(rowsDone)} of ${figure(all)} rows`);
  };
  return { file: label, ...(await importObservations(store, rows, { now: Date.now, onProgress })) };
}

/** What came before stays imported, which nobody would know from the failure alone. */
function stoppedAt({ label }: MemoryFile, reports: readonly ImportedFile[], error: unknown): CompactError {
  const done = reports.map(({ file, added, updated }) => `${file} (${added} added, ${updated} updated)`).join(", ");
  const { kind, message, code, hint } = CompactError.isInstance(error)
    ? error
    : { kind: "StoreFailed" as const, message: String(error), code: "IMPORT_STOPPED", hint: undefined };
  const [reason] = message.split("\n", 1);
  return new CompactError(kind, `Importing ${label} failed: ${reason}\nImported before: ${done}.`, {
    code,
    hint: `${hint ?? ""} Then run the same command again: it adds nothing twice.`.trimStart(),
    data: { imported: reports.map(({ file }) => file) },
    cause: error,
  });
}

const KNOWN = "Give an export of a memory store, a knowledge graph's file, or JSON Lines with a content each.";
const HINTS = { empty: KNOWN, tooLarge: "Export one project a file, or split JSON Lines at a line's end." };

interface MemoryFile {
  readonly label: string;
  readonly rows: ImportedRows;
}

async function readMemories(file: string, terminal: Terminal): Promise<MemoryFile> {
  const { bytes, label } = await readBytes(file, terminal, MOST_BYTES, HINTS);
  const { text } = decodeText(bytes, label, "exports, knowledge graphs or JSON Lines");
  if (text.trim() === "") throw badInput("EMPTY_INPUT", `${label} holds only white space.`, KNOWN);
  try {
    return { label, rows: readImportedRows(text) };
  } catch (error) {
    throw CompactError.isInstance(error) ? named(error, label, bytes.length) : error;
  }
}

/** The reader does not know the file's name. */
function named(error: CompactError, label: string, size: number): CompactError {
  const { code, data, cause = error } = error;
  if (code !== "TRUNCATED_JSON")
    return new CompactError("InvalidInput", `${label} holds no memories in a known format.`, {
      code,
      hint: KNOWN,
      cause,
    });
  const [line, byte] = [Number(data.line), size].map(figure);
  return new CompactError(
    "InvalidInput",
    `${label} is cut off: it ends in line ${line}, at byte ${byte}, in the middle of ${data.inside}.`,
    { code, hint: "Copy or export it again: its end is missing.", cause },
  );
}

interface ImportedFile extends ImportReport {
  readonly file: string;
}

const COLUMNS = [
  atMost("file", 40),
  "format",
  right("added"),
  right("updated"),
  right("there already"),
  right("sessions"),
  right("prompts"),
  right("relations"),
];

function renderImports(files: readonly ImportedFile[], db: string, colors: Colors): string {
  const rows = files.map((file) => [
    file.file.split(/[\\/]/).at(-1) ?? file.file,
    file.format,
    file.added,
    file.updated,
    file.unchanged + file.kept_newer,
    file.sessions,
    file.prompts,
    file.relations,
  ]);
  return [
    `${colors.bold(`Imported into ${db}`)}`,
    renderTable(COLUMNS, rows, colors),
    ...files.flatMap(remarks),
    "",
  ].join("\n");
}

function remarks({ skipped, notes, dropped_fields, remapped }: ImportedFile): readonly string[] {
  const dropped = Object.entries(dropped_fields).map(([name, count]) => `${oneLine(name)} (${figure(count)})`);
  return [
    ...skipped.map((note) => `Not imported: ${described(note)}`),
    ...(remapped === 0 ? [] : [`New ids, because theirs were taken: ${figure(remapped)}`]),
    ...notes.map((note) => `Note: ${described(note)}`),
    ...(dropped.length === 0 ? [] : [`Fields that the store has no place for: ${dropped.join(", ")}`]),
  ];
}

function described({ reason, count, positions }: ImportNote): string {
  const where = positions.slice(0, 5).map(oneLine).join(", ");
  return `${oneLine(reason)}: ${figure(count)} (${where}${count > 5 ? ", ..." : ""})`;
}

/** Without `--out` to stdout, where it is the one JSON object that `--json` promises. */
export async function exportStore(flags: ExportFlags, terminal: Terminal): Promise<void> {
  refuseTwoOutputs(flags);
  const { project } = flags;
  const place = chooseOutput({ cwd: terminal.cwd, out: flags.out ?? "-", input: undefined, extension: ".json" });
  await withStore(flags, terminal, {}, async ({ store, path, shown }) => {
    await checkOutput(place, { kept: path });
    const request = { now: Date.now, ...(project === undefined ? {} : { project }) };
    await writeOutput(place, exportObservations(store, request), terminal);
    if (place.kind === "stdout") return;
    const text = `Exported ${shown} to ${place.shown}\n`;
    reportWritten(place, { db: shown, out: place.path }, () => text, flags, terminal);
  });
}
