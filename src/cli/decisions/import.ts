// `agent-compact decisions import`: adds what files hold to a decision log. All of them are read before the first record is
// written; what cannot be read stops nothing, and is listed.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { LevelCounts } from "../../decisions/decision-log.ts";
import type { DecisionFile, DecisionFormat, SourceFault } from "../../decisions/import/decision-source.ts";
import { importDecisions } from "../../decisions/import/import-decisions.ts";
import { readDecisionRecords } from "../../decisions/import/read-decision-records.ts";
import { CompactError } from "../../errors.ts";
import { errorCode, kindAt } from "../../storage/files.ts";
import { figure, plural } from "../../text/figures.ts";
import { decodeText, MOST_BYTES, readBytes } from "../files/read-file.ts";
import { badInput } from "../flags.ts";
import { oneLine, renderTable, right } from "../render.ts";
import { createProgress, type Progress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { renderLevels } from "./figures.ts";
import { withDecisions } from "./open-decisions.ts";
import type { ImportFlags } from "./program.ts";

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
    printResult(result, (colors) => renderImport(result, flag, colors), flags, terminal, { isReport: true });
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

interface FoundFile {
  /** As it is told to a person. */
  readonly label: string;
  /** Found in a folder: what is wrong with it stops nothing. */
  readonly isFound: boolean;
}

interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files of the folders that hold no decisions by their names, by how they end. */
  readonly others: Readonly<Record<string, number>>;
}

const DECISIONS = /\.(?:ya?ml|md|markdown|jsonl?|ndjson)(?:\.gz)?$/i;

/** Sorted by path within a folder; links and what begins with a dot are left alone. Throws `InvalidInput` for a folder without any. */
async function findDecisionFiles(named: readonly string[], cwd: string): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const others: Record<string, number> = {};
  for (const path of named) {
    if (path === "-" || (await kindAt(resolve(cwd, path))) !== "folder") files.push({ label: path, isFound: false });
    else files.push(...(await filesBelow(path, cwd, others)));
  }
  return { files, others };
}

async function filesBelow(folder: string, cwd: string, others: Record<string, number>): Promise<readonly FoundFile[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of await entriesOf(at, cwd)) {
      const path = join(at, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && DECISIONS.test(entry.name)) files.push(path);
      else others[fileEnding(entry.name)] = (others[fileEnding(entry.name)] ?? 0) + 1;
    }
  }
  if (files.length === 0)
    throw badInput(
      "NO_DECISION_FILES",
      `${folder} holds no file of decisions.`,
      "YAML records, Markdown ADRs and JSON Lines are read, plain or gzip.",
    );
  return files.sort().map((label) => ({ label, isFound: true }));
}

async function entriesOf(folder: string, cwd: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(resolve(cwd, folder), { withFileTypes: true });
  } catch (error) {
    throw badInput(
      "UNREADABLE",
      `${folder} cannot be read (${errorCode(error) ?? "unknown reason"}).`,
      "Check that you may read it.",
    );
  }
}

/** `.txt`; the whole name where it has no ending. */
function fileEnding(name: string): string {
  return /\.[^.]{1,12}$/.exec(name)?.[0].toLowerCase() ?? name.slice(0, 24);
}

interface ImportResult {
  /** The log. */
  readonly log: string;
  /** Files that were read. */
  readonly files: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** What became no record, or not as it is written. */
  readonly faults: readonly SourceFault[];
  /** Files of folders that were not looked into, by how their names end. */
  readonly other_files: Readonly<Record<string, number>>;
  /** All that the log holds now. */
  readonly levels: LevelCounts;
}

const MOST_FAULTS = 100;
/** Taken all the same. */
const TAKEN = new Set<SourceFault["code"]>(["UNREADABLE_DATE", "UNREADABLE_PRESERVE"]);

function renderImport(result: ImportResult, flag: string, colors: Colors): string {
  const { log, files, added, updated, unchanged, faults, levels } = result;
  const leftOut = faults.filter(({ code }) => !TAKEN.has(code));
  const taken = faults.filter(({ code }) => TAKEN.has(code));
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  const columns = ["added", "updated", "there already", "left out"].map(right);
  const blocks = [
    `${colors.bold(`Imported ${plural(files, "file")} into ${log}`)}\n${renderTable(columns, [[added, updated, unchanged, leftOut.length]], colors)}`,
    ...list("Left out:", leftOut, colors),
    ...list("Taken, and shown in full whatever their age:", taken, colors),
    ...othersOf(result),
    `${log} holds ${plural(all, "decision")} now:\n${renderLevels(levels, undefined, colors)}`,
    `To look at them: ${colors.cyan(`agent-compact decisions list${flag}`)}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function list(title: string, faults: readonly SourceFault[], colors: Colors): readonly string[] {
  if (faults.length === 0) return [];
  const lines = faults.slice(0, MOST_FAULTS).map((fault) => `  ${lineOf(fault)}`);
  const left = faults.length - lines.length;
  return [[colors.yellow(title), ...lines, ...(left > 0 ? [`  and ${figure(left)} more: see --json`] : [])].join("\n")];
}

/** Many messages name the file or the record themselves. */
function lineOf({ id, message }: SourceFault): string {
  const [name, said] = [oneLine(id), oneLine(message)];
  return said.includes(name) ? said : `${name}: ${said}`;
}

function othersOf({ other_files: others }: ImportResult): readonly string[] {
  const kinds = Object.entries(others).map(([end, count]) => `${figure(count)} ${oneLine(end)}`);
  return kinds.length === 0 ? [] : [`Files of other kinds, not looked into: ${kinds.join(", ")}`];
}
