// `agent-compact decisions import`: adds what files hold to a decision log. All of them are read before the first record is
// written; what cannot be read stops nothing, and is listed.
import type { DecisionFile, DecisionFormat, SourceFault } from "../../../decisions/transfer/decision-source.ts";
import { importDecisions } from "../../../decisions/transfer/import-decisions.ts";
import { readDecisionRecords } from "../../../decisions/transfer/read-decision-records.ts";
import { CompactError } from "../../../errors.ts";
import { decodeText } from "../../input/decode-text.ts";
import { MOST_BYTES, readBytes } from "../../input/read-bytes.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { createProgress, type Progress } from "../../progress.ts";
import { type ImportResult, renderImport } from "../../render/decisions/imports.ts";
import { figure } from "../../render/table.ts";
import type { Terminal } from "../../terminal.ts";
import { type FoundFile, findDecisionFiles } from "./find-decision-files.ts";

export interface ImportFlags extends DecisionFlags {
  readonly format: string;
}

/** `madr` is what people know ADRs by. */
const FORMATS: Readonly<Record<string, DecisionFormat>> = { cstp: "cstp", madr: "adr", issues: "issues" };
const HINTS = {
  empty: "Give a file of decision records, ADRs or issues.",
  tooLarge: "Split JSON Lines at a line's end, and import the parts.",
};
const READABLE = "YAML records, Markdown ADRs or JSON Lines";
/** Files between two lines of progress. */
const FILES_A_LINE = 200;

export async function importFiles(named: readonly string[], flags: ImportFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  const { files, others } = await findDecisionFiles(named, terminal.cwd);
  const { texts, faults: unread } = await readFiles(files, progress, terminal);
  const format = FORMATS[flags.format];
  const read = readDecisionRecords(texts, format === undefined ? {} : { format });
  if (read.records.length === 0) throw nothingIn(named, [...unread, ...read.faults]);
  await withDecisions(flags, terminal, { create: true }, async ({ log, shown, flag, options }) => {
    const { signal } = terminal;
    const onProgress = (done: number, total: number) =>
      progress.step(`${figure(done)} of ${figure(total)} records written`);
    const { faults, ...counts } = await importDecisions(log, read.records, { signal, onProgress });
    const view = { policies: options.policies, now: options.now };
    const { levels } = await log.read((reader) => reader.survey({ filter: {}, view }));
    const all = distinct([...unread, ...read.faults, ...faults]);
    const result: ImportResult = {
      log: shown,
      files: texts.length,
      ...counts,
      faults: all,
      other_files: others,
      levels,
    };
    printResult(result, (colors) => renderImport(result, flag, colors), flags, terminal, { isTold: true });
  });
}

interface ReadFiles {
  readonly texts: readonly DecisionFile[];
  readonly faults: readonly SourceFault[];
}

/** A file that somebody named stops the import when it cannot be read; one that a folder held is listed. */
async function readFiles(files: readonly FoundFile[], progress: Progress, terminal: Terminal): Promise<ReadFiles> {
  const texts: DecisionFile[] = [];
  const faults: SourceFault[] = [];
  for (const [index, { label, isFound }] of files.entries()) {
    if (index % FILES_A_LINE === 0)
      progress.step(
        files.length === 1 ? `reading ${label}` : `reading ${figure(files.length)} files, from ${label} on`,
      );
    try {
      const { bytes } = await readBytes(label, terminal, MOST_BYTES, HINTS);
      texts.push({ name: label.replaceAll("\\", "/"), text: decodeText(bytes, label, READABLE).text });
    } catch (error) {
      if (!isFound || !CompactError.isInstance(error)) throw error;
      faults.push({ id: label, code: "UNREADABLE_FILE", message: error.message });
    }
  }
  return { texts, faults };
}

/** The reader and the writer both look at dates. */
function distinct(faults: readonly SourceFault[]): readonly SourceFault[] {
  return [...new Map(faults.map((fault) => [`${fault.code} ${fault.id} ${fault.message}`, fault])).values()];
}

function nothingIn(named: readonly string[], faults: readonly SourceFault[]): CompactError {
  return new CompactError("InvalidInput", emptyMessage(named, faults[0]?.message), {
    code: "NO_DECISIONS",
    hint: "CSTP records (YAML, JSON, JSON Lines), Markdown ADRs and issues (JSON Lines) are read; --format says which it is.",
    data: { faults },
  });
}

/** Most faults name the file themselves, and once is enough. */
function emptyMessage(named: readonly string[], fault: string | undefined): string {
  const [only = ""] = named;
  if (named.length > 1)
    return `These ${figure(named.length)} files and folders hold no decisions${fault === undefined ? "." : `: ${fault}`}`;
  if (fault === undefined) return `${only} holds no decisions.`;
  const own = `${only} is left out: `;
  if (fault.startsWith(own)) return `${only} holds no decisions: ${fault.slice(own.length)}`;
  return fault.includes(only) ? `No decisions were found: ${fault}` : `${only} holds no decisions: ${fault}`;
}
