// What an import did, for a person: the counts, everything that was left out with its reason, and how the log stands now.
import type { LevelCounts } from "../../../decisions/decision-log.ts";
import type { SourceFault } from "../../../decisions/transfer/decision-source.ts";
import type { Colors } from "../../terminal.ts";
import { figure, oneLine, plural, renderTable } from "../table.ts";
import { renderLevels } from "./levels.ts";

export interface ImportResult {
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

export function renderImport(result: ImportResult, flag: string, colors: Colors): string {
  const { log, files, added, updated, unchanged, faults, levels } = result;
  const leftOut = faults.filter(({ code }) => !TAKEN.has(code));
  const taken = faults.filter(({ code }) => TAKEN.has(code));
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  const columns = ["added", "updated", "there already", "left out"].map((title) => ({ title, isNumber: true }));
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
